//! How the four corners of a cell determine the value inside it.

use fearless_simd::prelude::*;

use crate::noise::real::Real;

/// The maximum number of terms of a model.
pub const MOST_TERMS: usize = 6;

/// The values of the four corners: `[[at (0, 0), at (1, 0)], [at (0, 1), at (1, 1)]]`.
pub type Corners<C> = [[C; 2]; 2];

/// How corners determine the value inside a cell. Positions (u, v) lie in [0, 1); `su` and `sv` are their
/// smoothsteps.
pub trait Model: Copy + Send + Sync {
    /// A corner's values, for a vector of samples.
    type Corner<S: Simd>: Copy;

    /// Number of terms.
    const TERMS: usize;

    /// Whether the model uses the smoothstep.
    const SMOOTHED: bool;

    /// A corner's values from its random bits.
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> Self::Corner<S>;

    /// The factors that depend on u and the corners, one per term.
    fn column<S: Simd, T: Real<S>>(self, corners: Corners<Self::Corner<S>>, u: T, su: T) -> [T; MOST_TERMS];

    /// The factors that depend on v, one per term. The first factor is always 1, so it is not multiplied.
    fn row<S: Simd, T: Real<S>>(self, v: T, sv: T) -> [T; MOST_TERMS];
}

/// A model's terms, and factors of 0 for the terms that it does not have.
#[inline(always)]
pub fn terms<S: Simd, T: Real<S>, const N: usize>(terms: [T; N]) -> [T; MOST_TERMS] {
    let mut all = [T::constant(terms[0].simd(), 0.0); MOST_TERMS];
    all[..N].copy_from_slice(&terms);
    all
}
