//! What the schemes of erosion have in common: iterations, told of and stopped.

use std::num::NonZeroU32;

use terrane_grid::Grid;

use crate::{Cancelled, Progress};

/// Told which share of the iterations is done; any thread may tell.
pub type Report<'a> = dyn Fn(f64) -> Result<(), Cancelled> + Sync + 'a;

/// Told after every so many iterations: the number of the last, from 1, and the heights then.
pub struct Observer<'a> {
    /// Iterations between two calls; more than 0.
    pub every: NonZeroU32,
    /// Told.
    pub told: &'a mut dyn FnMut(u32, Grid<f32>),
}

/// A scheme at work on a map.
pub trait Iterate {
    /// Runs some iterations, and tells which share of them is done; whether the last of them moved anything.
    /// Ends early when one does not.
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled>;

    /// The map as it is now.
    fn grid(&self) -> Grid<f32>;
}

/// Runs a scheme's iterations, or fewer where one changes nothing.
pub fn iterate(
    scheme: &mut dyn Iterate,
    iterations: u32,
    progress: &dyn Progress,
    mut observer: Option<Observer<'_>>,
) -> Result<(), Cancelled> {
    let (all, mut done) = (iterations, 0);
    let mut moving = true;
    while moving && done < all {
        let next = observer.as_ref().map_or(all - done, |o| o.every.get().min(all - done));
        let report = |part: f64| progress.report((f64::from(done) + part * f64::from(next)) / f64::from(all));
        moving = scheme.advance(next, &report)?;
        done += next;
        if let Some(observer) = &mut observer {
            (observer.told)(done, scheme.grid());
        }
    }
    Ok(())
}
