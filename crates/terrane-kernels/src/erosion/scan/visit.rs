//! The interface of visits, each to a vector of samples.

use fearless_simd::prelude::*;

/// A visit to a vector of samples with `K` layers, the ground first. All methods must be `#[inline(always)]`.
pub trait Visit<const K: usize>: Copy + Send + Sync {
    /// The layer that moves.
    const MOVES: usize = 0;

    /// Whether the scan ends as soon as an iteration moves nothing.
    const SETTLES: bool = true;

    /// Changes the sample before it is compared.
    #[inline(always)]
    fn before<S: Simd>(&self, _simd: S, own: [S::f32s; K]) -> [S::f32s; K] {
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
    fn level<S: Simd>(&self, simd: S, sample: [S::f32s; K]) -> S::f32s;

    /// The amount that moves to the lowest neighbour, which lies lower by `greatest`; 0 if nothing moves.
    fn amount<S: Simd>(&self, simd: S, own: [S::f32s; K], greatest: S::f32s) -> S::f32s;

    /// Changes the sample after `given` has left it.
    #[inline(always)]
    fn after<S: Simd>(&self, _simd: S, own: [S::f32s; K], _given: S::f32s) -> [S::f32s; K] {
        own
    }
}
