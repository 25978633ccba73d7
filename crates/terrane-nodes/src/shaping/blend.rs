//! Blending of two maps by a mask.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, ScalarInput};
use terrane_kernels::ScalarMap;
use terrane_kernels::shape::{Mode, combine};

use crate::support::scalar;
use crate::values::Map;

/// Blends two terrains by a mask: `a` where the mask is 0, `b` where it is 1.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "flat": Constant(value: 40.0),
///         "low": Select(height: "hills", by: Height, range: (-100.0, 40.0), falloff: 10.0),
///         "lake": Blend(a: "hills", b: "flat", mask: "low"),
///     },
///     outputs: { "lake.png": "lake" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping", tiles = Pointwise, cost = Cheap, holes = Kept)]
#[output(height: Map, unit = "world units", doc = "The blend.")]
pub struct Blend {
    /// The terrain where the mask is 0.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The terrain where the mask is 1.
    #[input(unit = "world units")]
    pub b: Input<Map>,
    /// Share of `b`, from 0 to 1.
    #[input(default = 0.5)]
    pub mask: ScalarInput<Map>,
}

impl Evaluate for Blend {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b, mask) = (self.a.take(), self.b.get(), self.mask.get());
        Ok((Map(combine(a.0, ScalarMap::Map(&b), Mode::Lerp, scalar(&mask), 0.0)),))
    }
}
