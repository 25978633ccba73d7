//! Loops in chunks, between which they check for cancellation.

use crate::parallel;
use crate::progress::{Alive, CHECK_INTERVAL, Cancelled};

/// Divides all indices into chunks. A loop can check for cancellation between two chunks.
pub fn chunks(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(CHECK_INTERVAL).map(move |start| start..(start + CHECK_INTERVAL).min(count))
}

/// Computes `f` of every index, with regular checks for cancellation.
pub fn each<T: Copy + Default + Send>(
    count: usize,
    alive: &Alive<'_>,
    f: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Cancelled> {
    let mut all = vec![T::default(); count];
    parallel::try_for_each(parallel::slices(&mut all, CHECK_INTERVAL), 1, |chunk, all| {
        alive()?;
        all.iter_mut().enumerate().for_each(|(index, value)| *value = f(chunk * CHECK_INTERVAL + index));
        Ok(())
    })?;
    Ok(all)
}
