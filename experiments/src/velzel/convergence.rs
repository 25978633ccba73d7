//! Convergence of the parallel form of Velzel's relaxation compared with sweeps: a curve over powers of
//! ten, with far more points than a graph's table keeps.

use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};
use terrane_kernels::displacement::{self, Distribution, Midpoint, midpoint_displacement};
use terrane_kernels::{ScalarMap, Silent};
use terrane_paths::path::{Borders, Costs, Details, Search, Subdivide, Subdivision, Surround, subdivide};
use terrane_paths::relax::{Field, Given, Relaxation, Solver, bounds, relax};

use crate::{Result, plot, root, say};

/// The side of the square in world units, at any resolution.
const SIDE: f64 = 128.0;

/// Nodes as fractions of the side, and edges.
const NODES: [(f64, f64); 5] = [(0.15, 0.2), (0.3, 0.75), (0.8, 0.85), (0.75, 0.25), (0.5, 0.5)];
const EDGES: [(u32, u32); 5] = [(0, 4), (1, 4), (2, 4), (3, 4), (0, 3)];

/// The maximum slope, and the thesis's tolerance of slopes.
const SLOPE: f64 = 0.0035;
const TOLERANCE: f64 = 1.0e-5;

/// Maximum number of iterations.
const MOST: u64 = 1_000_000;

/// Draws the number of missed bounds by iteration, for sweeps and for all samples at once.
pub fn convergence(side: usize) -> Result<()> {
    let map = ground(side, 0)?;
    let subdivision = paths(&map)?;
    let mut curves = Vec::new();
    for (name, solver) in [("sweeps", Solver::Reference), ("all samples at once", Solver::Parallel)] {
        let mut field = Field::new(&map);
        let given = Given {
            border: None,
            slope_tolerance: TOLERANCE,
            roughness_tolerance: Some(0.04),
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: false,
            bank_slope: None,
        };
        let constraints = bounds(&field, &subdivision, &given);
        let parameters = Relaxation {
            solver,
            max_iterations: MOST,
            early_exit: false,
            history_every: 1,
            creation_cost: None,
            known: None,
        };
        let out = relax(&mut field, &constraints, &parameters, &Silent).map_err(|_| "cancelled")?;
        say(&format!("{name}: {:?} after {} iterations", out.outcome, out.iterations));
        // Points evenly spaced on a logarithmic scale.
        let (mut points, mut next) = (Vec::new(), 0.0);
        for row in &out.history {
            if row.iteration as f64 >= next || row.missed == 0 {
                next = row.iteration as f64 * 1.02;
                points.push((libm::log10(row.iteration as f64), row.missed as f64));
            }
        }
        curves.push((name, points));
    }
    let path = root().join("graphs/velzel/convergence.svg");
    plot(&path, ["iterations, power of ten", "bounds missed"], &curves, ("", &[]))
}

/// Midpoint displacement in [0, 1].
fn ground(side: usize, seed: u64) -> Result<Heightmap> {
    let domain = Domain::new(side, side).with_spacing(SIDE / (side - 1) as f64);
    let parameters = Midpoint {
        roughness: ScalarMap::Constant(1.0),
        persistence: 0.5,
        distribution: Distribution::Uniform,
        smoothed: false,
        boundary: displacement::Boundary::Open,
        lattice: 2,
    };
    let map =
        midpoint_displacement(&domain, Seed(seed), &parameters, &Silent).map_err(|e| format!("{e:?}"))?;
    let s = terrane_kernels::metric::statistics(&map);
    Ok(terrane_kernels::shape::remap(map, (s.min as f32, s.max as f32), (0.0, 1.0)))
}

/// The graph's subdivision.
fn paths(map: &Heightmap) -> Result<Subdivision> {
    let nodes = NODES.iter().map(|&(x, y)| (x * SIDE, y * SIDE)).collect();
    let graph = PlanarGraph { nodes, edges: EDGES.to_vec() };
    let parameters = Subdivide {
        search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
        width: 8.0,
        node_width: 8.0,
        border: 16.0,
        max_slope: SLOPE,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround: Surround::Directional,
        borders: Borders::Free,
        anchors: &[],
        details: Details::default(),
    };
    Ok(subdivide(map, &graph, &parameters, &Silent).map_err(|e| format!("{e:?}"))?)
}
