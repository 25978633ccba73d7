//! Velzel's Table 1 and Figure 8: iterations of relaxation by resolution, and how near they come to the optimum.

use std::fmt::Write as _;
use std::time::Instant;

use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};
use terrane_kernels::Silent;
use terrane_kernels::displacement::{self, Distribution, Midpoint, midpoint_displacement};
use terrane_kernels::path::{Borders, Costs, Subdivide, Subdivision, Surround, subdivide};
use terrane_kernels::relax::{Field, Given, Relaxation, Solver, bounds, optimum, relax};
use terrane_kernels::transport::earth_movers_distance;

use crate::{Result, say};

/// Table 1: mean iterations for 9² to 257², by greatest slope.
const TABLE1: [(f64, [f64; 6]); 3] = [
    (0.0005, [82.8, 385.7, 2368.7, 8828.1, 51781.6, 219_010.8]),
    (0.0035, [58.2, 219.1, 1102.5, 5276.0, 26898.2, 116_102.7]),
    (0.0095, [11.3, 18.3, 39.4, 155.6, 998.3, 3744.4]),
];

/// The square's side, whatever the resolution.
const SIDE: f64 = 128.0;

/// Nodes as parts of the side, and edges.
const NODES: [(f64, f64); 5] = [(0.15, 0.2), (0.3, 0.75), (0.8, 0.85), (0.75, 0.25), (0.5, 0.5)];
const EDGES: [(u32, u32); 5] = [(0, 4), (1, 4), (2, 4), (3, 4), (0, 3)];

/// The thesis's tolerance of slopes.
pub const TOLERANCE: f64 = 1.0e-5;

/// Prints a row for each resolution up to `largest` (Table 1, which is what Figure 4 draws), means over seeds; the optimum for one seed.
pub fn velzel(seeds: u64, largest: usize) -> Result<()> {
    say(
        "| g | n | iterations | thesis | ratio | s a run | earth moved over the optimum's, seed 0 | Draft: s, over the optimum's | NearOptimal |\n|---|---|---|---|---|---|---|---|---|",
    );
    for (slope, table) in TABLE1 {
        for (index, thesis) in table.into_iter().enumerate() {
            let side = (8 << index) + 1;
            if side > largest {
                break;
            }
            let (mut iterations, mut seconds, mut ratio) = (0.0, 0.0, 0.0);
            for seed in 0..seeds {
                let run = run(side, slope, seed, Solver::Reference, seed == 0)?;
                iterations += run.iterations as f64 / seeds as f64;
                seconds += run.seconds / seeds as f64;
                ratio += run.ratio;
            }
            let fast = [Solver::Draft, Solver::NearOptimal].map(|solver| run(side, slope, 0, solver, true));
            let [draft, near] = fast;
            let (draft, near) = (draft?, near?);
            let mut row = String::new();
            let _infallible = write!(
                row,
                "| {slope} | {side} | {iterations:.1} | {thesis} | {:.2} | {seconds:.3} | {ratio:.2} | {:.3}, {:.2} | {:.3}, {:.2} |",
                iterations / thesis,
                draft.seconds,
                draft.ratio,
                near.seconds,
                near.ratio
            );
            say(&row);
        }
    }
    Ok(())
}

struct Run {
    iterations: u64,
    seconds: f64,
    ratio: f64,
}

fn run(side: usize, slope: f64, seed: u64, solver: Solver, best: bool) -> Result<Run> {
    let map = ground(side, seed)?;
    let subdivision = paths(&map, slope, Surround::Directional, Borders::Free)?;
    let mut field = Field::new(&map);
    let given = Given {
        border: None,
        slope_tolerance: TOLERANCE,
        roughness_tolerance: 0.04,
        scales: &[1],
        border_slope: false,
    };
    let constraints = bounds(&field, &subdivision, &given);
    let parameters =
        Relaxation { solver, max_iterations: 1_000_000, early_exit: false, history_every: 0, spread: 0.0 };
    let start = Instant::now();
    let out = relax(&mut field, &constraints, &parameters, &Silent).map_err(|_| "cancelled")?;
    let seconds = start.elapsed().as_secs_f64();
    let ratio = if best {
        let sigma = 2.0 * side as f64 * map.spacing();
        let relaxed = map.with_grid(field.grid());
        let moved = earth_movers_distance(&map, &relaxed, sigma, &Silent).map_err(|e| format!("{e:?}"))?;
        moved.distance / optimum(&map, &subdivision, None, TOLERANCE, sigma)?.cost
    } else {
        0.0
    };
    Ok(Run { iterations: out.iterations, seconds, ratio })
}

/// Midpoint displacement in [0, 1].
pub fn ground(side: usize, seed: u64) -> Result<Heightmap> {
    let domain = Domain::new(side, side).with_spacing(SIDE / (side - 1) as f64);
    let parameters = Midpoint {
        persistence: 0.5,
        distribution: Distribution::Uniform,
        smoothed: false,
        boundary: displacement::Boundary::Open,
        lattice: 2,
        points: Vec::new(),
    };
    let map =
        midpoint_displacement(&domain, Seed(seed), &parameters, &Silent).map_err(|e| format!("{e:?}"))?;
    let s = terrane_kernels::metric::statistics(&map);
    Ok(terrane_kernels::shape::remap(map, (s.min as f32, s.max as f32), (0.0, 1.0)))
}

/// The graph's subdivision.
pub fn paths(map: &Heightmap, slope: f64, surround: Surround, borders: Borders) -> Result<Subdivision> {
    let nodes = NODES.iter().map(|&(x, y)| (x * SIDE, y * SIDE)).collect();
    let graph = PlanarGraph { nodes, edges: EDGES.to_vec() };
    let parameters = Subdivide {
        costs: Costs { alpha: 10_000.0, beta: 1.8 },
        width: 8.0,
        node_width: 8.0,
        border: 16.0,
        max_slope: slope,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround,
        borders,
        anchors: &[],
    };
    Ok(subdivide(map, &graph, &parameters, &Silent).map_err(|e| format!("{e:?}"))?)
}
