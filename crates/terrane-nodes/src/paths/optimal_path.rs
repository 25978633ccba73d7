//! The least that ground must be bent for paths.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput, Sizes};
use terrane_grid::Grid;
use terrane_kernels::path::faded;
use terrane_kernels::relax::{Allowed, OptimumError, optimum};

use super::support::{BANK_SLOPE, Earth, TOLERANCE, creation_cost, fits};
use crate::support::{Report, map_bytes, maps};
use crate::values::{Bounds, Map, Table};

/// The least that ground must be bent for paths to be walked: the exact optimum, by earth mover's distance.
///
/// Earth moves between neighbours at its height times the distance; slopes on the path and of banks are
/// cones, those beside the path two planes each, and an interior-point method (Clarabel) solves the whole
/// within a hundred-millionth. Roughness is not convex and is left out.
///
/// Ground off the path becomes no steeper than `bank_slope`, or than it was where it was steeper, and no
/// height leaves the range of the ground; with `bank_slope: None`, the thesis's problem, it takes and gives
/// any amount, beyond 0 too. Earth is moved, never made, but heights that are given may need some: it is made
/// and taken at `creation_cost`, anywhere with `earth: Balanced`.
///
/// With banks a patch of 65 x 65 takes some 5 seconds and 129 x 129 a minute, without them one and ten. It
/// can be cancelled between the solver's iterations; at 1025 x 1025 each takes minutes, and banks 24 GB.
/// `RelaxPath` with `solver: NearOptimal` moves as much earth within some hundredths, in a hundredth of the
/// time.
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
#[node(category = "paths", version = 2, tiles = Global, because = "the least cost is sought over all samples \
    at once", paper = "Velzel, sections 3.1 and 4.1.2")]
#[output(height: Map, unit = "world units", doc = "The ground, bent.")]
#[output(cost: Table, doc = "One row: cost, height times world units; lower_bound, which no ground that \
    keeps to the bounds goes below; created and destroyed height; iterations; accurate (1 where the solver \
    reached its tolerance).")]
#[output(flow: Map, unit = "world units", doc = "What each sample gained, or lost where negative.")]
pub struct OptimalPath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What is asked of it, of `SubdividePath`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, where the subdivision wants some given there; without, those that the
    /// subdivision gives.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// How steep ground off the path may become, where it was not steeper. `None`: as steep as it likes.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
    /// Whether earth may be brought or taken away.
    #[param(default = Earth::Conserved)]
    pub earth: Earth,
    /// Cost of a unit of height that is made or taken away; without, twice the length of the map's longer
    /// side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
    /// How much steeper than its bound a slope may be.
    #[param(default = TOLERANCE, min = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
}

impl Evaluate for OptimalPath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision, border.as_deref())?;
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

    /// A factorised system of equations, in which banks bind every sample.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        // A factorised system takes a little more for each sample, the more there are: measured up to 1025².
        let patches = maps(sizes, 1.0) / map_bytes(257, 257);
        let more = 1.0 + 0.075 * f64::from(patches.max(1).ilog2());
        maps(sizes, more * if self.bank_slope.is_some() { 4600.0 } else { 1700.0 })
    }
}

fn failure(error: OptimumError) -> NodeError {
    let help = match &error {
        OptimumError::Cancelled => return NodeError::Cancelled,
        OptimumError::Input(_) => "fill samples that are not numbers",
        OptimumError::Infeasible => {
            "given heights conflict with slopes: allow steeper ones, or give fewer heights"
        }
        OptimumError::Solver(_) => "take RelaxPath, or a larger slope_tolerance",
    };
    NodeError::failed(error.to_string(), help)
}
