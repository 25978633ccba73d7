//! Terracing.

use terrane_flow::{Evaluate, Input, Node, Pointwise};
use terrane_kernels::shape::terraced;

use crate::support::of_height;
use crate::values::Map;

/// Terraces slopes into steps.
///
/// Heights at `offset` plus a multiple of `step` do not change.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "steps": Terrace(height: "hills", step: 15.0, sharpness: 0.8),
///     },
///     outputs: { "steps.png": "steps" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "steps mesa canyon strata layers plateaus stairs stepped bench rice cliffs",
    tiles = Pointwise, cost = Cheap, holes = Kept,
    fits(step = "{rise 0.1}"))]
#[output(height: Map, unit = "world units", doc = "The terraced terrain.")]
pub struct Terrace {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Height of a step.
    #[param(default = 10.0, above = 0.0, unit = "world units")]
    pub step: f64,
    /// Sharpness of the steps: 0 leaves slopes unchanged, 1 produces flat treads and steep risers.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub sharpness: f64,
    /// Height of one of the steps, from which the others are counted.
    #[param(default = 0.0, unit = "world units")]
    pub offset: f64,
}

impl Evaluate for Terrace {
    fn pointwise(&self) -> Option<Pointwise> {
        Some(of_height(terraced(self.step as f32, self.sharpness as f32, self.offset as f32)).passing_on())
    }
}
