//! Parameters of noise, and the maps that drive it.

use super::fractal::Fractal;
use super::layout::Layout;
use super::smoothstep::Smoothstep;
use crate::ScalarMap;

/// The noise that octaves are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// Random slopes at lattice points, joined by a smoothstep: Perlin's noise.
    Perlin(Smoothstep),
    /// Perlin's noise with slopes of exponentially distributed lengths.
    ExponentialPerlin(Smoothstep),
    /// Bells around the corners of triangles: OpenSimplex2.
    OpenSimplex,
    /// Random heights with slopes of 0 at lattice points: D2M1N3 with zero gradient.
    ZeroGradient(Smoothstep),
    /// Random heights joined by a smoothstep along both axes.
    Value(Smoothstep),
    /// Random heights and slopes: D2M1N3.
    D2M1N3 {
        /// Maximum slope at a corner, per cell side, relative to the maximum height.
        gradient_weight: f32,
    },
    /// Random heights, slopes and mixed derivatives: bicubic Hermite.
    Hermite {
        /// Maximum derivative at a corner, per cell side, relative to the maximum height.
        gradient_weight: f32,
    },
    /// Random heights, first and second derivatives: biquintic Hermite.
    D2M2 {
        /// Maximum derivative at a corner, per cell side, relative to the maximum height.
        gradient_weight: f32,
    },
}

/// Fractal noise: octaves of a basis, each `lacunarity` times as fine as the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The noise that octaves are made of.
    pub basis: Basis,
    /// How octaves add up.
    pub fractal: Fractal,
    /// Number of octaves, 1 to [`Noise::MOST_OCTAVES`].
    pub octaves: u32,
    /// Side of the first octave's cells in world units; finite and greater than 0.
    pub wavelength: f64,
    /// How many times finer each octave is than the previous; finite and greater than 0. Below 1, octaves
    /// get coarser.
    pub lacunarity: f64,
    /// How the octaves' lattices are placed in the world.
    pub layout: Layout,
}

impl Default for Noise {
    /// Eight octaves of Perlin's noise.
    fn default() -> Self {
        Self {
            basis: Basis::Perlin(Smoothstep::CUBIC),
            fractal: Fractal::Fbm,
            octaves: 8,
            wavelength: 256.0,
            lacunarity: 2.0,
            layout: Layout::Straight,
        }
    }
}

/// Parameters that may differ from sample to sample.
#[derive(Clone, Copy, Debug)]
pub struct Drive<'a> {
    /// Amplitude of an octave relative to the previous one, clamped to [0, 4]; not-a-number counts as 0.
    pub persistence: ScalarMap<'a>,
    /// Factor on heights in [0, 1].
    pub amplitude: ScalarMap<'a>,
    /// Number that is added to heights.
    pub offset: f32,
    /// How far each sample's position is moved along x and y before noise is evaluated, in world units. A
    /// move by more than 10⁹ cells, or by not-a-number, ends at an unspecified position.
    pub warp: Option<[ScalarMap<'a>; 2]>,
    /// Positions of samples along a third axis, in world units. If they are set, the noise is noise in space.
    /// Default: noise of the plane. The lattice repeats after 2³² cells. Not-a-number and positions beyond
    /// 2³¹ cells are treated as an unspecified position.
    pub z: Option<ScalarMap<'a>>,
    /// Whether heights are first mapped from their minimum and maximum over the window to [0, 1], or to 0
    /// if all are equal. The amplitude is applied afterwards. Slopes are scaled alike.
    pub normalise: bool,
}

impl Default for Drive<'_> {
    fn default() -> Self {
        Self {
            persistence: ScalarMap::Constant(0.5),
            amplitude: ScalarMap::Constant(1.0),
            offset: 0.0,
            warp: None,
            z: None,
            normalise: false,
        }
    }
}
