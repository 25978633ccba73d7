//! What happens to samples that are visited side by side.

use crate::simd::Floats;

/// What a visit does to samples side by side, which have `K` layers, the ground first. All that is given here
/// must be `#[inline(always)]`.
pub trait Visit<const K: usize>: Copy + Send + Sync {
    /// The layer of which some moves.
    const MOVES: usize = 0;

    /// Whether all is over once nothing has moved in an iteration.
    const SETTLES: bool = true;

    /// What happens to the sample before it is compared.
    #[inline(always)]
    fn before<F: Floats>(&self, own: [F; K]) -> [F; K] {
        own
    }

    /// Whether differences are scaled.
    const SCALES: bool = false;

    /// What the difference to a neighbour is multiplied by, where they are scaled.
    #[inline(always)]
    fn scale(&self, _offset: (isize, isize)) -> f32 {
        1.0
    }

    /// How high a sample stands.
    fn level<F: Floats>(&self, sample: [F; K]) -> F;

    /// What moves to the neighbour that lies furthest below, by `greatest`; 0 if nothing does.
    fn amount<F: Floats>(&self, own: [F; K], greatest: F) -> F;

    /// What happens to the sample after it has given, and how much that was.
    #[inline(always)]
    fn after<F: Floats>(&self, own: [F; K], _given: F) -> [F; K] {
        own
    }
}
