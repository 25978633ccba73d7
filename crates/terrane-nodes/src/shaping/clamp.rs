//! Clamping of heights.

use terrane_flow::{Evaluate, Input, Invalid, Node, Pointwise};
use terrane_kernels::shape::clamped;

use crate::support::of_height;
use crate::values::Map;

/// Clamps heights to the range from `min` to `max`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "mesa": Clamp(height: "hills", min: 30.0, max: 80.0),
///     },
///     outputs: { "mesa.png": "mesa" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "limit cut cap bound floor ceiling minimum maximum plateau truncate sea",
    tiles = Pointwise, cost = Cheap, holes = Kept,
    fits(min = "{height 0.2}", max = "{height 0.8}"))]
#[output(height: Map, unit = "world units", doc = "The clamped heights.")]
pub struct Clamp {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Minimum height.
    #[param(default = 0.0, unit = "world units")]
    pub min: f64,
    /// Maximum height.
    #[param(default = 1.0, unit = "world units")]
    pub max: f64,
}

impl Evaluate for Clamp {
    fn pointwise(&self) -> Option<Pointwise> {
        Some(of_height(clamped(self.min as f32, self.max as f32)))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.min <= self.max {
            return Ok(());
        }
        let message = format!("`min` is {}, which is above `max`, {}", self.min, self.max);
        Err(Invalid { field: "min", message, help: "swap the two numbers".to_owned() })
    }
}
