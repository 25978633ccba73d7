//! A map brought to the graph's samples.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_grid::Domain;
use terrane_kernels::shape;

use crate::support::{choice, domain, map_bytes};
use crate::values::Map;

choice! {
    /// How values between samples are found.
    Filter => shape::Filter {
        /// The nearest sample.
        Nearest,
        /// Straight lines between the four around.
        Bilinear,
        /// Cubics through the sixteen around.
        Bicubic,
        /// The mean over the new sample's cell, for fewer samples than before.
        Area,
    }
}

/// A map on other samples, by world position; outside of the map is its border.
///
/// Without `size` the samples are the graph's, which brings any map to a size that others have. With a size,
/// the map's extent is kept.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "coarse": Resample(height: "hills", size: (17, 17), filter: Area),
///         "back": Resample(height: "coarse", filter: Bicubic),
///     },
///     outputs: { "smooth.png": "back" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping", tiles = Halo, header)]
#[output(height: Map, unit = "world units", doc = "The map on its new samples.")]
pub struct Resample {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Columns and rows; without, the graph's samples.
    #[param(default = None, min = 1, max = 46340)]
    pub size: Option<(u32, u32)>,
    /// Between samples.
    #[param(default = Filter::Bilinear)]
    pub filter: Filter,
}

impl Evaluate for Resample {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let target: Domain = match self.size {
            None => domain(cx),
            Some((w, h)) => height.domain().resized((w as usize, h as usize)),
        };
        Ok((Map(shape::resample(&height, target, self.filter.into())),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        // Over the graph's own samples nothing changes.
        if self.size.is_none() {
            Reach::Samples(1)
        } else {
            Reach::map("`size` gives it other samples than the graph has")
        }
    }

    fn output_bytes(&self, output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        self.size.filter(|_| output == Self::HEIGHT).map(|(w, h)| map_bytes(w.into(), h.into()))
    }
}
