//! The optimal ground for paths.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput, Sizes};
use terrane_grid::Grid;
use terrane_paths::path::faded;
use terrane_paths::relax::{Allowed, OptimumError, optimum};

use super::support::{BANK_SLOPE, Earth, TOLERANCE, creation_cost, fits};
use crate::support::{Report, map_bytes, maps};
use crate::values::{Bounds, Map, Table};

/// Computes the ground that meets the bounds of paths at the minimum cost, by earth mover's distance: the
/// exact optimum that `RelaxPath` approximates.
///
/// Moving earth from a sample to its neighbour costs the height of the earth times the distance between the
/// two samples. In the optimisation problem, a bound on the slope of a path or of a bank is a cone. A bound
/// on the ground beside a path is two planes. An interior-point method (Clarabel) solves the whole problem to
/// a tolerance of 1e-8, absolute and relative. Bounds on roughness are not convex, and are left out.
///
/// Ground off the path becomes no steeper than `bank_slope`. Ground that was steeper before becomes no
/// steeper than it was. No height leaves the range of the original heights, unless heights are fixed.
/// `bank_slope: None` gives the problem as Velzel's thesis states it, without banks. A sample can then lose
/// or gain any amount of earth, and heights can fall below 0. Earth is conserved unless fixed heights require
/// otherwise. If they do, earth is imported and exported at `creation_cost`. With `earth: Balanced`, earth
/// can be imported and exported anywhere.
///
/// Time and memory grow faster than the number of samples, and more so with banks. The node is meant for
/// patches of up to about 129 x 129 samples; on larger ones use `RelaxPath`. A cancel is immediate, but the
/// solver runs on in the background until it has finished its present step, and holds its memory. No other
/// one is started before. For 114 random roads at 65 x 65 samples (`cargo xtask roads`), `RelaxPath` with
/// `solver: NearOptimal` needs at most 1.01 times the minimum of earth times distance.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (33, 33), spacing: 4.0, seed: 7,
///     nodes: {
///         "ground": MidpointDisplacement(lattice: 2),
///         "graph": PathGraph(nodes: [(20, 20), (100, 30), (64, 110)], edges: [(0, 1), (1, 2)]),
///         "bounds": SubdividePath(height: "ground", graph: "graph", max_slope: 0.0035, cost: Thesis),
///         "best": OptimalPath(height: "ground", subdivision: "bounds", bank_slope: None),
///     },
///     outputs: { "best.exr": "best", "cost.json": "best.cost" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths",
    words = "road roads path optimum exact best cheapest minimum earthworks linear programming cost \
        street",
    version = 2, tiles = Global, because = "the optimum depends on all \
    samples", paper = "Velzel, sections 3.1 and 4.1.2")]
#[output(height: Map, unit = "world units", doc = "The reshaped ground.")]
#[output(cost: Table, doc = "One row: cost (height times world units); lower_bound (no ground that meets \
    the bounds costs less); created and destroyed (earth that was imported and exported, as height); \
    iterations; accurate (1 if the solver reached its tolerance).")]
#[output(flow: Map, unit = "world units", doc = "Change in height of each sample.")]
pub struct OptimalPath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Bounds on the ground, from `SubdividePath` or `SubdivideMask`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, if the subdivision fixes heights there. Default: those of the subdivision.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// Maximum slope of ground off the path, unless the ground was steeper before. `None` sets no limit.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
    /// Whether earth may be imported and exported.
    #[param(default = Earth::Conserved)]
    pub earth: Earth,
    /// Cost of importing or exporting earth, per unit of its height. Default: twice the length of the map's
    /// longer side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
    /// Tolerance by which a slope may exceed its bound.
    #[param(default = TOLERANCE, min = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
}

impl Evaluate for OptimalPath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision)?;
        let (w, h) = height.domain().size;
        let allowed = Allowed {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            bank_slope: self.bank_slope,
            creation_cost: creation_cost(self.creation_cost, &height),
            balanced: self.earth == Earth::Balanced,
        };
        let ground = faded(&height, &subdivision);
        let best = optimum(&ground, &subdivision, &allowed, &Report(cx)).map_err(failure)?;
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

    /// Memory for the factorised system of equations. With banks, the system bounds every sample.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        // The memory per sample of a factorised system grows slightly with the number of samples. The numbers
        // below were measured on maps of up to 1025² samples.
        let patches = maps(sizes, 1.0) / map_bytes(257, 257);
        let more = 1.0 + 0.075 * f64::from(patches.max(1).ilog2());
        maps(sizes, more * if self.bank_slope.is_some() { 4600.0 } else { 1700.0 })
    }
}

fn failure(error: OptimumError) -> NodeError {
    let help = match &error {
        OptimumError::Cancelled => return NodeError::Cancelled,
        OptimumError::Input(_) => "fill the samples that are not numbers",
        OptimumError::Infeasible => {
            "fixed heights conflict with slopes: allow steeper slopes, or fix fewer heights"
        }
        OptimumError::Solver(_) => "use RelaxPath, or a larger slope_tolerance",
    };
    NodeError::failed(error.to_string(), help)
}
