//! Midpoint displacement: the diamond-square algorithm, level by level (Olsen 2004, "Midpoint displacement",
//! figure 3).
//!
//! Every random number depends on its level and its lattice position in the world, never on the order in
//! which numbers are drawn. So a map with half the samples consists of every second sample of the full map,
//! any thread may compute any row, and `Seamless` patches meet.

mod constraint;
mod cover;
mod error;
mod parameters;
mod plane;
mod refine;

use terrane_grid::{Domain, Heightmap, Seed};

use crate::Progress;
use constraint::{known_samples, pass_through, set_known, tilt};
use cover::Cover;

pub use error::MidpointError;
pub use parameters::{Boundary, Distribution, Heights, Midpoint};
pub use plane::{PlaneMidpoint, displacement_on_plane};

/// Midpoint displacement over `domain`.
///
/// Starting points are uniform in [0, 1). At level `l`, counted from 1, a midpoint is the mean of its
/// neighbours plus an offset in ±persistence^l / 2. If smoothed, it is the mean times (1 + that offset). So
/// heights lie roughly in [0, 1], and always within [−e, 1 + e] with e = p / (1 − p) for persistence p and a
/// roughness of at most 1.
///
/// If the size is not a power of two (plus one, unless the map wraps), a map of the next larger such size is
/// cropped.
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

/// Midpoint displacement over `domain`, scaled, that passes through known heights to the bit. The known
/// heights are those of the corners and those of points. The height of a point applies at the sample nearest
/// to it.
///
/// If the size is a number of cells times a power of two, plus one, the corners are starting points and start
/// with their heights. Otherwise the whole terrain is tilted bilinearly. Points move the terrain smoothly:
/// bottom-up, the move that a known height needs is passed to the points around it, level by level. A known
/// height moves the terrain up to a distance of about two starting cells. The same applies to corners of a
/// map that wraps.
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
    let known = known_samples(domain, heights)?;
    // If the amplitude is too small to divide by, the terrain is tilted to the corners' heights instead.
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
        set_known(&mut map, &known);
    } else {
        pass_through(&mut map, &cover, &known, progress)?;
    }
    Ok(map)
}

#[cfg(test)]
mod tests;
