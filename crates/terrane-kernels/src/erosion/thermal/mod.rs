//! Thermal erosion: material on slopes steeper than the talus slides down (Olsen 2004, "Thermal erosion").
//!
//! `Reference` and `Fast` keep mass: what leaves a sample arrives at its neighbours, up to the rounding of each sum.

mod reference;

use rayon::prelude::*;
use terrane_grid::Heightmap;

use super::Neighbourhood;
use super::iterate::{Iterate, Observer, iterate};
use super::padded::Padded;
use super::slide::{Slide, Sliding, Where};
use crate::{Boundary, Cancelled, Progress};

/// How material is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The paper's text: every neighbour lower than the talus allows gets a share, all samples at once through a map of
    /// differences.
    Reference,
    /// The paper's fast variant: all to the lowest neighbour, half of the difference, in place, in index order.
    Fast,
    /// What the program behind the paper's figures does for its Reference: every lower neighbour gets a share, though what leaves
    /// is shared among those lower than the talus allows. It makes material from nothing.
    Published,
    /// What that program does for its fast variant: a quarter of the difference, from 15/16 of the talus on.
    PublishedFast,
}

/// Parameters of [`thermal_erosion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thermal {
    /// The slope, rise over run, above which material slides. Neighbours may differ by talus times the spacing, on a
    /// diagonal just as straight, as in the paper.
    pub talus: f32,
    /// Iterations.
    pub iterations: u32,
    /// How material is moved.
    pub scheme: Scheme,
    /// Share of the excess that the Reference moves in an iteration, the paper's c; more than 0.5 oscillates.
    pub fraction: f32,
    /// Which samples are neighbours.
    pub neighbourhood: Neighbourhood,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

/// Erodes a map, O(samples) an iteration. Ends early when an iteration changes nothing.
///
/// The bits of the result do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked at least after every iteration.
pub fn thermal_erosion(
    map: &Heightmap,
    parameters: &Thermal,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let limit = (f64::from(parameters.talus) * map.spacing()) as f32;
    let sliding = |slide| -> Box<dyn Iterate> {
        Box::new(Sliding::new(map.grid(), parameters.boundary, parameters.neighbourhood, slide))
    };
    let mut scheme: Box<dyn Iterate> = match parameters.scheme {
        Scheme::Reference | Scheme::Published => {
            Box::new(reference::Reference::new(map.grid(), parameters, limit))
        }
        Scheme::Fast => sliding(Slide { limit, part: 0.5, place: Where::Steep }),
        Scheme::PublishedFast => {
            sliding(Slide { limit: limit * (15.0 / 16.0), part: 0.25, place: Where::Steep })
        }
    };
    iterate(&mut *scheme, parameters.iterations, progress, observer)?;
    Ok(map.with_grid(scheme.grid()))
}

/// By how much the steepest way down from a sample to one of its neighbours exceeds the talus, as rise over run, on average
/// over all samples. O(samples).
#[must_use]
pub fn talus_excess(map: &Heightmap, parameters: &Thermal) -> f64 {
    let limit = (f64::from(parameters.talus) * map.spacing()) as f32;
    let padded = Padded::new(map.grid(), parameters.boundary);
    let offsets = parameters.neighbourhood.offsets();
    let row_sum = |row: usize| -> f64 {
        let start = (row + 1) * padded.stride + 1;
        let over = (start..start + padded.width).map(|at| {
            let lowest = offsets
                .iter()
                .map(|&(dx, dy)| padded.data[at.wrapping_add_signed(dy * padded.stride as isize + dx)])
                .fold(f32::MAX, f32::min);
            f64::from((padded.data[at] - lowest - limit).max(0.0))
        });
        over.sum()
    };
    // Summed in order of rows, whichever thread has made them.
    let rows: Vec<f64> = (0..padded.height).into_par_iter().map(row_sum).collect();
    rows.iter().sum::<f64>() / (map.samples().len().max(1) as f64 * map.spacing())
}

#[cfg(test)]
mod tests;
