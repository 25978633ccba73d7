//! Olsen's new algorithm: gentle slopes are levelled, steep ones stay (Olsen 2004, "A new algorithm").

use terrane_grid::Heightmap;

use super::Neighbourhood;
use super::iterate::{Iterate, Observer, iterate};
use super::slide::{Slide, Sliding, Where};
use crate::{Boundary, Cancelled, Progress};

/// Parameters of [`olsen_erosion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Olsen {
    /// The slope, rise over run, up to which material slides.
    pub talus: f32,
    /// Iterations.
    pub iterations: u32,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

/// Fast thermal erosion with its test turned round: where the lowest of the four neighbours on a side lies below, but by no more
/// than the talus, half of the difference moves there, in place, in index order. O(samples) an iteration.
///
/// Mass is kept. The bits do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked at least after every iteration.
pub fn olsen_erosion(
    map: &Heightmap,
    parameters: &Olsen,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let limit = (f64::from(parameters.talus) * map.spacing()) as f32;
    let slide = Slide { limit, part: 0.5, place: Where::Gentle };
    let mut scheme = Sliding::new(map.grid(), parameters.boundary, Neighbourhood::VonNeumann, slide);
    iterate(&mut scheme, parameters.iterations, progress, observer)?;
    Ok(map.with_grid(scheme.grid()))
}
