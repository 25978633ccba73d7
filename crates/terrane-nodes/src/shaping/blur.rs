//! Gaussian blur.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_kernels::Boundary;
use terrane_kernels::shape::{blur, blur_reach, blur_with_holes};

use crate::reaches::unless_wrapped;
use crate::terrain::Terrain;
use crate::values::Map;

/// Smooths terrain with a Gaussian filter whose standard deviation is half of `radius`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "soft": Blur(height: "hills", radius: 24.0),
///     },
///     outputs: { "soft.png": "soft" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "smooth soften gaussian lowpass low pass filter denoise average remove bumps",
    tiles = Halo, working_maps = 1.0, holes = Kept,
    fits(radius = "{side 0.01}"))]
#[output(height: Map, unit = "world units", doc = "The smoothed terrain.")]
pub struct Blur {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Radius of the filter, twice its standard deviation.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub radius: f64,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Blur {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let extent = height.domain().extent();
        let largest = 2.0 * extent.0.max(extent.1);
        if self.radius > largest.max(height.spacing()) {
            let message = format!("`radius` is {}, more than twice the map's extent", self.radius);
            return Err(NodeError::failed(message, format!("use at most {largest}")));
        }
        let blurred = if cx.has_holes() { blur_with_holes } else { blur };
        Ok((Map(blurred(&height, self.radius, self.boundary)),))
    }

    /// Memory for the shares of what is there and of what is missing, and for a map without holes.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if sizes.holes { 4 * sizes.inputs[0] } else { 0 }
    }

    fn reach(&self, header: &dyn Header) -> Reach {
        let spacing = Terrain::of(header).map_or(1.0, |terrain| terrain.domain.spacing);
        unless_wrapped(self.boundary, Reach::Samples(blur_reach(self.radius, spacing) as u64))
    }
}
