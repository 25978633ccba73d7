//! Relaxation of bounds that conflict, until what is left of them can be met (Velzel, section 6.1).

use super::bounds::{Given, bounds_to_round};
use super::field::Field;
use super::parameters::Relaxation;
use super::solve::{Outcome, Relaxed, relax};
use crate::path::Subdivision;
use crate::{Cancelled, Progress};

/// As [`relax`], with the bounds that a subdivision asks for; but where these conflict, some are given up:
/// beside the samples that miss one the roughness that is to be kept, and where there is none the heights
/// that are given; then relaxation goes on. Slopes can always be met alone, so it comes to an end. What is
/// given up is taken from the subdivision; of how many samples it was, comes out beside how relaxation ended
/// in all.
///
/// Conflicts are noticed only with [`Relaxation::early_exit`].
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn relax_loosening(
    field: &mut Field,
    subdivision: &mut Subdivision,
    given: &Given<'_>,
    parameters: &Relaxation<'_>,
    progress: &dyn Progress,
) -> Result<(Relaxed, usize), Cancelled> {
    let before = field.clone();
    let (mut by, mut given_up, mut iterations, mut history) = (1, 0, 0, Vec::new());
    loop {
        let constraints = bounds_to_round(&before, subdivision, given);
        let mut out = relax(field, &constraints, parameters, progress)?;
        history.extend(out.history.iter().map(|row| {
            let iteration = row.iteration + iterations;
            super::Sweep { iteration, ..*row }
        }));
        iterations += out.iterations;
        let is_stuck = matches!(out.outcome, Outcome::Stuck { .. });
        let here = if is_stuck { give_up(subdivision, &out.places, by) } else { 0 };
        given_up += here;
        if here == 0 && (!is_stuck || by > subdivision.domain.len()) {
            out.iterations = iterations;
            out.history = history;
            return Ok((out, given_up));
        }
        // Where nothing near is left to give up it lies farther away.
        by = if here == 0 { 2 * by } else { 1 };
    }
}

/// Gives up the roughness of samples that are no more than so many columns and rows from one of those named,
/// or if none has any the heights given there; of how many samples.
fn give_up(subdivision: &mut Subdivision, places: &[u32], by: usize) -> usize {
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
