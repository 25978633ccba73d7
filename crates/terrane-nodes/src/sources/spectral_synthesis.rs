//! Spectral synthesis: octaves of lattice noise.

use terrane_flow::{Context, Evaluate, Header, Invalid, Node, NodeError, Reach, Sizes};
use terrane_kernels::noise::{Interpolation, Spectral, spectral_synthesis};

use super::noise::{check_rotation, layout};
use crate::reaches::REPEATS;
use crate::support::{Report, cancelled, domain, forecast_domain, scale, seed};
use crate::values::Map;

/// Spectral synthesis: fractal noise as a sum of octaves of interpolated random values.
///
/// Octave `i` has cells of `wavelength / 2^i` and amplitude `persistence^i`. The sum is divided by the sum of
/// amplitudes, so that before `amplitude` and `offset` heights lie within [0, 1] with `Linear`, and within
/// [-0.282, 1.282] with `Cubic`. Heights do not fill that range. The table shows the lowest and the highest
/// sample of a map with default parameters and eight wavelengths per side: the mean over 20 maps and, in
/// brackets, their extremes.
///
/// | interpolation | `Linear` | `Cubic` |
/// |---|---|---|
/// | reached | 0.15 to 0.84 (0.09 to 0.87) | 0.09 to 0.90 (-0.00 to 0.95) |
///
/// Unless `wrap` is set, heights depend only on the world position and the seed, so patches meet exactly.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "noise": SpectralSynthesis(octaves: 6, wavelength: 256.0, interpolation: Cubic, amplitude: 100.0),
///     },
///     outputs: { "noise.png": "noise" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "random heights hills mountains terrain generate create landscape fbm fractal value noise",
    tiles = Pointwise, version = 2, paper = "Olsen 2004, Spectral \
    synthesis", header, suits(wavelength = 0.25, amplitude = 0.125),
    main(wavelength, amplitude, offset, octaves, persistence, seed))]
#[output(height: Map, unit = "world units", doc = "The noise.")]
pub struct SpectralSynthesis {
    /// Number of octaves.
    #[param(default = 8, min = 1, max = 32)]
    pub octaves: u32,
    /// Side of the first octave's cells.
    #[param(default = 256.0, above = 0.0, unit = "world units")]
    pub wavelength: f64,
    /// Amplitude of an octave relative to the previous one.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub persistence: f64,
    /// Interpolation between lattice points.
    #[param(default = Interpolation::Linear)]
    pub interpolation: Interpolation,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Factor that scales heights from [0, 1].
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Height added to the result.
    #[param(default = 0.0, unit = "world units")]
    pub offset: f64,
    /// Whether to turn each octave's lattice about the world's origin by a different angle, so that neither
    /// axes nor cells are visible. Cannot be combined with `wrap`. Default: true unless `wrap` is set. The
    /// paper's octaves are not rotated.
    #[param(default = None)]
    pub rotate: Option<bool>,
    /// Whether the map tiles with itself. The cells of each octave are stretched so that a whole number of
    /// them fits the map's width and its height. The column after the last would equal the first column, and
    /// the row after the last the first row. Patches of a world then do not meet.
    #[param(default = false)]
    pub wrap: bool,
}

impl Evaluate for SpectralSynthesis {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let parameters = Spectral {
            octaves: self.octaves,
            wavelength: self.wavelength,
            persistence: self.persistence as f32,
            interpolation: self.interpolation,
            layout: layout(self.rotate.unwrap_or(true), self.wrap),
        };
        let noise = spectral_synthesis(&domain(cx), seed(cx, self.seed), &parameters, &Report(cx));
        Ok((Map(scale(noise.map_err(cancelled)?, self.amplitude, self.offset)),))
    }

    fn check(&self) -> Result<(), Invalid> {
        check_rotation(self.rotate, self.wrap)
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.wrap { Reach::map(REPEATS) } else { Reach::Samples(0) }
    }

    /// Memory for the columns of each octave, and for the lattice rows of each thread. The factor is
    /// measured.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let columns = forecast_domain(sizes).map_or(0, |domain| domain.width() as u64);
        90 * columns * (u64::from(self.octaves) + sizes.threads as u64)
    }
}
