//! Blending of two maps by a mask.

use terrane_flow::{Evaluate, Input, Node, Pointwise, ScalarInput};
use terrane_kernels::shape::Mode;

use super::combine::combination;
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
#[node(category = "shaping",
    words = "mix lerp interpolate merge crossfade mask transition layer combine alpha",
    tiles = Pointwise, cost = Cheap, holes = Kept)]
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
    fn pointwise(&self) -> Option<Pointwise> {
        Some(combination(Mode::Lerp, 0.0, &self.mask))
    }
}
