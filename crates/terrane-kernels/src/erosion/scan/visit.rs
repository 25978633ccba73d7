//! The interface of visits, each to a vector of samples.

use crate::simd::Floats;

/// A visit to a vector of samples with `K` layers, the ground first. All methods must be `#[inline(always)]`.
pub trait Visit<const K: usize>: Copy + Send + Sync {
    /// The layer that moves.
    const MOVES: usize = 0;

    /// Whether the scan ends as soon as an iteration moves nothing.
    const SETTLES: bool = true;

    /// Changes the sample before it is compared.
    #[inline(always)]
    fn before<F: Floats>(&self, own: [F; K]) -> [F; K] {
        own
    }

    /// Whether differences are scaled.
    const SCALES: bool = false;

    /// The factor of the difference to a neighbour, if differences are scaled.
    #[inline(always)]
    fn scale(&self, _offset: (isize, isize)) -> f32 {
        1.0
    }

    /// The altitude of a sample, for comparison.
    fn level<F: Floats>(&self, sample: [F; K]) -> F;

    /// The amount that moves to the lowest neighbour, which lies lower by `greatest`; 0 if nothing moves.
    fn amount<F: Floats>(&self, own: [F; K], greatest: F) -> F;

    /// Changes the sample after `given` has left it.
    #[inline(always)]
    fn after<F: Floats>(&self, own: [F; K], _given: F) -> [F; K] {
        own
    }
}
