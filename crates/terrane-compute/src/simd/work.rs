//! Loops that are compiled for each SIMD level.

/// An inner loop. Its `run` and all that it calls must be `#[inline(always)]`, so that they are compiled for
/// each level.
pub trait Work {
    /// The result.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}
