//! Random roads over random hills, and the limits that no road may exceed.

use std::path::Path;

use terrane_grid::{Heightmap, Lattice, PlanarGraph, Seed, unit_f64};
use terrane_io::{WriteOptions, write_heightmap};
use terrane_kernels::noise::Fractal;
use terrane_paths::planar::check_graph;
use terrane_paths::relax::{Field, Solver};

use super::{Built, COSTS, SOLVERS, Scene, ground, range, square, steepest_step};
use crate::{Result, say};

/// Samples along a side.
const SIDE: usize = 129;

/// Metres between samples.
const SPACING: f64 = 2.0;

/// How far heights may exceed the range of the ground, relative to its relief.
const BEYOND: f64 = 0.1;

/// How steep a step may be, relative to the greater of 1 and the ground's steepest step.
const STEEP: f64 = 2.0;

/// Runs this many cases; fails if one breaks a limit.
pub fn all(cases: u64) -> Result<()> {
    let (mut found, mut breaking) = (Vec::new(), 0);
    for number in 0..cases {
        let case = case(number)?;
        let subdivision = case.subdivision(COSTS)?;
        for solver in SOLVERS {
            let built = case.build(&subdivision, solver)?;
            let figures = Figures::new(number, solver, &case, &built);
            if figures.is_broken() {
                breaking += 1;
                say(&format!("broken: {}", figures.described(&case)));
            }
            found.push(figures);
        }
    }
    say(&format!("{cases} cases, {breaking} of {} roads break a limit", found.len()));
    for (name, figure) in FIGURES {
        let mut order: Vec<&Figures> = found.iter().collect();
        order.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
        let worst: Vec<String> =
            order.iter().take(5).map(|f| format!("{:.3} ({} {:?})", figure(f), f.case, f.solver)).collect();
        say(&format!("{name}: {}", worst.join(", ")));
    }
    if breaking == 0 { Ok(()) } else { Err(format!("{breaking} roads break a limit").into()) }
}

/// Runs one case, and writes its ground before and after into a folder.
pub fn one(number: u64, out: &Path) -> Result<()> {
    let case = case(number)?;
    let subdivision = case.subdivision(COSTS)?;
    std::fs::create_dir_all(out)?;
    let write = |name: &str, map: &Heightmap| {
        write_heightmap(&out.join(format!("{number}-{name}.npy")), map, &WriteOptions::default())
    };
    write("before", &case.ground)?;
    let mask = subdivision.slope.iter().map(|slope| f32::from(u8::from(slope.is_finite()))).collect();
    write("path", &Heightmap::from_vec(case.ground.domain(), mask))?;
    let mut broken = false;
    for solver in SOLVERS {
        let built = case.build(&subdivision, solver)?;
        write(&format!("{solver:?}").to_lowercase(), &built.height)?;
        let figures = Figures::new(number, solver, &case, &built);
        say(&figures.described(&case));
        broken |= figures.is_broken();
    }
    if broken { Err("a limit is broken".into()) } else { Ok(()) }
}

/// How close a road comes to the limits.
struct Figures {
    case: u64,
    solver: Solver,
    missed: usize,
    /// How far heights exceed the range of the ground, relative to its relief.
    beyond: f64,
    /// The steepest step relative to the greater of 1 and the ground's steepest step.
    steep: f64,
    seconds: f64,
    iterations: u64,
    /// Cut and fill over the area that the road binds, in metres.
    depth: f64,
}

