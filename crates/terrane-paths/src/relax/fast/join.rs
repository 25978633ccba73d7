//! Blends the ground near a patch's border into known heights.

use crate::relax::field::Field;

/// Distance from the border, in samples, beyond which the ground is unchanged.
const REACH: f64 = 16.0;

/// Blends the ground near the border into known heights: fully on the border, and less with distance. So the
/// ground leaves the border with the slope of the known heights, without a crease.
pub fn join(field: &mut Field, known: &[f64]) {
    let (width, height) = field.domain.size;
    let along = |at: usize, last: usize| {
        let part = (at.min(last - at) as f64 / REACH).min(1.0);
        part * part * (3.0 - 2.0 * part)
    };
    let across: Vec<f64> = (0..width).map(|x| along(x, width - 1)).collect();
    let down: Vec<f64> = (0..height).map(|y| along(y, height - 1)).collect();
    for (at, (now, known)) in field.heights.iter_mut().zip(known).enumerate() {
        let part = across[at % width] * down[at / width];
        if part < 1.0 {
            *now = known + (*now - known) * part;
        }
    }
}
