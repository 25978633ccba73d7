//! Progress of a fast relaxation.

use super::effort::Effort;
use super::level::Level;
use crate::{Cancelled, Progress};

/// The work done, relative to the maximum.
pub struct Work<'a> {
    progress: &'a dyn Progress,
    /// Samples times steps.
    done: f64,
    all: f64,
}

impl<'a> Work<'a> {
    pub fn new(levels: &[Level], (effort, samples): (Effort, usize), progress: &'a dyn Progress) -> Self {
        let steps = |(coarser, level): (usize, &Level)| {
            let settling = if coarser > 0 { effort.settling_on(coarser) } else { 0 };
            level.heights.len() as f64 * (effort.on(samples, coarser) + settling) as f64
        };
        let closing = levels[0].heights.len() as f64 * effort.closing as f64;
        Self { progress, done: 0.0, all: levels.iter().enumerate().map(steps).sum::<f64>() + closing }
    }

    /// Records a step over a number of samples.
    pub fn step(&mut self, samples: usize) -> Result<(), Cancelled> {
        self.done += samples as f64;
        self.report(1.0)
    }
}

impl Progress for Work<'_> {
    /// Reports the progress of the whole, whatever the fraction of a part.
    fn report(&self, _fraction: f64) -> Result<(), Cancelled> {
        self.progress.report((self.done / self.all).min(1.0))
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.progress.check()
    }
}
