//! Loops compiled for each level of vectors.

use std::marker::PhantomData;

use super::lanes::{Floats, LaneWork};

/// An inner loop. Its `run` must be `#[inline(always)]`, and so all that it calls, to be compiled for each level.
pub trait Work {
    /// What it gives.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

// Functions of their own, so that a loop which several others enter is compiled once.

#[inline(never)]
pub fn baseline<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2")]
pub fn avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2")]
pub fn avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

/// A loop with the numbers that it shall use.
pub struct InLanes<W, F>(W, PhantomData<F>);

impl<W, F> InLanes<W, F> {
    pub fn new(work: W) -> Self {
        Self(work, PhantomData)
    }
}

impl<W: LaneWork, F: Floats> Work for InLanes<W, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.run::<F>();
    }
}
