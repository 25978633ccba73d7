//! Ground that goes on across the border of a patch as it is known there.

use crate::relax::field::Field;

/// Samples from the border at which the ground is its own.
const REACH: f64 = 16.0;

/// Brings the ground near the border to known heights: wholly on it, and ever less up to some samples away,
/// so that it leaves the border as they do, without a crease.
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
