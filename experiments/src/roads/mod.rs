//! Relaxation of realistic roads: a table for hills of increasing height and models of Earth, and many random
//! cases with limits that must not be exceeded.

mod cases;
mod costs;
mod ground;
mod table;

use std::path::Path;
use std::time::Instant;

use terrane_grid::{Domain, Heightmap, PlanarGraph};
use terrane_kernels::Silent;
use terrane_paths::path::{
    Borders, Costs, Details, Prices, Search, Subdivide, Subdivision, Surround, subdivide,
};
use terrane_paths::relax::{
    Earthworks, Field, Given, Relaxation, Solver, bounds, bounds_to_round, earthworks, relax, survey,
};

use crate::Result;

pub use costs::print as costs;

/// Prints the table for ground whose name contains `ground`. If a number of cases or the number of one case
/// is given, runs random cases instead.
pub fn roads(
    (ground, optimum): (Option<&str>, bool),
    cases: (Option<u64>, Option<u64>),
    out: &Path,
) -> Result<()> {
    match cases {
        (_, Some(case)) => cases::one(case, out),
        (Some(cases), None) => cases::all(cases),
        (None, None) => table::print(ground.unwrap_or_default(), optimum),
    }
}

/// The nodes' default costs.
const COSTS: Costs = Costs::Builder(Prices { excess: None, side: 0.1 });

/// The fast solvers.
const SOLVERS: [Solver; 2] = [Solver::Draft, Solver::NearOptimal];

/// The slope tolerance: the nodes' default.
const SLOPE_TOLERANCE: f64 = 1e-5;

/// Maximum number of sweeps if a solver leaves bounds missed.
const MOST_ITERATIONS: u64 = 20_000;

/// A road over some ground.
struct Scene {
    name: String,
    ground: Heightmap,
    graph: PlanarGraph,
    width: f64,
    border: f64,
    max_slope: f64,
    slope_gain: f64,
    bank_slope: f64,
}

impl Scene {
    /// The road's bounds on the ground, along the cheapest routes.
    fn subdivision(&self, costs: Costs) -> Result<Subdivision> {
        let parameters = Subdivide {
            search: Search::by(costs),
            width: self.width,
            node_width: self.width,
            border: self.border,
            max_slope: self.max_slope,
            edge_slopes: &[],
            slope_gain: self.slope_gain,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details: Details::default(),
        };
        let found = subdivide(&self.ground, &self.graph, &parameters, &Silent);
        found.map_err(|error| format!("{}: {error:?}", self.name).into())
    }

    /// Tolerances and the slope of banks.
    fn given(&self) -> Given<'static> {
        Given {
            border: None,
            slope_tolerance: SLOPE_TOLERANCE,
            bank_slope: Some(self.bank_slope),
            roughness_tolerance: Some(0.04),
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: false,
        }
    }

    /// Builds the road.
    fn build(&self, subdivision: &Subdivision, solver: Solver) -> Result<Built> {
        let mut field = Field::new(&self.ground);
        let asked = bounds(&field, subdivision, &self.given());
        let constraints = bounds_to_round(&field, subdivision, &self.given());
        let relaxation = Relaxation {
            solver,
            max_iterations: MOST_ITERATIONS,
            early_exit: true,
            history_every: 0,
            creation_cost: None,
            known: None,
        };
        let start = Instant::now();
        let relaxed = relax(&mut field, &constraints, &relaxation, &Silent).map_err(|_| "cancelled")?;
        let seconds = start.elapsed().as_secs_f64();
        let height = self.ground.with_grid(field.grid());
        let (surveys, _) = survey(&asked, &Field::new(&height), &height);
        let missed = surveys.iter().map(|survey| survey.missed).sum();
        let moved = earthworks(&self.ground, &height, subdivision, &Silent).map_err(|_| "cancelled")?.0;
        Ok(Built { height, seconds, iterations: relaxed.iterations, missed, moved })
    }
}

/// A finished road.
struct Built {
    height: Heightmap,
    seconds: f64,
    iterations: u64,
    /// Number of bounds that the heights in single precision miss.
    missed: usize,
    moved: Earthworks,
}

/// The lowest and the highest height.
fn range(map: &Heightmap) -> (f64, f64) {
    map.samples().iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &height| {
        (low.min(f64::from(height)), high.max(f64::from(height)))
    })
}

/// The steepest step between neighbours along rows and columns, rise over run.
fn steepest_step(map: &Heightmap) -> f64 {
    let (width, height) = map.domain().size;
    let rise = |a: (usize, usize), b: (usize, usize)| (f64::from(map[b]) - f64::from(map[a])).abs();
    let along_rows = (0..height).flat_map(|y| (1..width).map(move |x| ((x - 1, y), (x, y))));
    let along_columns = (1..height).flat_map(|y| (0..width).map(move |x| ((x, y - 1), (x, y))));
    along_rows.chain(along_columns).map(|(a, b)| rise(a, b)).fold(0.0, f64::max) / map.spacing()
}

/// The domain of a square map with its first sample at (0, 0).
fn square(side: usize, spacing: f64) -> Domain {
    Domain::new(side, side).with_spacing(spacing)
}
