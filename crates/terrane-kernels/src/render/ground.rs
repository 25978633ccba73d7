//! The light that each sample of the ground reflects, which does not depend on the camera.

use terrane_grid::{Grid, Heightmap};

use super::air::Air;
use super::openness::openness;
use super::sun::Sun;
use super::surface::Surface;
use super::vector::{Light, dot, unit};
use crate::parallel::{slices, try_for_each};
use crate::shade::to_linear;
use crate::{Cancelled, Progress};

/// Number of directions in which the horizon is found.
const DIRECTIONS: usize = 12;
/// Longest side, in samples, of the reduced map on which the sky's light is computed.
const SIDE: usize = 300;

/// Maximum distance at which ground hides the sky, as a share of the map's longer side.
const REACH: f64 = 0.15;

/// Brightness of the light that the surrounding ground reflects onto a sample.
const BOUNCE: f32 = 0.20;

/// The light that each sample of a surface reflects, from its colour, the sun and the sky.
pub fn ground_light(
    surface: &Surface,
    colors: &Grid<[u8; 3]>,
    sun: &Sun,
    air: &Air,
    progress: &dyn Progress,
) -> Result<Vec<Light>, Cancelled> {
    let columns = surface.size.0;
    let (free, open) = exposed(surface, sun, progress)?;
    let rows = surface.size.1;
    let linear: Vec<f32> = (0..=255).map(to_linear).collect();
    let (direction, sunlight, skylight) = (sun.direction(), air.sunlight(), air.skylight());
    let mut light = vec![[0.0f32; 3]; columns * rows];
    try_for_each(slices(&mut light, columns), 1, |row, light| {
        for (column, light) in light.iter_mut().enumerate() {
            let normal = normal(surface, column, row);
            let facing = dot(normal, direction).max(0.0) as f32 * free[row * columns + column];
            let sky = open[row * columns + column] * (0.5 + 0.5 * normal[2] as f32);
            let own = colors[(column, row)].map(|channel| linear[usize::from(channel)]);
            *light = std::array::from_fn(|c| {
                let around = skylight[c] * sky + BOUNCE * (1.0 - sky) * (sunlight[c] * 0.3 + skylight[c]);
                own[c] * (sunlight[c] * facing + around)
            });
        }
        progress.report(row as f64 / rows as f64)
    })?;
    Ok(light)
}

/// Numbers of each sample, from the sun and from the sky.
type Exposed = (Vec<f32>, Vec<f32>);

/// For each sample, the shares of the sun's disc and of the sky's light that no ground hides.
fn exposed(surface: &Surface, sun: &Sun, progress: &dyn Progress) -> Result<Exposed, Cancelled> {
    let (columns, rows) = surface.size;
    let free = sun.shadows(surface, progress)?;
    let longer = columns.max(rows);
    let step = longer.div_ceil(SIDE);
    let few = openness(surface, step, DIRECTIONS, REACH * longer as f64, progress)?;
    let across = (columns - 1).div_ceil(step) + 1;
    let mut open = vec![0.0; columns * rows];
    try_for_each(slices(&mut open, columns), 1, |row, open| {
        for (column, open) in open.iter_mut().enumerate() {
            *open = coarse(&few, across, step, (column, row), surface.size);
        }
        progress.check()
    })?;
    Ok((free, open))
}

/// For each sample of a map, the shares of the sun's disc and of the sky's light that no ground hides: what
/// shades the ground of a scene, whatever its colours. Samples that are not finite get the height of the
/// lowest finite sample.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
///
/// # Panics
/// If the map has fewer than 2 × 2 samples.
pub fn exposure(
    map: &Heightmap,
    exaggeration: f64,
    sun: &Sun,
    progress: &dyn Progress,
) -> Result<Vec<[f32; 2]>, Cancelled> {
    let size = map.domain().size;
    assert!(size.0 > 1 && size.1 > 1, "a terrain of a single row");
    let ground = in_samples(map, exaggeration / map.spacing());
    let (free, open) = exposed(&Surface::new(ground, size), sun, progress)?;
    Ok(free.into_iter().zip(open).map(|(free, open)| [free, open]).collect())
}

/// Heights in samples. Those that are not finite get the lowest finite height.
pub fn in_samples(map: &Heightmap, scale: f64) -> Vec<f32> {
    let lowest = map.samples().iter().copied().filter(|h| h.is_finite()).fold(f32::INFINITY, f32::min);
    let lowest = if lowest.is_finite() { lowest } else { 0.0 };
    let scaled = |h: &f32| (f64::from(if h.is_finite() { *h } else { lowest }) * scale) as f32;
    map.samples().iter().map(scaled).collect()
}

/// The normal of the ground at a sample, from its four neighbours.
fn normal(surface: &Surface, column: usize, row: usize) -> [f64; 3] {
    let (columns, rows) = surface.size;
    let at = |x: usize, y: usize| f64::from(surface.samples[y * columns + x]);
    let (west, east) = (column.saturating_sub(1), (column + 1).min(columns - 1));
    let (north, south) = (row.saturating_sub(1), (row + 1).min(rows - 1));
    let x = (at(east, row) - at(west, row)) / (east - west) as f64;
    let y = (at(column, south) - at(column, north)) / (south - north) as f64;
    unit([-x, -y, 1.0])
}

/// Interpolates the value of a sample from those of every `step`th column and row.
fn coarse(
    values: &[f32],
    across: usize,
    step: usize,
    (column, row): (usize, usize),
    size: (usize, usize),
) -> f32 {
    // The last column and row always have values, so the last step may be shorter than `step`.
    let place = |at: usize, samples: usize| {
        let first = (at / step).min((samples - 1).div_ceil(step).saturating_sub(1));
        let next = ((first + 1) * step).min(samples - 1);
        let share = (at - first * step) as f32 / (next - first * step).max(1) as f32;
        (first, share)
    };
    let ((x, u), (y, v)) = (place(column, size.0), place(row, size.1));
    let value = |x: usize, y: usize| values[y * across + x];
    let (north, south) = (
        value(x, y) + (value(x + 1, y) - value(x, y)) * u,
        value(x, y + 1) + (value(x + 1, y + 1) - value(x, y + 1)) * u,
    );
    north + (south - north) * v
}
