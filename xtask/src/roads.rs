//! Earth that roads move over random ground, at the defaults of their nodes, beside the optimum and the
//! sweeps.

use std::path::Path;

use terrane::values::{Map, Table};
use terrane_grid::Seed;

use crate::picture::Renderer;
use crate::{Result, say};

/// Samples on each side of a map.
const SIDE: usize = 65;

/// Samples around those that the optimum moves where other ground of the same cost may move.
const BESIDE: usize = 3;

/// A millimetre over a road's area counts as nothing.
const FILM: f64 = 1e-3;

/// The graph of one case: gentle ground for even seeds, steep ground for odd ones.
fn text(seed: u64) -> String {
    let lattice = Seed(seed).lattice();
    let unit = |number: i64| f64::from(lattice.unit(number, 5));
    let amplitude = if seed.is_multiple_of(2) { 3.0 + 12.0 * unit(0) } else { 15.0 + 65.0 * unit(0) };
    let wavelength = 100.0 + 250.0 * unit(1);
    let place = |number: i64| 16.0 + 224.0 * unit(number);
    let far = |a: i64, b: i64| (place(a) - place(b)).abs() + (place(a + 1) - place(b + 1)).abs() > 60.0;
    let nodes: Vec<String> = [2, 4, 6].map(|at| format!("({}, {})", place(at), place(at + 1))).to_vec();
    let mut edges = Vec::new();
    edges.extend(far(2, 4).then_some("(0, 1)"));
    edges.extend(far(4, 6).then_some("(1, 2)"));
    let solvers = ["Reference", "Draft", "NearOptimal"].map(|solver| {
        format!(
            "\"{solver}\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: {solver}), \
            \"{solver} earth\": EarthMoversDistance(a: \"ground\", b: \"{solver}\"),"
        )
    });
    format!(
        "Graph(size: ({SIDE}, {SIDE}), spacing: 4.0, seed: {seed}, nodes: {{ \
        \"ground\": Perlin(wavelength: {wavelength}, octaves: 7, amplitude: {amplitude}), \
        \"graph\": PathGraph(nodes: [{}], edges: [{}]), \
        \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\"), \
        {} \"best\": OptimalPath(height: \"ground\", subdivision: \"bounds\") }}, outputs: {{ \
        \"ground.npy\": \"ground\", \"mask.npy\": \"bounds.mask\", \"best.npy\": \"best\", \
        \"cost.json\": \"best.cost\", {} }})",
        nodes.join(", "),
        edges.join(", "),
        solvers.concat(),
        ["Reference", "Draft", "NearOptimal"]
            .map(|solver| format!(
                "\"{solver}.npy\": \"{solver}\", \"{solver}.json\": \"{solver} earth.distance\","
            ))
            .concat()
    )
}

/// What one case gives: per fast solver, its cost as a part of the allowed one and of the optimum, and
/// samples that move beyond the banks.
struct Case {
    best: f64,
    sweeps: f64,
    fast: [(f64, usize); 2],
    road: f64,
}

fn case(renderer: &Renderer, folder: &Path, seed: u64) -> Result<Option<Case>> {
    let path = folder.join(format!("road{seed}.ron"));
    let text = text(seed);
    if text.contains("edges: []") {
        return Ok(None);
    }
    std::fs::write(&path, text)?;
    let loaded = renderer.load_within(&path, usize::MAX)?;
    let outputs = &loaded.graph.outputs;
    let values = renderer.values(&loaded, outputs.iter().map(|output| output.from.clone()).collect())?;
    let find = |file: &str| {
        let at = outputs.iter().position(|output| output.file == file).ok_or("an output is missing")?;
        Ok::<_, Box<dyn std::error::Error>>(&values[at])
    };
    let map =
        |file: &str| -> Result<Vec<f32>> { Ok(find(file)?.get::<Map>().ok_or("no map")?.samples().to_vec()) };
    let number = |file: &str, column: &str| -> Result<f64> {
        let table = find(file)?.get::<Table>().ok_or("no table")?;
        let column = table.column(column).ok_or("no column")?;
        Ok(column[0])
    };
    let (ground, best) = (map("ground.npy")?, map("best.npy")?);
    let road = map("mask.npy")?.iter().filter(|is| **is > 0.5).count() as f64 * 16.0;
    let moved: Vec<bool> = ground.iter().zip(&best).map(|(then, now)| (now - then).abs() > 1e-5).collect();
    let near = |at: usize| {
        let (x, y) = (at % SIDE, at / SIDE);
        let rows = y.saturating_sub(BESIDE)..=(y + BESIDE).min(SIDE - 1);
        rows.flat_map(|y| (x.saturating_sub(BESIDE)..=(x + BESIDE).min(SIDE - 1)).map(move |x| y * SIDE + x))
            .any(|at| moved[at])
    };
    let mut fast = [(0.0, 0); 2];
    for (solver, result) in ["Draft", "NearOptimal"].into_iter().zip(&mut fast) {
        let built = map(&format!("{solver}.npy"))?;
        let far = (0..built.len()).filter(|&at| built[at] != ground[at] && !near(at)).count();
        *result = (number(&format!("{solver}.json"), "distance")?, far);
    }
    let (best, sweeps) = (number("cost.json", "cost")?, number("Reference.json", "distance")?);
    Ok(Some(Case { best, sweeps, fast, road }))
}

/// Runs random cases, and fails if a fast solver moves more than it may.
pub fn roads(grounds: u64, seed: u64) -> Result<()> {
    let renderer = Renderer::new()?;
    let folder = tempfile::tempdir()?;
    let (mut roads, mut idle, mut wrong) = (0, 0, 0);
    let (mut worst, mut sweeps) = ([0.0f64; 2], (f64::INFINITY, 0.0f64));
    for seed in seed..seed + grounds {
        let Some(case) = case(&renderer, folder.path(), seed)? else { continue };
        roads += 1;
        idle += u64::from(case.best < 1e-3);
        if case.best > FILM * case.road {
            let times = case.sweeps / case.best;
            sweeps = (sweeps.0.min(times), sweeps.1.max(times));
        }
        let allowed = (1.3 * case.best).max(1.1 * case.sweeps) + FILM * case.road;
        for ((cost, far), (worst, solver)) in
            case.fast.into_iter().zip(worst.iter_mut().zip(["Draft", "NearOptimal"]))
        {
            if case.best > FILM * case.road {
                *worst = worst.max(cost / case.best);
            }
            if cost > allowed || far > 0 {
                wrong += 1;
                say(&format!(
                    "seed {seed}, {solver}: moves {cost:.4} where the optimum moves {:.4} and sweeps {:.4}; \
                    {far} samples move beyond the banks",
                    case.best, case.sweeps
                ));
            }
        }
    }
    say(&format!(
        "{roads} roads, {idle} of them without earthworks: at most {:.3} times the optimum with Draft and \
        {:.3} with NearOptimal, {:.2} to {:.2} times with sweeps; {wrong} wrong",
        worst[0], worst[1], sweeps.0, sweeps.1
    ));
    if wrong > 0 { Err("roads move too much earth".into()) } else { Ok(()) }
}
