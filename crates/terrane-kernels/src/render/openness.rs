//! The share of the sky that is visible from samples of a scene.

use std::f64::consts::TAU;

use super::surface::{Surface, Trace};
use crate::parallel::{slices, try_for_each};
use crate::{Cancelled, Progress};

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
