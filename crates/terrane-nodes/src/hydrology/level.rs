//! Levels of water from maps.

use terrane_flow::{Context, Evaluate, Node, NodeError, Scalar, ScalarInput};
use terrane_grid::Heightmap;

use crate::support::domain;
use crate::values::{Levels, Map};

/// The level of water, from a map of its height or a number.
///
/// A map from a file, or that other nodes made, is a plain map of heights. This node says that it is the
/// surface of water. It is dry where the map has a hole. Where the ground is higher than the level, nodes
/// that draw water leave it dry, so a number puts all lower ground under water.
///
/// To read the level of a lake that was written to a file, import it without filling its holes: `Import(file:
/// "lake.tif", voids: Keep)`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "tide": Level(surface: 60.0),
///         "relief": ColorRelief(height: "hills", water: "tide"),
///     },
///     outputs: { "relief.png": "relief" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "water surface sea lake height elevation ocean",
    tiles = Pointwise, header, holes = Own)]
#[output(level: Levels, unit = "world units", doc = "Height of the water's surface; dry elsewhere.")]
pub struct Level {
    /// Height of the water's surface. Holes are dry.
    #[input(unit = "world units")]
    pub surface: ScalarInput<Map>,
}

impl Evaluate for Level {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let surface = match self.surface.get() {
            Scalar::Map(map) => map.0.clone(),
            Scalar::Constant(level) => Heightmap::constant(domain(cx), level as f32),
        };
        Ok((Levels::new(surface),))
    }
}
