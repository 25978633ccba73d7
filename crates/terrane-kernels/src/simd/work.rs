//! What is compiled for each level of vectors.

/// An inner loop. Its `run` must be `#[inline(always)]`, and so all that it calls, to be compiled for each
/// level.
pub trait Work {
    /// What it gives.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}
