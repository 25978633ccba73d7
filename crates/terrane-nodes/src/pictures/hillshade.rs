//! Hillshades.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::shade::{Light, hillshade, hillshade_with_holes};

use crate::values::Map;

/// A hillshade: how brightly a distant light falls on each sample.
///
/// The brightness is the cosine of the angle between the direction to the light and the ground's normal. The
/// normal follows from slopes over 3 x 3 samples (Horn 1981). The brightness of flat ground is the sine of
/// `altitude`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "shade": Hillshade(height: "hills"),
///     },
///     outputs: { "shade.png": Export(from: "shade", range: (0.0, 1.0), depth: U8) },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "shading light relief lamp sun shadow grey shaded illumination",
    tiles = Halo, holes = Kept)]
#[output(shade: Map, doc = "Brightness in [0, 1].")]
pub struct Hillshade {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Direction that the light comes from, clockwise from north, which is up on a map.
    #[param(default = 315.0, unit = "degrees")]
    pub azimuth: f64,
    /// Angle of the light above the horizon.
    #[param(default = 45.0, min = 0.0, max = 90.0, unit = "degrees")]
    pub altitude: f64,
    /// Factor on heights before shading.
    #[param(default = 1.0, min = 0.0)]
    pub exaggeration: f64,
    /// Whether to add three weaker lights from other sides, so that no slope is black.
    #[param(default = false)]
    pub multidirectional: bool,
}

impl Evaluate for Hillshade {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let light = Light {
            azimuth: self.azimuth,
            altitude: self.altitude,
            exaggeration: self.exaggeration,
            multidirectional: self.multidirectional,
        };
        let shaded = if cx.has_holes() { hillshade_with_holes } else { hillshade };
        Ok((Map(shaded(&self.height.get(), &light)),))
    }
}
