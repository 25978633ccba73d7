//! A map moved, turned and scaled.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_kernels::shape;

use crate::values::Map;

/// What is seen where the moved map does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Outside {
    /// The nearest border.
    Clamp,
    /// The map again.
    Wrap,
    /// The map mirrored at its border.
    Mirror,
    /// The height `value`.
    Value,
}

/// What a map shows, moved, turned and scaled; the map itself stays in its place.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "turned": Transform(height: "hills", rotate: 30.0, scale: 1.5, outside: Mirror),
///     },
///     outputs: { "turned.png": "turned" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping", tiles = Global, because = "it moves samples across the map")]
#[output(height: Map, unit = "world units", doc = "The moved terrain.")]
pub struct Transform {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Distance along x and y.
    #[param(default = (0.0, 0.0), unit = "world units")]
    pub translate: (f64, f64),
    /// Turn about the middle of the map, clockwise.
    #[param(default = 0.0, unit = "degrees")]
    pub rotate: f64,
    /// Factor of size about the middle of the map; negative mirrors.
    #[param(default = 1.0)]
    pub scale: f64,
    /// Where the moved map does not reach.
    #[param(default = Outside::Clamp)]
    pub outside: Outside,
    /// Height of the outside, with `Value`.
    #[param(default = 0.0, unit = "world units")]
    pub value: f64,
}

impl Evaluate for Transform {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let outside = match self.outside {
            Outside::Clamp => shape::Outside::Clamp,
            Outside::Wrap => shape::Outside::Wrap,
            Outside::Mirror => shape::Outside::Mirror,
            Outside::Value => shape::Outside::Value(self.value as f32),
        };
        let transform =
            shape::Transform { translate: self.translate, rotate: self.rotate, scale: self.scale, outside };
        Ok((Map(shape::transform(&self.height.get(), &transform)),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.scale.abs() >= 1e-6 {
            return Ok(());
        }
        let message = format!("`scale` is {}: nothing would be left", self.scale);
        Err(Invalid { field: "scale", message, help: "take a factor such as 0.5 or 2.0".to_owned() })
    }
}
