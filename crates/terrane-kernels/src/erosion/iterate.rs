//! The common driver of erosion schemes: iterations, progress and cancellation.

use std::num::NonZeroU32;

use terrane_grid::Grid;

use crate::{Cancelled, Progress};

/// Receives the share of iterations that are done; callable from any thread.
pub type Report<'a> = dyn Fn(f64) -> Result<(), Cancelled> + Sync + 'a;

/// A callback that runs after every `every` iterations. Its arguments are the number of the last iteration
/// (counted from 1) and the current heights.
pub struct Observer<'a> {
    /// Iterations between two calls; more than 0.
    pub every: NonZeroU32,
    /// The callback.
    pub told: &'a mut dyn FnMut(u32, Grid<f32>),
}

/// An erosion scheme with its state.
pub trait Iterate {
    /// Runs some iterations and reports the share that is done. Ends early after an iteration that moves
    /// nothing. Returns whether the last iteration moved anything.
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled>;

    /// The current map.
    fn grid(&self) -> Grid<f32>;
}

/// Runs a scheme's iterations. Stops early after an iteration that changes nothing.
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