/// A figure of a road, by its name.
type Figure = (&'static str, fn(&Figures) -> f64);

/// The figures whose worst cases are printed.
const FIGURES: [Figure; 5] = [
    ("bounds missed", |f| f.missed as f64),
    ("out of the ground's range, over its relief", |f| f.beyond),
    ("steepest step, over the greater of 1 and the ground's", |f| f.steep),
    ("seconds", |f| f.seconds),
    ("highest cut or fill, over the relief", |f| f.depth),
];

impl Figures {
    fn new(case: u64, solver: Solver, scene: &Scene, built: &Built) -> Self {
        let ((low, high), (lowest, highest)) = (range(&scene.ground), range(&built.height));
        let relief = high - low;
        Self {
            case,
            solver,
            missed: built.missed,
            beyond: (low - lowest).max(highest - high).max(0.0) / relief,
            steep: steepest_step(&built.height) / steepest_step(&scene.ground).max(1.0),
            seconds: built.seconds,
            iterations: built.iterations,
            depth: built.moved.highest_cut.max(built.moved.highest_fill) / relief,
        }
    }

    fn is_broken(&self) -> bool {
        self.missed > 0 || self.beyond > BEYOND || self.steep > STEEP
    }

    fn described(&self, scene: &Scene) -> String {
        format!(
            "case {} {:?}: missed {}, out of range {:.3}, steepest {:.2}, {:.2} s, {} iterations; {}, {} \
            nodes, {} edges, width {:.1}, border {:.1}, max_slope {:.3}, slope_gain {:.2}, bank_slope {:.2}",
            self.case,
            self.solver,
            self.missed,
            self.beyond,
            self.steep,
            self.seconds,
            self.iterations,
            scene.name,
            scene.graph.nodes.len(),
            scene.graph.edges.len(),
            scene.width,
            scene.border,
            scene.max_slope,
            scene.slope_gain,
            scene.bank_slope,
        )
    }
}

/// Random numbers of a case, by purpose.
struct Draws(Lattice);

impl Draws {
    /// From 0 to 1.
    fn unit(&self, what: i64, index: i64) -> f64 {
        unit_f64(self.0.bits(what, index))
    }

    fn between(&self, what: i64, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit(what, 0)
    }

    /// A number whose logarithm is uniform.
    fn scale(&self, what: i64, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.unit(what, 0))
    }
}

/// The case with this number: hills whose steep parts, at the 90th percentile, slope by 0.05 to 1.5.
fn case(number: u64) -> Result<Scene> {
    let draws = Draws(Seed(number).part(0).lattice());
    let domain = square(SIDE, SPACING);
    let seed = Seed(number).part(1);
    let (wavelength, octaves) = (draws.scale(1, 60.0, 400.0), 3 + (draws.unit(2, 0) * 6.0) as u32);
    let (name, ground) = match number % 3 {
        0 => ("Perlin", ground::perlin(domain, seed, Fractal::Fbm, (wavelength, octaves), 1.0)?),
        1 => ("ridged", ground::perlin(domain, seed, Fractal::Ridged, (wavelength, octaves), 1.0)?),
        _ => ("midpoint", ground::midpoint(domain, seed, draws.between(1, 0.4, 0.6))?),
    };
    let steep = draws.scale(3, 0.05, 1.5);
    let field = Field::new(&ground);
    let mut slopes: Vec<f64> = (0..domain.len()).map(|at| field.steepest(at)).collect();
    slopes.sort_by(f64::total_cmp);
    let factor = steep / slopes[slopes.len() * 9 / 10];
    let heights = ground.samples().iter().map(|&height| (f64::from(height) * factor) as f32).collect();
    Ok(Scene {
        name: format!(
            "{name} of slopes to {steep:.2}, relief {:.0} m",
            (range(&ground).1 - range(&ground).0) * factor
        ),
        ground: Heightmap::from_vec(domain, heights),
        graph: graph(&draws),
        // Occasionally 0: the path is then one sample wide, with walls where the banks begin.
        width: draws.between(4, -2.0, 20.0).max(0.0),
        border: draws.between(5, -2.0, 30.0).max(0.0),
        max_slope: draws.scale(6, 0.02, 0.4),
        slope_gain: draws.between(7, 0.0, 0.6),
        bank_slope: draws.scale(8, 0.2, 1.5),
    })
}

/// Three to eight separate points, and edges between them that do not cross.
fn graph(draws: &Draws) -> PlanarGraph {
    let extent = SPACING * (SIDE - 1) as f64;
    let wanted = 3 + (draws.unit(9, 0) * 6.0) as usize;
    let mut graph = PlanarGraph::default();
    for index in 0..64 {
        let position = [20, 21].map(|axis| (0.03 + 0.94 * draws.unit(axis, index)) * extent);
        let apart =
            |&(x, y): &(f64, f64)| (x - position[0]).abs().max((y - position[1]).abs()) > extent / 8.0;
        if graph.nodes.len() < wanted && graph.nodes.iter().all(apart) {
            graph.nodes.push((position[0], position[1]));
        }
    }
    let most = graph.nodes.len() + (draws.unit(10, 0) * 3.0) as usize;
    for index in 0..64 {
        let [a, b] = [30, 31].map(|end| (draws.unit(end, index) * graph.nodes.len() as f64) as u32);
        if a == b
            || graph.edges.len() == most
            || graph.edges.contains(&(a, b))
            || graph.edges.contains(&(b, a))
        {
            continue;
        }
        graph.edges.push((a, b));
        if check_graph(&graph).is_err() {
            graph.edges.pop();
        }
    }
    graph
}
