//! Translation, rotation and scaling of maps.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_kernels::shape;

use crate::values::Map;

/// Heights outside the transformed map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Outside {
    /// The height of the nearest border sample.
    Clamp,
    /// The map, repeated.
    Wrap,
    /// The map, mirrored at its border.
    Mirror,
    /// The height `value`.
    Value,
}

/// Translates, rotates and scales the terrain within a map, whose own position and size do not change.
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
#[node(category = "shaping",
    words = "move rotate scale translate shift turn zoom offset mirror",
    tiles = Global, because = "heights move across the map", holes = Own)]
#[output(height: Map, unit = "world units", doc = "The transformed terrain.")]
pub struct Transform {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Translation along x and y.
    #[param(default = (0.0, 0.0), unit = "world units")]
    pub translate: (f64, f64),
    /// Clockwise rotation about the centre of the map.
    #[param(default = 0.0, unit = "degrees")]
    pub rotate: f64,
    /// Scale factor about the centre of the map; a negative factor mirrors.
    #[param(default = 1.0)]
    pub scale: f64,
    /// Heights outside the transformed map.
    #[param(default = Outside::Clamp)]
    pub outside: Outside,
    /// Height outside the transformed map with `outside: Value`.
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
        let message = format!("`scale` is {}, which leaves nothing of the map", self.scale);
        Err(Invalid { field: "scale", message, help: "use a factor such as 0.5 or 2.0".to_owned() })
    }
}
