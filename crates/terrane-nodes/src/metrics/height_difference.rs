//! Differences of maps.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::metric;

use crate::values::{Map, Table};

/// The difference of two maps, sample by sample and in summary.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "soft": Blur(height: "hills", radius: 30.0),
///         "lost": HeightDifference(a: "hills", b: "soft"),
///     },
///     outputs: { "lost.json": "lost.summary", "lost.png": "lost" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "compare change subtract delta error rmse before after diff",
    tiles = Pointwise, holes = Kept)]
#[output(difference: Map, unit = "world units", doc = "Heights of `b` minus those of `a`.")]
#[output(summary: Table, unit = "world units", doc = "One row: mean and max of the absolute difference, and \
    root_mean_square.")]
pub struct HeightDifference {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain.
    #[input(unit = "world units")]
    pub b: Input<Map>,
}

impl Evaluate for HeightDifference {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b) = (self.a.get(), self.b.get());
        let d = metric::height_difference(&a, &b);
        let summary =
            Table::row(&[("mean", d.mean), ("max", d.max), ("root_mean_square", d.root_mean_square)]);
        Ok((Map(d.map), summary))
    }
}
