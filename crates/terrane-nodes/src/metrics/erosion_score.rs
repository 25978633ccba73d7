//! How eroded terrain looks.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_kernels::metric;

use crate::support::Boundary;
use crate::values::{Map, Table};

/// How eroded terrain looks: the deviation of its slopes over their mean.
///
/// Flat ground between steep slopes scores high, even slopes score low; heights in any unit score the same.
/// The paper's maps wrap; a map that does not should be scored `Open`.
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
#[node(category = "metrics", tiles = Global, because = "it is of all samples", paper = "Olsen 2004, Defining \
    erosion")]
#[output(score: Table, doc = "One row: mean slope, its population deviation, and score.")]
pub struct ErosionScore {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for ErosionScore {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let score = metric::erosion_score(&self.height.get(), self.boundary.into());
        Ok((Table::row(&[("mean", score.mean), ("deviation", score.deviation), ("score", score.score)]),))
    }

    /// Slopes.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        sizes.inputs[0]
    }
}
