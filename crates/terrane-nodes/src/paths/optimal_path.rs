//! The least that ground must be bent for paths.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput};
use terrane_grid::Grid;
use terrane_kernels::path::faded;
use terrane_kernels::relax::{OptimumError, optimum};

use super::support::{TOLERANCE, fits};
use crate::values::{Bounds, Map, Table};

/// The least that ground must be bent for paths to be walked: the exact optimum, by earth mover's distance.
///
/// Material moves between neighbours at its height times the distance; slopes on the path are cones, those beside it two planes each, and an
/// interior-point method (Clarabel) solves the whole within a hundred-millionth. Roughness is not convex and is left out. Heights that are
/// given may need material: it is made and taken at `creation_cost`. Ground that nothing binds takes and gives any amount, beyond 0 too.
///
/// A patch of 65 x 65 takes a second, 129 x 129 some ten, 257 x 257 a minute; it cannot be cancelled meanwhile. Sweeps of `RelaxPath` move about twice as much,
/// and look more natural.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (33, 33), spacing: 4.0, seed: 7,
///     nodes: {
///         "ground": MidpointDisplacement(lattice: 2),
///         "graph": PathGraph(nodes: [(20, 20), (100, 30), (64, 110)], edges: [(0, 1), (1, 2)]),
///         "bounds": SubdividePath(height: "ground", graph: "graph", max_slope: 0.0035),
///         "best": OptimalPath(height: "ground", subdivision: "bounds"),
///     },
///     outputs: { "best.exr": "best", "cost.json": "best.cost" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths", tiles = Global, paper = "Velzel, sections 3.1 and 4.1.2", working_maps = 100.0)]
#[output(height: Map, unit = "world units", doc = "The ground, bent.")]
#[output(cost: Table, doc = "One row: cost, height times world units; lower_bound, which no ground that keeps to the bounds goes below; created and destroyed height; iterations; accurate (1 where the solver reached its tolerance).")]
#[output(flow: Map, unit = "world units", doc = "What each sample gained, or lost where negative.")]
pub struct OptimalPath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What is asked of it, of `SubdividePath`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, where the subdivision wants some given there; without, those that the subdivision gives.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// Cost of a unit of height that is made or taken away; without, twice the length of the map's longer side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
    /// How much steeper than its bound a slope may be.
    #[param(default = TOLERANCE, min = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
}

impl Evaluate for OptimalPath {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision, border.as_deref())?;
        let (w, h) = height.domain().size;
        let creation_cost = self.creation_cost.unwrap_or(2.0 * w.max(h) as f64 * height.spacing());
        let border = border.as_ref().map(|border| &border.0);
        let best =
            optimum(&faded(&height, &subdivision), &subdivision, border, self.slope_tolerance, creation_cost)
                .map_err(|error| {
                    let help = match &error {
                        OptimumError::Input(_) => "fill samples that are not numbers",
                        OptimumError::Infeasible => {
                            "given heights conflict with slopes: allow steeper ones, or give fewer heights"
                        }
                        OptimumError::Solver(_) => "take RelaxPath, or a larger slope_tolerance",
                    };
                    NodeError::failed(error.to_string(), help)
                })?;
        let heights: Vec<f32> = best.heights.iter().map(|&height| height as f32).collect();
        let gained = heights.iter().zip(height.samples()).map(|(now, before)| now - before).collect();
        let cost = Table::row(&[
            ("cost", best.cost),
            ("lower_bound", best.lower_bound),
            ("created", best.created),
            ("destroyed", best.destroyed),
            ("iterations", f64::from(best.iterations)),
            ("accurate", f64::from(u8::from(best.accurate))),
        ]);
        let whole = |samples: Vec<f32>| Map(height.with_grid(Grid::from_vec(w, h, samples)));
        Ok((whole(heights), cost, whole(gained)))
    }
}
