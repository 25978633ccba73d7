//! What makes noise of places in a lattice.

use super::real::Depth;
use crate::simd::Floats;

/// What makes noise of places in a lattice. (Copied before loops, so that nothing of it is read again after
/// each value written.)
pub trait Points: Copy + Send + Sync {
    /// Which of several forms the formula has: loops over the usual ones, 1 and 2, are compiled by
    /// themselves.
    fn order(&self) -> usize;

    /// The values at (x, y) inside the cells (i, j), with derivatives by the plane's coordinates in cells;
    /// `order` is [`Points::order`].
    fn at<D: Depth, F: Floats>(self, order: usize, i: (F::Bits, F), j: (F::Bits, F)) -> D::Value<F>;
}
