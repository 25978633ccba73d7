//! Evaluation of noise at positions in a lattice.

use super::real::Depth;
use crate::simd::Floats;

/// Evaluates noise at positions in a lattice. (Copied before loops, so that none of it is reloaded after
/// each write.)
pub trait Points: Copy + Send + Sync {
    /// Selects one of several forms of the formula: loops over the common ones, 1 and 2, are compiled
    /// separately.
    fn order(&self) -> usize;

    /// The values at (x, y) inside the cells (i, j), with derivatives by the plane's coordinates in cells;
    /// `order` is [`Points::order`].
    fn at<D: Depth, F: Floats>(self, order: usize, i: (F::Bits, F), j: (F::Bits, F)) -> D::Value<F>;
}
