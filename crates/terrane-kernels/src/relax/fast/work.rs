//! How much of a relaxation is done.

use super::effort::Effort;
use super::level::Level;
use crate::{Cancelled, Progress};

/// How much is done of what may have to be.
pub struct Work<'a> {
    progress: &'a dyn Progress,
    /// Samples times steps.
    done: f64,
    all: f64,
}

impl<'a> Work<'a> {
    pub fn new(levels: &[Level], effort: Effort, progress: &'a dyn Progress) -> Self {
        let steps = |(coarser, level): (usize, &Level)| {
            let settling = if coarser > 0 { effort.settling_on(coarser) } else { 0 };
            level.heights.len() as f64 * (effort.on(levels, coarser) + settling) as f64
        };
        let closing = levels[0].heights.len() as f64 * effort.closing as f64;
        Self { progress, done: 0.0, all: levels.iter().enumerate().map(steps).sum::<f64>() + closing }
    }

    /// Asks whether to go on.
    pub fn look(&self) -> Result<(), Cancelled> {
        self.progress.report((self.done / self.all).min(1.0))
    }

    /// Notes a step over so many samples.
    pub fn step(&mut self, samples: usize) -> Result<(), Cancelled> {
        self.done += samples as f64;
        self.look()
    }
}

impl Progress for Work<'_> {
    /// Says how much of all is done, whatever is done of a part.
    fn report(&self, _fraction: f64) -> Result<(), Cancelled> {
        self.look()
    }
}
