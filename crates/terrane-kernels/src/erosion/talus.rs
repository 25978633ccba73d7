//! The steepest ground that can stand.

use crate::hydrology::{Alive, Shape, WAYS, each};
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

    /// The least heights that ground beside `fixed` samples keeps: those of talus slopes down from them, but nowhere more than it has. Without
    /// this, ground that wears down would leave fixed samples standing as walls.
    pub fn foot(
        &self,
        heights: &[f32],
        fixed: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        // Upside down slopes away from fixed samples are the highest ground below a ceiling that only those hold down.
        const FAR: f32 = 1.0e30;
        let mut turned = each(heights.len(), alive, |at| if fixed(at) { -heights[at] } else { FAR })?;
        Slopes { sea_level: f32::NEG_INFINITY, ..*self }.lower(&mut turned, &fixed, alive)?;
        each(heights.len(), alive, |at| heights[at].min(-turned[at]))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NEVER: fn(usize) -> bool = |_| false;

    fn slopes(talus: f32, sea_level: f32) -> Slopes<'static> {
        let shape = Shape { width: 6, height: 1, wrap: false };
        Slopes { shape, spacing: 2.0, talus: ScalarMap::Constant(talus), sea_level }
    }

    #[test]
    fn a_row_by_hand() {
        // At most 1 higher than a neighbour; over water, than its surface at 0.
        let mut heights = [9.0, 1.0, 5.0, 6.0, -3.0, 4.0];
        slopes(0.5, 0.0).lower(&mut heights, NEVER, &|| Ok(())).unwrap();
        assert_eq!(heights, [2.0, 1.0, 2.0, 1.0, -3.0, 1.0]);
        let mut heights = [9.0, 1.0, 5.0, 6.0, -3.0, 4.0];
        slopes(0.5, -9.0).lower(&mut heights, |at| at == 0, &|| Ok(())).unwrap();
        assert_eq!(heights, [9.0, 0.0, -1.0, -2.0, -3.0, -2.0]);
    }

    #[test]
    fn the_foot_of_a_fixed_sample_by_hand() {
        let heights = [9.0, 1.0, 8.0, 6.0, 7.0, 4.0];
        let foot = slopes(0.5, 0.0).foot(&heights, |at| at == 0, &|| Ok(())).unwrap();
        assert_eq!(foot, [9.0, 1.0, 7.0, 6.0, 5.0, 4.0]);
    }

    proptest! {
        /// Against what each sample allows each other, over the shortest way along samples.
        #[test]
        fn it_is_the_highest_ground_that_stands(w in 1usize..9, h in 1usize..9, wrap: bool, seed: u64, talus in 0.0f32..2.0) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let shape = Shape { width: w, height: h, wrap };
            let before: Vec<f32> = (0..w * h).map(|at| 10.0 * lattice.unit(at as i64, 0)).collect();
            let slopes = Slopes { shape, spacing: 1.0, talus: ScalarMap::Constant(talus), sea_level: -1.0 };
            let mut after = before.clone();
            slopes.lower(&mut after, NEVER, &|| Ok(())).unwrap();
            prop_assert_eq!(slopes.too_steep(&after, 1e-5), None);
            let apart = |a: usize, b: usize, count: usize| {
                let d = a.abs_diff(b);
                if wrap { d.min(count - d) } else { d }
            };
            for (at, &after) in after.iter().enumerate() {
                let (x, y) = shape.place(at);
                let expected = (0..w * h).map(|to| {
                    let (u, v) = shape.place(to);
                    let (dx, dy) = (apart(x, u, w), apart(y, v, h));
                    let run = dx.max(dy) as f32 + (std::f32::consts::SQRT_2 - 1.0) * dx.min(dy) as f32;
                    before[to] + talus * run
                }).fold(f32::MAX, f32::min);
                prop_assert!((after - expected).abs() < 1e-4, "{after} {expected}");
            }
        }
    }
}
