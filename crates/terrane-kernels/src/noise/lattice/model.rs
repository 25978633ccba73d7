//! How the four corners of a cell make the value inside it.

use crate::noise::real::Real;
use crate::simd::Floats;

/// The most terms of a model.
pub const MOST_TERMS: usize = 6;

/// What the four corners hold: `[[at (0, 0), at (1, 0)], [at (0, 1), at (1, 1)]]`.
pub type Corners<C> = [[C; 2]; 2];

/// How corners make the value inside a cell. Positions (u, v) lie in [0, 1); `su` and `sv` are their
/// smoothsteps.
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
pub fn none<T: Real>() -> T {
    T::constant(0.0)
}
