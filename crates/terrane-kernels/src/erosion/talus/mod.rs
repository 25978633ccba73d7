//! Maximum slopes.

mod block;
mod blocks;

use crate::Cancelled;
use terrane_compute::parallel::{elements, for_each};
use terrane_compute::{Alive, each};
use terrane_grid::{DIRECTIONS, Shape};

use self::block::limit;

/// Terrain whose slopes must not exceed a talus.
pub struct Slopes<T> {
    pub shape: Shape,
    /// World units between samples.
    pub spacing: f32,
    /// Maximum slope, rise over run, at each sample; negative values count as 0, NaN as unlimited.
    pub talus: T,
    /// Height of water, which supports the ground next to it.
    pub sea_level: f32,
}

impl<T: Fn(usize) -> f32 + Sync> Slopes<T> {
    /// Lowers every sample to the maximum height that its neighbours, or the water that covers them, support.
    /// A sample's gradient is then at most `talus`. The gradient is computed from one neighbour along x and
    /// one along y, as for the eikonal equation, so that a heap is a round cone. Above each of its four
    /// diagonal neighbours, a sample also rises by at most `talus` times the distance. `fixed` samples keep
    /// their heights. The result is the highest terrain below the given terrain with these properties, up to
    /// rounding.
    pub fn lower(
        &self,
        heights: &mut [f32],
        fixed: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let rise = |at: usize| if fixed(at) { f32::INFINITY } else { self.rise(at) };
        let mut levels = each(heights.len(), alive, |at| self.level(heights[at]))?;
        blocks::lower(self.shape, &mut levels, rise, alive)?;
        for_each(elements(heights), 4096, |at, height| {
            // Ground under water is lower than the water that stands for it.
            if levels[at] < *height {
                *height = levels[at];
            }
        });
        alive()
    }

    /// A height, or that of the water above it.
    #[inline]
    fn level(&self, height: f32) -> f32 {
        if height > self.sea_level { height } else { self.sea_level }
    }

    /// The lowest heights beside a sample, or of the water there: along x, along y and on diagonals.
    #[inline]
    fn around(&self, heights: &[f32], position: (usize, usize), at: usize) -> (f32, f32, f32) {
        let Shape { width, height, .. } = self.shape;
        let (column, row) = position;
        if column > 0 && column + 1 < width && row > 0 && row + 1 < height {
            let three = |at: usize| {
                let three = &heights[at - 1..=at + 1];
                [self.level(three[0]), self.level(three[1]), self.level(three[2])]
            };
            let ([a, b, c], [d, _, e], [f, g, h]) = (three(at - width), three(at), three(at + width));
            return (d.min(e), b.min(g), a.min(c).min(f.min(h)));
        }
        let neighbour = |direction: usize| {
            let to = self.shape.neighbour_at(at, position, DIRECTIONS[direction]);
            to.map_or(f32::INFINITY, |to| self.level(heights[to]))
        };
        (
            neighbour(2).min(neighbour(3)),
            neighbour(1).min(neighbour(4)),
            neighbour(5).min(neighbour(6)).min(neighbour(7).min(neighbour(8))),
        )
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
        let slopes = Slopes {
            shape: self.shape,
            spacing: self.spacing,
            talus: &self.talus,
            sea_level: f32::NEG_INFINITY,
        };
        slopes.lower(&mut flipped, &fixed, alive)?;
        each(heights.len(), alive, |at| heights[at].min(-flipped[at]))
    }

