//! Prolongation from coarser to finer ground.

use super::state::State;
use crate::{Cancelled, Progress};

impl State {
    /// Initialises this state from one on ground of twice the spacing. Heights and prices, in spacings, are
    /// doubled. Flows and forces are quadrupled, since they also sum over twice as many samples across.
    ///
    /// Heights on and beside paths are interpolated directly. If all coarse samples around are within a
    /// bound, the samples in between are too, since each slope in their quadrants is a mean of slopes around.
    /// Elsewhere ground keeps its detail: it moves by the interpolated change of the coarse ground.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn prolong(&mut self, coarse: &Self, progress: &dyn Progress) -> Result<(), Cancelled> {
        let size = (coarse.primal[0].heights.len() - 2, coarse.primal.len() - 2);
        let between = |value: &dyn Fn(usize, usize) -> f64, x: f64, y: f64| between(size, value, (x, y));
        for y in 1..=self.height {
            progress.check()?;
            for x in 1..=self.width {
                let (u, v) = ((x - 1) as f64 / 2.0, (y - 1) as f64 / 2.0);
                let position = (x - 1, y - 1);
                let weight = self.dual[y].weights[x];
                let row = &mut self.primal[y];
                if weight > 0.0 {
                    let dual = &self.dual[y];
                    row.heights[x] = if dual.keeps[x] {
                        let moved =
                            |x: usize, y: usize| coarse.primal[y].heights[x] - coarse.dual[y].before[x];
                        dual.before[x] + 2.0 * smoothly(size, moved, position)
                    } else {
                        2.0 * smoothly(size, |x, y| coarse.primal[y].heights[x], position)
                    };
                    self.dual[y].prices[x] = 2.0 * smoothly(size, |x, y| coarse.dual[y].prices[x], position);
                }
                // A flow is located half a sample towards larger x or y.
                if row.moves(x) && x < self.width {
                    row.right[x] = 4.0 * between(&|x, y| coarse.primal[y].right[x], u - 0.25, v);
                    row.right_next[x] = row.right[x];
                }
                if row.moves(x) && y < self.height {
                    row.down[x] = 4.0 * between(&|x, y| coarse.primal[y].down[x], u, v - 0.25);
                    row.down_next[x] = row.down[x];
                }
            }
            self.primal[y].hold();
        }
        self.prolong_forces(coarse);
        Ok(())
    }

    /// Forces are the sum over surrounding coarse samples with the same kind of bound, divided by the number
    /// of all bound samples around.
    fn prolong_forces(&mut self, coarse: &Self) {
        for y in 1..=self.height {
            let row = &mut self.dual[y];
            for index in 0..row.bounds.len() {
                let bound = row.bounds[index];
                let (mut sum, mut count) = ([0.0; 8], 0.0f64);
                for v in (y - 1) / 2..=y / 2 {
                    for u in (bound.x - 1) / 2..=bound.x / 2 {
                        let Some(near) = coarse.dual.get(v + 1).filter(|row| !row.bounds.is_empty()) else {
                            continue;
                        };
                        let Ok(found) = near.bounds.binary_search_by_key(&(u + 1), |bound| bound.x) else {
                            continue;
                        };
                        count += 1.0;
                        if near.bounds[found].is_like(&bound) {
                            sum.iter_mut().zip(near.forces[found]).for_each(|(sum, force)| *sum += force);
                        }
                    }
                }
                let by = 4.0 / count.max(1.0);
                row.forces[index] = bound.allowed(sum.map(|force| force * by));
                row.gather(index);
            }
        }
    }
}

/// Bilinear interpolation on a grid with a margin of one.
fn between((width, height): (usize, usize), value: &dyn Fn(usize, usize) -> f64, (x, y): (f64, f64)) -> f64 {
    let along = |at: f64, count: usize| {
        let at = at.clamp(0.0, (count - 1) as f64);
        let low = (at as usize).min(count.saturating_sub(2));
        (low + 1, (low + 2).min(count), at - low as f64)
    };
    let ((left, right, u), (up, down, v)) = (along(x, width), along(y, height));
    let row = |y: usize| value(left, y) * (1.0 - u) + value(right, y) * u;
    row(up) * (1.0 - v) + row(down) * v
}

/// Resamples a grid with a margin of one at twice the density: one subdivision step towards a cubic spline.
/// Bilinear interpolation, as in [`between`], would leave a crease along each row and column of the coarser
/// grid.
fn smoothly(
    (width, height): (usize, usize),
    value: impl Fn(usize, usize) -> f64,
    (x, y): (usize, usize),
) -> f64 {
    let along = |at: usize, count: usize| {
        let (near, last) = ((at / 2).min(count - 1), count - 1);
        let (before, after) = (near.saturating_sub(1), (near + 1).min(last));
        match at.is_multiple_of(2) {
            true => [(before, 0.125), (near, 0.75), (after, 0.125)],
            false => [(before, 0.0), (near, 0.5), (after, 0.5)],
        }
    };
    let (columns, rows) = (along(x, width), along(y, height));
    let row = |y: usize| columns.iter().map(|&(x, part)| part * value(x + 1, y + 1)).sum::<f64>();
    rows.iter().map(|&(y, part)| part * row(y)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_unchanged_and_a_ridge_loses_its_crease() {
        let plane = |x: usize, y: usize| 3.0 * x as f64 - 2.0 * y as f64;
        for (x, y) in [(2, 2), (5, 4), (7, 3), (6, 7)] {
            let found = smoothly((6, 6), plane, (x, y));
            assert_eq!(found, 3.0 * (1.0 + x as f64 / 2.0) - 2.0 * (1.0 + y as f64 / 2.0), "{x}, {y}");
        }
        // A ridge of slope 1 along column 3 of the coarser grid: by hand, from weights of 1/8, 6/8, 1/8 and
        // 1/2, 1/2.
        let ridge = |x: usize, _: usize| -(x as f64 - 4.0).abs();
        let found: Vec<f64> = (4..=8).map(|x| smoothly((7, 3), ridge, (x, 2))).collect();
        assert_eq!(found, [-1.0, -0.5, -0.25, -0.5, -1.0]);
    }

    #[test]
    fn edges_repeat_their_values() {
        let value = |x: usize, y: usize| (10 * x + y) as f64;
        // Two columns and one row; the edge's values are repeated beyond it.
        let row: Vec<f64> = (0..4).map(|x| smoothly((2, 1), value, (x, 0))).collect();
        assert_eq!(row, [12.25, 16.0, 19.75, 21.0]);
    }
}
