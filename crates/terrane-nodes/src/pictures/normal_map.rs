//! Normal maps for materials.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::shade::normal_map;

use crate::values::{Map, Picture};

/// Direction of the green channel of a normal map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Convention {
    /// Up the picture, as in OpenGL, Unity, Godot and Blender.
    OpenGl,
    /// Down the picture, as in DirectX and Unreal.
    DirectX,
}

/// A normal map: for each sample the direction that the ground faces, as a colour for a game engine's
/// material.
///
/// The channels are the components of the normal: red to the east, green up the picture (with `DirectX`,
/// down), blue up from the ground. A component n is stored as (n + 1) / 2. Slopes are central differences, so
/// that a map's normals match those of a mesh of the same samples.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "normals": NormalMap(height: "hills"),
///     },
///     outputs: { "normals.png": "normals" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "normals material bump engine texture directions shading game",
    version = 2, tiles = Halo, holes = Kept)]
#[output(picture: Picture, doc = "The normals as colours.")]
pub struct NormalMap {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Direction of the green channel.
    #[param(default = Convention::OpenGl)]
    pub convention: Convention,
    /// Factor on heights before slopes are measured.
    #[param(default = 1.0, min = 0.0)]
    pub exaggeration: f64,
}

impl Evaluate for NormalMap {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let flipped = self.convention == Convention::DirectX;
        Ok((Picture(normal_map(&self.height.get(), self.exaggeration, flipped)),))
    }
}
