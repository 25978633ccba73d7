//! A map with the same height everywhere.

use terrane_flow::{Context, Evaluate, Node, NodeError};
use terrane_grid::Heightmap;

use crate::support::domain;
use crate::values::Map;

/// A map with the same height everywhere.
///
/// Use it as a plain to build on, or as a mask that selects everything. Scalar ports accept a number
/// directly; this node is for ports that accept only maps.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "plain": Constant(value: 12.5),
///         "hills": MidpointDisplacement(amplitude: 30.0),
///         "both": Combine(a: "plain", b: "hills", mode: Max),
///     },
///     outputs: { "both.png": "both" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "flat plane uniform number level value base sea plain",
    tiles = Pointwise, cost = Cheap, header)]
#[output(height: Map, unit = "world units", doc = "The height at every sample.")]
pub struct Constant {
    /// The height.
    #[param(default = 0.0, unit = "world units")]
    pub value: f64,
}

impl Evaluate for Constant {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Map(Heightmap::constant(domain(cx), self.value as f32)),))
    }
}
