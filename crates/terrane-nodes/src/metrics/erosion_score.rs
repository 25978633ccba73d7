//! The erosion score.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_kernels::Boundary;
use terrane_kernels::metric;

use crate::values::{Map, Table};

/// The erosion score, a measure of how eroded terrain looks: the standard deviation of its slopes divided by
/// their mean.
///
/// Flat ground between steep slopes gives a high score, uniform slopes a low one. The unit of heights does
/// not matter. The paper's maps wrap; use `Open` for a map that does not.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "score": ErosionScore(height: "hills"),
///     },
///     outputs: { "score.json": "score" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "how eroded measure quality rate score realism",
    tiles = Global, because = "the score covers all samples", paper = "Olsen 2004, \
    Defining erosion", holes = Kept)]
#[output(score: Table, doc = "One row: mean slope, population standard deviation of slopes, and score.")]
pub struct ErosionScore {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for ErosionScore {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let score = metric::erosion_score(&self.height.get(), self.boundary);
        Ok((Table::row(&[("mean", score.mean), ("deviation", score.deviation), ("score", score.score)]),))
    }

    /// Memory for slopes.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        sizes.inputs[0]
    }
}
