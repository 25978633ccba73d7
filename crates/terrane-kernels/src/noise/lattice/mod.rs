//! Noise whose value inside a lattice cell is a polynomial of what its four corners hold.
//!
//! At a fixed u, the value along v is a sum of a few terms, each a function of u and the corners times a function of v. So
//! on a regular grid the terms' factors are found once per column and cell row, those of v once per row, and a sample costs
//! as many multiply-adds as there are terms but one: 1 for `Value`, 2 for `ZeroGradient`, 3 for Perlin's and the cubics.

mod adini;
mod hermite;
mod octave;
mod perlin;
#[cfg(test)]
mod tests;
mod value;

pub use adini::Adini;
pub use hermite::{BicubicHermite, BiquinticHermite};
pub use octave::{LatticeOctave, LatticePoints};
pub use perlin::{ExponentialPerlin, Perlin, exponential_length};
pub use value::{Value, ZeroGradient};

use super::hash::{Uniform, next};
use super::real::Real;
use crate::simd::{Bits, Floats};

/// The most terms of a model.
pub const MOST_TERMS: usize = 6;

/// What the four corners hold: `[[at (0, 0), at (1, 0)], [at (0, 1), at (1, 1)]]`.
pub type Corners<C> = [[C; 2]; 2];

/// Random heights and derivatives of corners.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    height: Uniform,
    derivative: Uniform,
}

impl Draws {
    /// With derivatives, per cell side, up to `weight` times the greatest height, scaled to fill [−1, 1]: the most that
    /// heights within [−1, 1] make is `heights`, and that derivatives make `derivatives`.
    pub fn new(weight: f32, heights: f32, derivatives: f32) -> Self {
        let bound = heights + derivatives * weight;
        Self { height: Uniform::within(1.0 / bound), derivative: Uniform::within(weight / bound) }
    }

    /// Heights alone, scaled to fill [−1, 1]: the most that heights within [−1, 1] make is `heights`.
    pub const fn level(heights: f32) -> Self {
        Self { height: Uniform::within(1.0 / heights), derivative: Uniform::within(0.0) }
    }

    /// The height that some bits stand for.
    #[inline(always)]
    pub fn height<B: Bits>(self, bits: B) -> B::Floats {
        self.height.of(bits)
    }

    /// The derivatives that come after it.
    #[inline(always)]
    pub fn derivatives<const N: usize, B: Bits>(self, mut bits: B) -> [B::Floats; N] {
        let mut derivatives = [B::Floats::splat(0.0); N];
        for derivative in &mut derivatives {
            bits = next(bits);
            *derivative = self.derivative.of(bits);
        }
        derivatives
    }
}

/// How corners make the value inside a cell. Positions (u, v) lie in [0, 1); `su` and `sv` are their smoothsteps.
pub trait Model: Copy + Send + Sync {
    /// What a corner holds, for so many samples at once.
    type Corner<F: Floats>: Copy;

    /// Number of terms.
    const TERMS: usize;

    /// Whether the smoothstep enters.
    const SMOOTHED: bool;

    /// What a corner with these random bits holds.
    fn corner<F: Floats>(self, bits: F::Bits) -> Self::Corner<F>;

    /// The terms' factors at u.
    fn column<T: Real>(self, corners: Corners<Self::Corner<T::Lanes>>, u: T, su: T) -> [T; MOST_TERMS];

    /// The factors that v has in each term. The first is always 1 and is not multiplied.
    fn row<T: Real>(self, v: T, sv: T) -> [T; MOST_TERMS];
}

/// A factor that is 0.
#[inline(always)]
fn none<T: Real>() -> T {
    T::constant(0.0)
}
