//! How the four corners of a cell determine the value inside it.

use crate::noise::real::Real;
use crate::simd::Floats;

/// The maximum number of terms of a model.
pub const MOST_TERMS: usize = 6;

/// The values of the four corners: `[[at (0, 0), at (1, 0)], [at (0, 1), at (1, 1)]]`.
pub type Corners<C> = [[C; 2]; 2];

/// How corners determine the value inside a cell. Positions (u, v) lie in [0, 1); `su` and `sv` are their
/// smoothsteps.
pub trait Model: Copy + Send + Sync {
    /// A corner's values, for a vector of samples.
    type Corner<F: Floats>: Copy;

    /// Number of terms.
    const TERMS: usize;

    /// Whether the model uses the smoothstep.
    const SMOOTHED: bool;

    /// A corner's values from its random bits.
    fn corner<F: Floats>(self, bits: F::Bits) -> Self::Corner<F>;

    /// The factors that depend on u and the corners, one per term.
    fn column<T: Real>(self, corners: Corners<Self::Corner<T::Lanes>>, u: T, su: T) -> [T; MOST_TERMS];

    /// The factors that depend on v, one per term. The first factor is always 1, so it is not multiplied.
    fn row<T: Real>(self, v: T, sv: T) -> [T; MOST_TERMS];
}

/// A factor of 0, for terms that a model does not have.
#[inline(always)]
pub fn none<T: Real>() -> T {
    T::constant(0.0)
}
