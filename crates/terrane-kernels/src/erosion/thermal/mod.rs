//! Thermal erosion: material on slopes steeper than the talus slides down (Olsen 2004, "Thermal erosion").
//!
//! `Reference` and `Fast` conserve mass: what leaves a sample arrives at its neighbours, up to the rounding
//! of each sum.

mod parameters;
mod reference;

use crate::parallel::collect;
use terrane_grid::Heightmap;

use super::iterate::{Iterate, Observer, iterate};
use super::limits::Limits;
use super::padded::Padded;
use super::slide::{SlideOn, Sliding};
use crate::{Cancelled, Progress};

pub use parameters::{Scheme, Thermal};

/// Erodes a map, O(samples) per iteration. Ends early when an iteration changes nothing.
///
/// The bits of the result do not depend on the number of threads or on the observer.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called at least once per iteration.
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
        Sliding { neighbourhood, boundary, visited, distance, limits, part, on: SlideOn::Steep }.of(map)
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

/// By how much the steepest descent from a sample to a neighbour exceeds the talus, as rise over run,
/// averaged over all samples. O(samples).
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
    // Rows are added up in order, on any number of threads.
    let rows: Vec<f64> = collect(padded.height, 1, row_sum);
    rows.iter().sum::<f64>() / (map.samples().len().max(1) as f64 * map.spacing())
}

#[cfg(test)]
mod tests;
