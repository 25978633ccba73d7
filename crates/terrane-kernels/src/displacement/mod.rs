//! Midpoint displacement: the diamond-square algorithm, level by level (Olsen 2004, "Midpoint displacement",
//! figure 3).
//!
//! Every random number is keyed by level and lattice position in the world, never by the order of drawing. So
//! a map with half the samples is every second sample of the full one, any thread may compute any row, and
//! `Seamless` patches meet.

mod constraint;
mod cover;
mod error;
mod parameters;
mod plane;
mod refine;

use terrane_grid::{Domain, Heightmap, Seed};

use crate::Progress;
use constraint::{keep, known, pass_through, tilt};
use cover::Cover;

pub use error::MidpointError;
pub use parameters::{Boundary, Distribution, Heights, Midpoint};
pub use plane::{PlaneMidpoint, displacement_on_plane};

/// Midpoint displacement over `domain`.
///
/// Starting points are uniform in [0, 1). At level `l`, counted from 1, a midpoint is the mean of its
/// neighbours plus an offset in ±persistence^l / 2; smoothed, the mean times 1 plus that offset. So heights
/// lie about [0, 1], and always within [−e, 1 + e] with e = p / (1 − p) for persistence p and a roughness of
/// at most 1.
///
/// A size that is no power of two (plus one, unless it wraps) is covered by the next larger and cropped.
///
/// # Errors
/// [`MidpointError`].
pub fn midpoint_displacement(
    domain: &Domain,
    seed: Seed,
    parameters: &Midpoint<'_>,
    progress: &dyn Progress,
) -> Result<Heightmap, MidpointError> {
    Ok(Cover::new(domain, parameters)?.displace(domain, seed, parameters, None, progress)?)
}

/// Midpoint displacement over `domain`, scaled, through known heights: those of the corners, and points at
/// the nearest sample, to the bit.
///
/// Where the corners are starting points (a size of cells times a power of two, plus one), these start with
/// their heights; else the terrain is tilted as a whole, bilinearly. Points move the terrain smoothly:
/// bottom-up, a known height tells the points around it, level by level, by how much they should be moved. It
/// moves the terrain as far as about two starting cells away. So do corners of a map that wraps.
///
/// O(samples + points · levels).
///
/// # Errors
/// [`MidpointError`].
pub fn displacement_through(
    domain: &Domain,
    seed: Seed,
    parameters: &Midpoint<'_>,
    heights: &Heights,
    progress: &dyn Progress,
) -> Result<Heightmap, MidpointError> {
    let cover = Cover::new(domain, parameters)?;
    let known = known(domain, heights)?;
    // A factor too small to divide by leaves the corners to be reached by a tilt.
    let start = heights.corners.filter(|_| cover.fits(domain)).map(|corners| {
        let scale = 1.0 / heights.amplitude;
        corners.map(|height| ((height - heights.offset) * scale) as f32)
    });
    let start = start.filter(|start| start.iter().all(|height| height.abs() < 1.0e30));
    let mut map = cover.displace(domain, seed, parameters, start, progress)?;
    let (amplitude, offset) = (heights.amplitude as f32, heights.offset as f32);
    if (amplitude, offset) != (1.0, 0.0) {
        map.samples_mut().iter_mut().for_each(|height| *height = offset + amplitude * *height);
    }
    let mut all_met = heights.points.is_empty();
    match heights.corners {
        Some(_) if cover.wrap => all_met = false,
        Some(corners) if start.is_none() => tilt(&mut map, corners),
        _ => {}
    }
    if all_met {
        keep(&mut map, &known);
    } else {
        pass_through(&mut map, &cover, &known, progress)?;
    }
    Ok(map)
}

#[cfg(test)]
mod tests;
