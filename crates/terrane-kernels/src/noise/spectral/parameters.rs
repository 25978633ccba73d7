//! Parameters of spectral synthesis.

use super::super::layout::Layout;

/// How values between lattice points are interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Interpolation {
    /// Linear: fast, but shows rectangles along the axes.
    ///
    /// Heights stay in [0, 1].
    Linear,
    /// Cubic, through four points per axis: smoother, overshoots slightly.
    ///
    /// Catmull-Rom cubics. Heights overshoot to at most [-0.282, 1.282].
    Cubic,
}

/// Parameters of [`spectral_synthesis`](super::spectral_synthesis).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectral {
    /// Number of octaves.
    pub octaves: u32,
    /// Side of the first octave's cells, in world units.
    pub wavelength: f64,
    /// Amplitude of an octave relative to the previous one.
    pub persistence: f32,
    /// How values between lattice points are interpolated.
    pub interpolation: Interpolation,
    /// Placement of the octaves' lattices.
    pub layout: Layout,
}

impl Default for Spectral {
    fn default() -> Self {
        Self {
            octaves: 8,
            wavelength: 256.0,
            persistence: 0.5,
            interpolation: Interpolation::Linear,
            layout: Layout::Turned,
        }
    }
}
