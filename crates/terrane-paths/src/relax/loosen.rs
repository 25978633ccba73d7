//! Relaxation that drops conflicting bounds until the rest can be met (Velzel, section 6.1).

use super::bounds::{Given, bounds_to_round};
use super::field::Field;
use super::parameters::Relaxation;
use super::solve::{Outcome, Relaxed, relax};
use crate::path::Subdivision;
use crate::{Cancelled, Progress};

/// Like [`relax`], with the bounds of a subdivision. But where bounds conflict, some are dropped. Near
/// samples that miss a bound, the roughness to keep is dropped. If there is none, prescribed heights are
/// dropped instead. Then relaxation continues. Slopes alone can always be met, so this ends. Dropped bounds
/// are removed from the subdivision. Returns the overall outcome and the number of samples whose bounds were
/// dropped.
///
/// Conflicts are detected only with [`Relaxation::early_exit`].
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn relax_loosening(
    field: &mut Field,
    subdivision: &mut Subdivision,
    given: &Given<'_>,
    parameters: &Relaxation<'_>,
    progress: &dyn Progress,
) -> Result<(Relaxed, usize), Cancelled> {
    let before = field.clone();
    let (mut by, mut dropped, mut iterations, mut history) = (1, 0, 0, Vec::new());
    loop {
        let constraints = bounds_to_round(&before, subdivision, given);
        let mut out = relax(field, &constraints, parameters, progress)?;
        history.extend(out.history.iter().map(|row| {
            let iteration = row.iteration + iterations;
            super::Sweep { iteration, ..*row }
        }));
        iterations += out.iterations;
        let is_stuck = matches!(out.outcome, Outcome::Stuck { .. });
        let here = if is_stuck { drop_bounds(subdivision, &out.places, by) } else { 0 };
        dropped += here;
        if here == 0 && (!is_stuck || by > subdivision.domain.len()) {
            out.iterations = iterations;
            out.history = history;
            return Ok((out, dropped));
        }
        // If nothing nearby is left to drop, look farther away.
        by = if here == 0 { 2 * by } else { 1 };
    }
}

/// Drops the roughness of samples at most `by` columns and rows from the given ones. If none of those samples
/// has a roughness, drops the heights prescribed there. Returns the number of samples.
fn drop_bounds(subdivision: &mut Subdivision, places: &[u32], by: usize) -> usize {
    let (width, height) = subdivision.domain.size;
    let mut near = vec![false; width * height];
    for &place in places {
        let (x, y) = (place as usize % width, place as usize / width);
        for row in y.saturating_sub(by)..=(y + by).min(height - 1) {
            near[row * width..][x.saturating_sub(by)..=(x + by).min(width - 1)].fill(true);
        }
    }
    let drop = |kept: &mut [f32]| {
        let lost = kept.iter_mut().zip(&near).filter(|(kept, near)| **near && !kept.is_nan());
        lost.map(|(kept, _)| *kept = f32::NAN).count()
    };
    match drop(&mut subdivision.roughness) {
        0 => drop(&mut subdivision.given),
        lost => lost,
    }
}
