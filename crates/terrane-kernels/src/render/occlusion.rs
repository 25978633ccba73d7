//! Ambient occlusion: the share of the sky that is visible from each sample.

use std::f64::consts::TAU;

use terrane_grid::{Grid, Heightmap};

use super::surface::{Surface, Trace};
use crate::parallel::{slices, try_for_each};
use crate::{Cancelled, Progress};

/// Ambient occlusion: for each sample the share of the sky's light that reaches it, in [0, 1].
///
/// The horizon is found exactly in `directions` evenly spaced directions, up to a distance of `radius` world
/// units. The bilinear surface is read where a direction crosses the lines between samples. If the horizon in
/// a direction stands at the angle α above level, the direction contributes cos² α of the light that level
/// ground gets from an evenly bright sky. The result is the mean over all directions. Nothing beyond the map
/// hides the sky. O(samples · directions · log samples) on even ground.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn ambient_occlusion(
    map: &Heightmap,
    directions: usize,
    radius: f64,
    exaggeration: f64,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    let size = map.domain().size;
    if size.0 < 2 || size.1 < 2 {
        return Ok(Heightmap::constant(map.domain(), 1.0));
    }
    let scale = exaggeration / map.spacing();
    let samples = map.samples().iter().map(|h| (f64::from(*h) * scale) as f32).collect();
    let surface = Surface::new(samples, size);
    let open = openness(&surface, 1, directions, radius / map.spacing(), progress)?;
    Ok(map.with_grid(Grid::from_vec(size.0, size.1, open)))
}

/// The share of the sky's light that reaches the samples of every `step`th column and row.
pub fn openness(
    surface: &Surface,
    step: usize,
    directions: usize,
    reach: f64,
    progress: &dyn Progress,
) -> Result<Vec<f32>, Cancelled> {
    let (columns, rows) = surface.size;
    let (across, down) = ((columns - 1).div_ceil(step) + 1, (rows - 1).div_ceil(step) + 1);
    let turns: Vec<[f64; 2]> = (0..directions)
        .map(|k| TAU * (k as f64 + 0.5) / directions as f64)
        .map(|angle| [libm::cos(angle), libm::sin(angle)])
        .collect();
    let mut open = vec![0.0f32; across * down];
    try_for_each(slices(&mut open, across), 1, |row, open| {
        let y = (row * step).min(rows - 1);
        for (column, open) in open.iter_mut().enumerate() {
            let x = (column * step).min(columns - 1);
            let sum: f64 = turns
                .iter()
                .map(|turn| {
                    let tangent = surface.horizon([x, y], *turn, reach, 0.0, f64::MAX);
                    1.0 / (1.0 + tangent * tangent)
                })
                .sum();
            *open = (sum / directions as f64) as f32;
        }
        progress.report(row as f64 / down as f64)
    })?;
    Ok(open)
}
