//! Resampling of maps.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_grid::Domain;
use terrane_kernels::shape::{Filter, resample};

use crate::support::{domain, map_bytes};
use crate::values::Map;

/// Resamples a map: reads its heights at the world positions of other samples.
///
/// By default the new samples are the graph's, which makes maps of different sizes compatible. With `size`,
/// the first and the last column stay in place. Rows are as far apart as columns, so a map of other
/// proportions ends farther north or south. Positions outside the map get the height of its border.
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
#[node(category = "shaping",
    words = "resize resolution upscale downscale size interpolate bigger smaller coarser finer spacing \
        samples",
    tiles = Halo, header, holes = Own)]
#[output(height: Map, unit = "world units", doc = "The resampled map.")]
pub struct Resample {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Columns and rows of the result. Default: the graph's samples.
    #[param(default = None, min = 1, max = 46340)]
    pub size: Option<(u32, u32)>,
    /// Interpolation between samples.
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
        Ok((Map(resample(&height, target, self.filter)),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        // Without `size`, a map that already has the graph's samples does not change.
        if self.size.is_none() {
            Reach::Samples(1)
        } else {
            Reach::map("with `size` the result's samples differ from the graph's")
        }
    }

    fn output_bytes(&self, output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        self.size.filter(|_| output == Self::HEIGHT).map(|(w, h)| map_bytes(w.into(), h.into()))
    }
}
