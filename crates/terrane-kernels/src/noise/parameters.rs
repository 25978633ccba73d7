//! What noise is made of, and what drives it.

use super::fractal::Fractal;
use super::layout::Layout;
use super::smoothstep::Smoothstep;
use crate::ScalarMap;

/// What an octave is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// Random slopes at lattice points, joined by a smoothstep: Perlin's noise.
    Perlin(Smoothstep),
    /// The same with slopes of exponentially distributed lengths.
    ExponentialPerlin(Smoothstep),
    /// Bells around the corners of triangles: OpenSimplex2.
    OpenSimplex,
    /// Random heights, flat at the corners, least work for noise that is level there: D2M1N3 with zero
    /// gradient.
    ZeroGradient(Smoothstep),
    /// Random heights joined by a smoothstep along both axes.
    Value(Smoothstep),
    /// Random heights and slopes: D2M1N3.
    D2M1N3 {
        /// Greatest slope of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
    /// Random heights, slopes and mixed derivatives: bicubic Hermite.
    Hermite {
        /// Greatest derivative of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
    /// Random heights, first and second derivatives: biquintic Hermite.
    D2M2 {
        /// Greatest derivative of a corner, per cell side, over its greatest height.
        gradient_weight: f32,
    },
}

/// Fractal noise: octaves of a basis, each `lacunarity` times as fine as the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// What an octave is made of.
    pub basis: Basis,
    /// How octaves add up.
    pub fractal: Fractal,
    /// Number of octaves, 1 to [`Noise::MOST_OCTAVES`].
    pub octaves: u32,
    /// World units a side of the first octave's cells; finite and greater than 0.
    pub wavelength: f64,
    /// How many times finer an octave is than the one before; finite and greater than 0. Below 1 octaves get
    /// coarser.
    pub lacunarity: f64,
    /// How octaves' lattices lie in the world.
    pub layout: Layout,
}

/// What may differ from sample to sample.
#[derive(Clone, Copy, Debug)]
pub struct Drive<'a> {
    /// Amplitude of an octave over that of the one before, brought into [0, 4]; not-a-number counts as 0.
    pub persistence: ScalarMap<'a>,
    /// Factor on heights in [0, 1].
    pub amplitude: ScalarMap<'a>,
    /// Added to heights.
    pub offset: f32,
    /// How far each sample is moved along x and y before noise is read there, in world units. More than 10⁹
    /// cells, and not-a-number, move it to some place.
    pub warp: Option<[ScalarMap<'a>; 2]>,
    /// Where samples stand along a third axis, in world units: noise in space; without, noise of the plane.
    /// It repeats after 2³² cells. Not-a-number and what lies beyond 2³¹ cells is some place.
    pub z: Option<ScalarMap<'a>>,
    /// Whether heights, before the amplitude, are brought from between their lowest and their highest over
    /// the window to [0, 1]; where all are the same, to 0. Slopes change alike.
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
