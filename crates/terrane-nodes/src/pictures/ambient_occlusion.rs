//! Ambient occlusion.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_kernels::render::{ambient_occlusion, occlusion_bytes};

use crate::support::{Report, cancelled, maps};
use crate::values::Map;

/// Ambient occlusion: how much of the sky's light reaches each sample, dark in valleys and at the foot of
/// cliffs.
///
/// The node finds the horizon within `radius` in `directions` evenly spaced directions. It reads the ground
/// wherever a direction crosses a line between samples. If the horizon in a direction stands at the angle α
/// above level, that direction contributes cos² α of its light. The value of open level ground and of crests
/// is 1. Used as a mask, the result finds gullies and the foot of cliffs. Used as a texture, it darkens a
/// material, or the colours of a `ColorRelief`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(fractal: Ridged, octaves: 8, wavelength: 256.0, amplitude: 250.0),
///         "sky": AmbientOcclusion(height: "hills"),
///     },
///     outputs: { "sky.png": Export(from: "sky", range: (0.0, 1.0), depth: U8) },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "ao sky shadow shade light cavity dark valleys openness",
    tiles = Halo, version = 2)]
#[output(light: Map, doc = "The share of the sky's light, in [0, 1].")]
pub struct AmbientOcclusion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Maximum distance at which ground hides the sky.
    #[param(default = 200.0, above = 0.0, unit = "world units")]
    pub radius: f64,
    /// Number of directions in which the horizon is found. More directions are smoother and slower.
    #[param(default = 16, min = 3, max = 256)]
    pub directions: u32,
    /// Factor on heights before shading.
    #[param(default = 1.0, min = 0.0)]
    pub exaggeration: f64,
}

impl Evaluate for AmbientOcclusion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let directions = self.directions as usize;
        let light =
            ambient_occlusion(&self.height.get(), directions, self.radius, self.exaggeration, &Report(cx));
        Ok((Map(light.map_err(cancelled)?),))
    }

    fn reach(&self, header: &dyn Header) -> Reach {
        let spacing = crate::terrain::Terrain::of(header).map(|terrain| terrain.domain.spacing);
        let samples = spacing.map_or(f64::INFINITY, |spacing| (self.radius / spacing).ceil() + 1.0);
        if samples < 1e9 {
            Reach::Samples(samples as u64)
        } else {
            Reach::map("`radius` reaches over the whole map")
        }
    }

    /// Memory for heights in samples, and for the crossings of directions.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let crossings = crate::terrain::Terrain::of(sizes.header).map_or(0, |terrain| {
            let reach = self.radius / terrain.domain.spacing;
            occlusion_bytes(terrain.domain.size, self.directions as usize, reach)
        });
        maps(sizes, 1.0) + crossings
    }
}
