//! The steepest ground that can stand.

use crate::hydrology::{Alive, Shape, WAYS};
use crate::{Cancelled, ScalarMap};

/// Ground that cannot be steeper than a talus.
pub struct Slopes<'a> {
    pub shape: Shape,
    /// World units between samples.
    pub spacing: f32,
    /// Greatest slope, rise over run, at each sample; below 0 counts as 0, not-a-number as any slope.
    pub talus: ScalarMap<'a>,
    /// Height of water that carries what stands beside it.
    pub sea_level: f32,
}

/// Ways to the neighbours that come before a sample in row order; the opposite ones come after.
const BEFORE: [usize; 4] = [5, 1, 6, 2];

impl Slopes<'_> {
    /// Lowers every sample to what its eight neighbours allow: at most `talus` times the distance above each of them, or above the water that
    /// covers it; `fixed` samples keep their heights. The result is the highest ground below the given one with this
    /// property, whatever the order of samples. O(samples) a sweep; on even talus mostly two of them.
    pub fn lower(
        &self,
        heights: &mut [f32],
        fixed: impl Fn(usize) -> bool,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        loop {
            let before = self.sweep(heights, &fixed, BEFORE.map(|way| WAYS[way]), false, alive)?;
            let after = BEFORE.map(|way| (-WAYS[way].0, -WAYS[way].1));
            let after = self.sweep(heights, &fixed, after, true, alive)?;
            if !(before || after) {
                return Ok(());
            }
        }
    }

    /// Lowers samples to what four neighbours allow, one after the other; whether any was too high.
    fn sweep(
        &self,
        heights: &mut [f32],
        fixed: &impl Fn(usize) -> bool,
        neighbours: [(isize, isize); 4],
        backward: bool,
        alive: &Alive<'_>,
    ) -> Result<bool, Cancelled> {
        let Shape { width, height, .. } = self.shape;
        let mut lowered = false;
        for row in 0..height {
            let row = if backward { height - 1 - row } else { row };
            if row.is_multiple_of(16) {
                alive()?;
            }
            for column in 0..width {
                let column = if backward { width - 1 - column } else { column };
                let at = row * width + column;
                let rise = self.talus.at(at) * self.spacing;
                // In this order not-a-number stays.
                let rise = if rise < 0.0 { 0.0 } else { rise };
                let mut limit = heights[at];
                for (dx, dy) in neighbours {
                    let Some(to) = self.shape.beside_at(at, (column, row), (dx, dy)) else { continue };
                    let run = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
                    let ground = heights[to];
                    let base = if ground > self.sea_level { ground } else { self.sea_level };
                    let above = base + rise * run;
                    if above < limit {
                        limit = above;
                    }
                }
                if limit < heights[at] && !fixed(at) {
                    heights[at] = limit;
                    lowered = true;
                }
            }
        }
        Ok(lowered)
    }

    /// Whether some sample that is not fixed is too steep.
    #[cfg(test)]
    pub fn too_steep(&self, heights: &[f32], slack: f32) -> Option<usize> {
        (0..heights.len()).find(|&at| {
            WAYS[1..].iter().any(|&(dx, dy)| {
                let run = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
                self.shape.beside(self.shape.place(at), (dx, dy)).is_some_and(|to| {
                    heights[at] - heights[to].max(self.sea_level)
                        > self.talus.at(at) * self.spacing * run + slack
                })
            })
        })
    }
}
