//! Animations of changing terrain.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput, Sizes};
use terrane_kernels::metric::statistics;
use terrane_kernels::shade::{Light, Ramp, color_relief, hillshade};

use super::color_relief::stops;
use crate::support::maps;
use crate::values::{Animation, Frames, Gradient};

/// An animation of changing terrain: a relief picture of each frame, with the same colours for the same
/// heights.
///
/// Write it to a `.gif` file.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0, offset: -40.0),
///         "rivers": FluvialErosion(
///             height: "hills",
///             gradient_strength: 0.02,
///             iterations: 50,
///             history_every: 5,
///         ),
///         "film": Animate(frames: "rivers.frames"),
///     },
///     outputs: { "film.gif": "film" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "animation gif film movie video frames time history evolution",
    tiles = Global, because = "each frame shows the whole map", version = 3)]
#[output(animation: Animation, doc = "The animation.")]
pub struct Animate {
    /// Maps of the changing terrain, such as the output `frames` of an erosion node.
    #[input(unit = "world units")]
    pub frames: Input<Frames>,
    /// Colours to use instead of `ramp`.
    #[input]
    pub gradient: OptionalInput<Gradient>,
    /// How long a frame is shown. The last frame is shown ten times as long.
    #[param(default = 100, min = 20, max = 60_000, unit = "milliseconds")]
    pub milliseconds: u32,
    /// The colours.
    #[param(default = Ramp::Earth)]
    pub ramp: Ramp,
    /// Direction that the light comes from, clockwise from north, which is up on a map.
    #[param(default = 315.0, unit = "degrees")]
    pub azimuth: f64,
    /// Angle of the light above the horizon.
    #[param(default = 45.0, min = 0.0, max = 90.0, unit = "degrees")]
    pub altitude: f64,
    /// Factor on heights before shading.
    #[param(default = 1.0, min = 0.0)]
    pub exaggeration: f64,
    /// Strength of the shading.
    #[param(default = 0.8, min = 0.0, max = 1.0)]
    pub shading: f64,
}

impl Evaluate for Animate {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let frames = &self.frames.get().0;
        let light = Light {
            azimuth: self.azimuth,
            altitude: self.altitude,
            exaggeration: self.exaggeration,
            multidirectional: false,
        };
        let stops = stops(self.gradient.get().as_deref(), self.ramp)?;
        let (low, high) = frames
            .iter()
            .map(|map| statistics(map))
            .fold((f64::MAX, f64::MIN), |(low, high), s| (low.min(s.min), high.max(s.max)));
        let mut pictures = Vec::with_capacity(frames.len());
        for (index, map) in frames.iter().enumerate() {
            cx.progress(index as f64 / frames.len() as f64)?;
            let shade = hillshade(map, &light);
            let range = (low as f32, high as f32);
            pictures.push(color_relief(map, &stops, range, Some((&shade, self.shading as f32))));
        }
        Ok((Animation { pictures, milliseconds: self.milliseconds },))
    }

    /// Memory for a hillshade.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        maps(sizes, 1.1)
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::ANIMATION).then(|| sizes.inputs[0] / 4 * 3)
    }
}
