//! The terrain on which rain is computed: block means of a map, continued beyond its border.

use terrane_grid::Heightmap;

use super::plan::Plan;
use crate::{Cancelled, Progress};

/// Samples between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 18;

/// Heights inside a map and beyond its border.
pub struct BlockHeights {
    plan: Plan,
    /// One height per block, in world units.
    heights: Vec<f32>,
    /// For each column (and row) beyond the last, the weight of the first column's (or row's) height, in [0,
    /// 1]. The height of the last column (or row) has the remaining weight.
    beyond: [Vec<f64>; 2],
}

impl BlockHeights {
    /// Computes the means of blocks. Heights that are not finite count as the mean of the others.
    pub fn new(map: &Heightmap, plan: Plan, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let (mut sum, mut count) = (0.0, 0u64);
        for samples in map.samples().chunks(CHECK_INTERVAL) {
            progress.check()?;
            for height in samples.iter().filter(|height| height.is_finite()) {
                sum += f64::from(*height);
                count += 1;
            }
        }
        let mean = sum / count.max(1) as f64;
        let number = |height: f32| if height.is_finite() { f64::from(height) } else { mean };
        let (width, block) = (map.width(), plan.block);
        let mut heights = Vec::with_capacity(plan.columns.samples * plan.rows.samples);
        for rows in map.samples().chunks(width * block) {
            progress.check()?;
            heights.extend((0..width).step_by(block).map(|column| {
                let within = column..width.min(column + block);
                let parts = rows.chunks(width).map(|row| &row[within.clone()]);
                let (mut sum, mut count) = (0.0, 0.0);
                for &height in parts.flatten() {
                    sum += number(height);
                    count += 1.0;
                }
                (sum / count) as f32
            }));
        }
        Ok(Self { beyond: [plan.columns.beyond(), plan.rows.beyond()], plan, heights })
    }

    /// Heights along a row, including beyond the border, in world units: `out` has one element per column.
    pub fn row(&self, row: usize, out: &mut [f64]) {
        let Plan { columns, rows, .. } = self.plan;
        let of = |row: usize| &self.heights[row * columns.samples..][..columns.samples];
        let (inside, outside) = out.split_at_mut(columns.samples);
        if let Some(beyond) = row.checked_sub(rows.samples) {
            let part = self.beyond[1][beyond];
            for ((out, &last), &first) in inside.iter_mut().zip(of(rows.samples - 1)).zip(of(0)) {
                *out = between(f64::from(last), f64::from(first), part);
            }
        } else {
            inside.iter_mut().zip(of(row)).for_each(|(out, &height)| *out = f64::from(height));
        }
        let (first, last) = (inside[0], inside[columns.samples - 1]);
        outside.iter_mut().zip(&self.beyond[0]).for_each(|(out, &part)| *out = between(last, first, part));
    }
}

fn between(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}
