//! Thermal erosion: material on slopes steeper than the talus slides down (Olsen 2004, "Thermal erosion").
//!
//! `Reference` and `Fast` keep mass: what leaves a sample arrives at its neighbours, up to the rounding of
//! each sum.

mod parameters;
mod reference;

use crate::parallel::collect;
use terrane_grid::Heightmap;

use super::iterate::{Iterate, Observer, iterate};
use super::limits::Limits;
use super::padded::Padded;
use super::slide::{Sliding, Where};
use crate::{Cancelled, Progress};

pub use parameters::{Scheme, Thermal};

/// Erodes a map, O(samples) an iteration. Ends early when an iteration changes nothing.
///
/// The bits of the result do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked at least after every iteration.
pub fn thermal_erosion(
    map: &Heightmap,
    parameters: &Thermal<'_>,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let limits = |part| Limits::new(parameters.talus, map, part);
    let sliding = |limits: &Limits, part| {
        let &Thermal { neighbourhood, boundary, distance, .. } = parameters;
        let visited = parameters.scheme.visited();
        Sliding { neighbourhood, boundary, visited, distance, limits, part, place: Where::Steep }.of(map)
    };
    let mut scheme: Box<dyn Iterate> = match parameters.scheme {
        Scheme::Reference | Scheme::Published => {
            Box::new(reference::Reference::new(map, parameters, limits(1.0)))
        }
        Scheme::Fast => sliding(&limits(1.0), 0.5),
        Scheme::PublishedFast => sliding(&limits(15.0 / 16.0), 0.25),
    };
    iterate(&mut *scheme, parameters.iterations, progress, observer)?;
    Ok(map.with_grid(scheme.grid()))
}

/// By how much the steepest way down from a sample to one of its neighbours exceeds the talus, as rise over
/// run, on average over all samples. O(samples).
#[must_use]
pub fn talus_excess(map: &Heightmap, parameters: &Thermal) -> f64 {
    let limits = Limits::new(parameters.talus, map, 1.0);
    let padded = Padded::new(map.grid(), parameters.boundary);
    let offsets = parameters.neighbourhood.offsets();
    let row_sum = |row: usize| -> f64 {
        let start = (row + 1) * padded.stride + 1;
        let over = (0..padded.width).map(|column| {
            let at = start + column;
            let steepest = offsets
                .iter()
                .map(|&(dx, dy)| {
                    let there = padded.data[at.wrapping_add_signed(dy * padded.stride as isize + dx)];
                    (padded.data[at] - there) * parameters.distance.inverse((dx, dy))
                })
                .fold(f32::MIN, f32::max);
            f64::from((steepest - limits.at((column, row))).max(0.0))
        });
        over.sum()
    };
    // Summed in order of rows, whichever thread has made them.
    let rows: Vec<f64> = collect(padded.height, 1, row_sum);
    rows.iter().sum::<f64>() / (map.samples().len().max(1) as f64 * map.spacing())
}

#[cfg(test)]
mod tests;
