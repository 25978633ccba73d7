//! Evaluation of noise at positions in a lattice.

use fearless_simd::prelude::*;

use super::real::{Depth, Value};

/// Evaluates noise at positions in a lattice.
///
/// Evaluators are copied before loops, so that no field is loaded again after each write.
pub trait Points: Copy + Send + Sync {
    /// Selects one of several forms of the formula. Loops over the common forms, 1 and 2, are compiled
    /// separately.
    fn order(&self) -> usize;

    /// The values at positions (x, y) inside the cells (i, j). Derivatives are with respect to the plane's
    /// coordinates in cells. `order` is [`Points::order`].
    fn at<D: Depth, S: Simd>(
        self,
        simd: S,
        order: usize,
        i: (S::u32s, S::f32s),
        j: (S::u32s, S::f32s),
    ) -> Value<D, S>;
}
