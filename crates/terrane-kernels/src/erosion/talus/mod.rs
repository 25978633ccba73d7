//! Maximum slopes.

use crate::{Cancelled, ScalarMap};
use terrane_compute::{Alive, each};
use terrane_grid::{DIRECTIONS, Shape};

/// Terrain whose slopes must not exceed a talus.
pub struct Slopes<'a> {
    pub shape: Shape,
    /// World units between samples.
    pub spacing: f32,
    /// Maximum slope, rise over run, at each sample; negative values count as 0, NaN as unlimited.
    pub talus: ScalarMap<'a>,
    /// Height of water, which supports the ground next to it.
    pub sea_level: f32,
}

impl Slopes<'_> {
    /// Lowers every sample to the maximum height that its neighbours, or the water that covers them, support.
    /// A sample's gradient is then at most `talus`. The gradient is computed from one neighbour along x and
    /// one along y, as for the eikonal equation, so that a heap is a round cone. Above each of its four
    /// diagonal neighbours, a sample also rises by at most `talus` times the distance. `fixed` samples keep
    /// their heights. The result is the highest terrain below the given terrain with these properties, up to
    /// rounding. O(samples) per sweep. A uniform talus mostly takes two sweeps.
    pub fn lower(
        &self,
        heights: &mut [f32],
        fixed: impl Fn(usize) -> bool,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let Shape { width, height, .. } = self.shape;
        let mut moved = true;
        while moved {
            moved = false;
            for up in [false, true] {
                for row in 0..height {
                    let row = if up { height - 1 - row } else { row };
                    if row.is_multiple_of(16) {
                        alive()?;
                    }
                    let mut settle = |column: usize| {
                        let at = row * width + column;
                        let limit = self.limit(heights, (column, row));
                        if limit < heights[at] && !fixed(at) {
                            heights[at] = limit;
                            moved = true;
                        }
                    };
                    // The row is visited in both directions. On the way down, each sample is thus reached
                    // from all neighbours above and beside it, on the way up from all neighbours below and
                    // beside it.
                    (0..width).for_each(&mut settle);
                    (0..width).rev().for_each(settle);
                }
            }
        }
        Ok(())
    }

    /// The maximum height that a sample's neighbours support.
    #[inline]
    fn limit(&self, heights: &[f32], (column, row): (usize, usize)) -> f32 {
        let at = row * self.shape.width + column;
        let neighbour = |direction: usize| {
            let to = self.shape.neighbour_at(at, (column, row), DIRECTIONS[direction]);
            to.map_or(
                f32::INFINITY,
                |to| if heights[to] > self.sea_level { heights[to] } else { self.sea_level },
            )
        };
        let rise = self.rise(at);
        let (along_x, along_y) = (neighbour(2).min(neighbour(3)), neighbour(1).min(neighbour(4)));
        let apart = along_x - along_y;
        let on_axes = if apart.abs() < rise {
            0.5 * (along_x + along_y + (2.0 * rise * rise - apart * apart).sqrt())
        } else {
            along_x.min(along_y) + rise
        };
        let diagonal = neighbour(5).min(neighbour(6)).min(neighbour(7).min(neighbour(8)));
        on_axes.min(diagonal + rise * std::f32::consts::SQRT_2)
    }

    /// The minimum heights of ground near `fixed` samples. They descend from these samples with the slope of
    /// the talus, but are nowhere above the given heights. Without them, erosion would leave fixed samples as
    /// walls.
    pub fn foot(
        &self,
        heights: &[f32],
        fixed: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        // Turned upside down, these slopes are the highest terrain below a ceiling that is low only at the
        // fixed samples.
        const FAR: f32 = 1.0e30;
        let mut flipped = each(heights.len(), alive, |at| if fixed(at) { -heights[at] } else { FAR })?;
        Slopes { sea_level: f32::NEG_INFINITY, ..*self }.lower(&mut flipped, &fixed, alive)?;
        each(heights.len(), alive, |at| heights[at].min(-flipped[at]))
    }

    /// How much higher a sample may be than a neighbour along an axis.
    #[inline]
    fn rise(&self, at: usize) -> f32 {
        let rise = self.talus.at(at) * self.spacing;
        // This comparison keeps NaN, which means no limit.
        if rise < 0.0 { 0.0 } else { rise }
    }

    /// The first sample that is too steep, if any.
    #[cfg(test)]
    pub fn too_steep(&self, heights: &[f32], slack: f32) -> Option<usize> {
        (0..heights.len()).find(|&at| {
            DIRECTIONS[1..].iter().any(|&(dx, dy)| {
                let run = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
                self.shape.neighbour(self.shape.position(at), (dx, dy)).is_some_and(|to| {
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
        // A sample is at most 1 above each neighbour. If the neighbour is under water, the sample is at most
        // 1 above the water's surface at 0.
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
        /// Compares with repeatedly lowering all samples at once to the heights that their neighbours
        /// supported before.
        #[test]
        fn it_is_the_highest_stable_ground(
            w in 1usize..9,
            h in 1usize..9,
            wrap: bool,
            seed: u64,
            talus in 0.0f32..2.0,
        ) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let shape = Shape { width: w, height: h, wrap };
            let before: Vec<f32> = (0..w * h).map(|at| 10.0 * lattice.unit(at as i64, 0)).collect();
            let slopes = Slopes { shape, spacing: 1.0, talus: ScalarMap::Constant(talus), sea_level: -1.0 };
            let mut after = before.clone();
            slopes.lower(&mut after, NEVER, &|| Ok(())).unwrap();
            prop_assert_eq!(slopes.too_steep(&after, 1e-5), None);
            let mut expected = before;
            for _ in 0..200 {
                let limits: Vec<f32> =
                    (0..w * h).map(|at| slopes.limit(&expected, shape.position(at))).collect();
                expected.iter_mut().zip(limits).for_each(|(height, limit)| *height = height.min(limit));
            }
            for (after, expected) in after.into_iter().zip(expected) {
                prop_assert!((after - expected).abs() < 1e-5, "{after} {expected}");
            }
        }
    }

    /// Around one low sample the ground rises equally along axes, diagonals and between them.
    #[test]
    fn a_hollow_is_a_round_funnel() {
        let shape = Shape { width: 41, height: 41, wrap: false };
        let slopes = Slopes { shape, spacing: 1.0, talus: ScalarMap::Constant(1.0), sea_level: -1.0 };
        let mut heights = vec![100.0; 41 * 41];
        heights[20 * 41 + 20] = 0.0;
        slopes.lower(&mut heights, NEVER, &|| Ok(())).unwrap();
        for (at, height) in heights.iter().enumerate() {
            let (x, y) = shape.position(at);
            let far = libm::hypotf(x as f32 - 20.0, y as f32 - 20.0);
            assert_near(*height, far, 0.06 * far + 1e-4);
        }
    }

    fn assert_near(found: f32, expected: f32, tolerance: f32) {
        assert!((found - expected).abs() <= tolerance, "{found} for {expected}");
    }
}
