//! Thermal erosion: material on slopes steeper than the talus slides down (Olsen 2004, "Thermal erosion").
//!
//! Both schemes keep mass: what leaves a sample arrives at its neighbours, up to the rounding of each sum.

mod fast;
mod reference;

use terrane_grid::Heightmap;

use super::padded::Padded;
use crate::{Boundary, Cancelled, Progress};

/// How material is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The paper's text: every neighbour lower than the talus allows gets a share, all samples at once through a map of
    /// differences.
    Reference,
    /// The paper's fast variant: all to the lowest neighbour, half of the difference, in place.
    Fast,
}

/// Which samples are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbourhood {
    /// All eight.
    Moore,
    /// The four on a side.
    VonNeumann,
    /// The four on a diagonal: Von Neumann rotated.
    Rotated,
}

impl Neighbourhood {
    /// Offsets as (column, row), in a fixed order: where two neighbours are equally low, the first counts.
    const fn offsets(self) -> &'static [(isize, isize)] {
        match self {
            Self::Moore => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
            Self::VonNeumann => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
            Self::Rotated => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        }
    }
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

/// Told after each iteration: its number, from 1, and the heights without the ring around them, row by row.
pub type Observer<'a> = &'a mut dyn FnMut(u32, &mut dyn Iterator<Item = &[f32]>);

/// Erodes a map, O(samples) an iteration. Ends early when an iteration changes nothing.
///
/// The bits of the result do not depend on the number of threads.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked after every iteration.
pub fn thermal_erosion(
    map: &Heightmap,
    parameters: &Thermal,
    progress: &dyn Progress,
    mut observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let limit = (f64::from(parameters.talus) * map.spacing()) as f32;
    let mut padded = Padded::new(map.grid(), parameters.boundary);
    let mut scheme: Box<dyn Iterate> = match parameters.scheme {
        Scheme::Reference => Box::new(reference::Reference::new(&padded, parameters, limit)),
        Scheme::Fast => fast::scheme(&padded, parameters, limit),
    };
    for iteration in 1..=parameters.iterations {
        let changed = scheme.iterate(&mut padded);
        if let Some(observer) = &mut observer {
            observer(iteration, &mut (0..padded.height).map(|row| padded.row(row)));
        }
        progress.report(f64::from(iteration) / f64::from(parameters.iterations))?;
        if !changed {
            break;
        }
    }
    Ok(map.with_grid(padded.into_grid()))
}

/// A scheme's iteration; whether anything moved.
trait Iterate {
    fn iterate(&mut self, map: &mut Padded) -> bool;
}

#[cfg(test)]
mod tests;
