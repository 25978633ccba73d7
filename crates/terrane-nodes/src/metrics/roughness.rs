//! Roughness of ground.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach};
use terrane_kernels::Boundary;
use terrane_kernels::metric::{roughness_map, roughness_with_holes};

use crate::reaches::unless_wrapped;
use crate::values::Map;

/// The roughness of each sample: the square root of the sum of the squared slopes to its eight neighbours.
///
/// Slopes are differences in height divided by one spacing, even along diagonals. `SubdividePath` keeps this
/// quantity where ground beside paths and borders must stay as rough as it was. To obtain a different
/// roughness, modify this map and connect it to the port `roughness` of `SubdividePath`. On an open border
/// only the neighbours on the map count.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "rough": Roughness(height: "hills"),
///     },
///     outputs: { "rough.png": "rough" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "rugged ruggedness tri bumpy texture variation uneven",
    tiles = Halo, paper = "Velzel, equation (7); Riley, DeGloria & Elliot 1999",
    holes = Kept)]
#[output(roughness: Map, unit = "rise over run", doc = "The roughness.")]
pub struct Roughness {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Roughness {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let roughness = if cx.has_holes() { roughness_with_holes } else { roughness_map };
        Ok((Map(roughness(&self.height.get(), self.boundary)),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        unless_wrapped(self.boundary, Reach::Samples(1))
    }
}
