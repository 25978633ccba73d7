//! Olsen's new algorithm: gentle slopes are levelled, steep ones stay (Olsen 2004, "A new algorithm").

use terrane_grid::Heightmap;

use super::Neighbourhood;
use super::iterate::{Observer, iterate};
use super::limits::{Distance, Limits};
use super::slide::{Sliding, Where};
use crate::{Boundary, Cancelled, Progress, ScalarMap};

/// Parameters of [`olsen_erosion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Olsen<'a> {
    /// The slope, rise over run, up to which material slides; below 0 counts as 0, not-a-number as any slope.
    pub talus: ScalarMap<'a>,
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
    parameters: &Olsen<'_>,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let sliding = Sliding {
        neighbourhood: Neighbourhood::VonNeumann,
        boundary: parameters.boundary,
        distance: Distance::Steps,
        limits: &Limits::new(parameters.talus, map, 1.0),
        part: 0.5,
        place: Where::Gentle,
    };
    let mut scheme = sliding.of(map);
    iterate(&mut *scheme, parameters.iterations, progress, observer)?;
    Ok(map.with_grid(scheme.grid()))
}