    /// The least talus, at least that of the sample, with which [`lower`](Self::lower) would not move the
    /// sample. It is exact, rounding included: a sample that was lowered to a talus has no greater one
    /// afterwards, however often this is repeated.
    pub fn steepness(&self, heights: &[f32], at: usize) -> f32 {
        let (along_x, along_y, diagonal) = self.around(heights, self.shape.position(at), at);
        let moves = |talus: f32| {
            let limit = limit(talus * self.spacing, along_x, along_y, diagonal);
            limit < heights[at]
        };
        // This comparison turns NaN and -0 into 0, whose bits are the least.
        let least = if (self.talus)(at) > 0.0 { (self.talus)(at) } else { 0.0 };
        if !moves(least) {
            return least;
        }
        // Without rounding it would be the steepness of these differences.
        let [x, y, d] = [along_x, along_y, diagonal].map(|other| (heights[at] - other).max(0.0));
        let about = (x * x + y * y).sqrt().max(d * std::f32::consts::FRAC_1_SQRT_2) / self.spacing;
        let rounding = 8.0 * f32::EPSILON * heights[at].abs() / self.spacing + 8.0 * f32::EPSILON * about;
        let (low, high) = ((about - rounding).max(least), about + rounding);
        // The bits of positive numbers are in the order of the numbers.
        let mut below = if moves(low) { low } else { least }.to_bits();
        let mut enough = if moves(high) { f32::INFINITY } else { high }.to_bits();
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            *(if moves(f32::from_bits(middle)) { &mut below } else { &mut enough }) = middle;
        }
        f32::from_bits(enough)
    }

    /// How much higher a sample may be than a neighbour along an axis.
    #[inline]
    fn rise(&self, at: usize) -> f32 {
        let rise = (self.talus)(at) * self.spacing;
        // A talus that is not a number is no limit.
        if rise.is_nan() { f32::INFINITY } else { rise.max(0.0) }
    }

    /// The first sample that is too steep, if any.
    #[cfg(test)]
    pub fn too_steep(&self, heights: &[f32], slack: f32) -> Option<usize> {
        (0..heights.len()).find(|&at| {
            DIRECTIONS[1..].iter().any(|&(dx, dy)| {
                let run = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
                self.shape.neighbour(self.shape.position(at), (dx, dy)).is_some_and(|to| {
                    heights[at] - heights[to].max(self.sea_level)
                        > (self.talus)(at) * self.spacing * run + slack
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

    fn slopes(talus: f32, sea_level: f32) -> Slopes<impl Fn(usize) -> f32> {
        let shape = Shape { width: 6, height: 1, wrap: false };
        Slopes { shape, spacing: 2.0, talus: move |_| talus, sea_level }
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
            let slopes = Slopes { shape, spacing: 1.0, talus: move |_| talus, sea_level: -1.0 };
            let mut after = before.clone();
            slopes.lower(&mut after, NEVER, &|| Ok(())).unwrap();
            prop_assert_eq!(slopes.too_steep(&after, 1e-5), None);
            let mut expected = before;
            for _ in 0..200 {
                let limits: Vec<f32> =
                    (0..w * h)
                        .map(|at| {
                            let (x, y, diagonal) = slopes.around(&expected, shape.position(at), at);
                            limit(slopes.rise(at), x, y, diagonal)
                        })
                        .collect();
                expected.iter_mut().zip(limits).for_each(|(height, limit)| *height = height.min(limit));
            }
            for (after, expected) in after.into_iter().zip(expected) {
                prop_assert!((after - expected).abs() < 1e-5, "{after} {expected}");
            }
        }
    }

    /// Lowers all samples at once to the heights that their neighbours supported before, until nothing moves.
    fn slowly<T: Fn(usize) -> f32 + Sync>(slopes: &Slopes<T>, mut heights: Vec<f32>) -> Vec<f32> {
        loop {
            let limited = |at: usize| {
                let (x, y, diagonal) = slopes.around(&heights, slopes.shape.position(at), at);
                limit(slopes.rise(at), x, y, diagonal).min(heights[at])
            };
            let lowered: Vec<f32> = (0..heights.len()).map(limited).collect();
            if lowered == heights {
                return heights;
            }
            heights = lowered;
        }
    }

    proptest! {
        /// Maps of several blocks, of which the last are smaller.
        #[test]
        fn blocks_agree_with_the_whole(
            (w, h) in (60usize..140, 30usize..70),
            wrap: bool,
            seed: u64,
            talus in 0.0f32..2.0,
        ) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let shape = Shape { width: w, height: h, wrap };
            // Rough ground on a wide slope, down which limits run far.
            let before: Vec<f32> =
                (0..w * h).map(|at| 10.0 * lattice.unit(at as i64, 0) + (at % w) as f32).collect();
            let slopes = Slopes { shape, spacing: 1.0, talus: move |_| talus, sea_level: -1.0 };
            let mut after = before.clone();
            slopes.lower(&mut after, NEVER, &|| Ok(())).unwrap();
            // Heights are rounded to 1e-5 here.
            for (after, expected) in after.into_iter().zip(slowly(&slopes, before)) {
                prop_assert!((after - expected).abs() < 1e-4, "{after} {expected}");
            }
        }
    }

    /// The foot of fixed samples reaches all blocks, from all sides.
    #[test]
    fn a_foot_reaches_far() {
        let lattice = terrane_grid::Seed(5).lattice();
        let (w, h) = (200, 150);
        let shape = Shape { width: w, height: h, wrap: false };
        let fixed = |at: usize| lattice.unit(at as i64, 1) < 0.0005;
        let slopes = Slopes { shape, spacing: 1.0, talus: |_| 0.3, sea_level: f32::NEG_INFINITY };
        let before: Vec<f32> =
            (0..w * h).map(|at| if fixed(at) { 20.0 * lattice.unit(at as i64, 0) } else { 1.0e30 }).collect();
        let kept = |at: usize| if fixed(at) { f32::NAN } else { 0.3 };
        let expected = slowly(
            &Slopes { shape, spacing: 1.0, talus: kept, sea_level: f32::NEG_INFINITY },
            before.clone(),
        );
        let mut found = before;
        slopes.lower(&mut found, fixed, &|| Ok(())).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            assert!(*found < 100.0 && (found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }

    proptest! {
        /// To the bit, however often it is repeated.
        #[test]
        fn what_was_lowered_to_a_talus_stands_at_it(
            w in 1usize..9,
            h in 1usize..9,
            wrap: bool,
            seed: u64,
            talus in 0.0f32..2.0,
            base in prop_oneof![Just(0.0f32), Just(3000.0f32), -1.0e5f32..1.0e5],
        ) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let shape = Shape { width: w, height: h, wrap };
            let slopes = Slopes { shape, spacing: 0.7, talus: move |_| talus, sea_level: f32::NEG_INFINITY };
            let mut heights: Vec<f32> =
                (0..w * h).map(|at| base + 10.0 * lattice.unit(at as i64, 0)).collect();
            // What is steeper may remain, with the least talus at which it does.
            let as_it_is: Vec<f32> = (0..w * h).map(|at| slopes.steepness(&heights, at)).collect();
            let talus_of_each = |at: usize| as_it_is[at];
            let remain = Slopes { shape, spacing: 0.7, talus: talus_of_each, sea_level: f32::NEG_INFINITY };
            let before = heights.clone();
            remain.lower(&mut heights, NEVER, &|| Ok(())).unwrap();
            prop_assert_eq!(&heights, &before);
            slopes.lower(&mut heights, NEVER, &|| Ok(())).unwrap();
            for at in 0..w * h {
                prop_assert_eq!(slopes.steepness(&heights, at), talus);
            }
        }
    }

    #[test]
    fn no_talus_is_a_talus_of_zero() {
        let shape = Shape { width: 6, height: 1, wrap: false };
        for talus in [0.0, -0.0, -1.0] {
            let slopes = Slopes { shape, spacing: 2.0, talus: |_| talus, sea_level: f32::NEG_INFINITY };
            let heights = [9.0, -1.0, 5.0, 6.0, -3.0, 4.0];
            let found = [0, 1, 3].map(|at| slopes.steepness(&heights, at).to_bits());
            assert_eq!(found, [5.0f32, 0.0, 4.5].map(f32::to_bits));
        }
    }

    /// Around one low sample the ground rises equally along axes, diagonals and between them.
    #[test]
    fn a_hollow_is_a_round_funnel() {
        let shape = Shape { width: 41, height: 41, wrap: false };
        let slopes = Slopes { shape, spacing: 1.0, talus: |_| 1.0, sea_level: -1.0 };
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
