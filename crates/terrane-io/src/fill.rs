//! Filling missing samples from those around them.
//!
//! The pull-push pyramid of Gortler et al., *The Lumigraph* (SIGGRAPH 1996, section 3.4), with relaxation at
//! every level. Pull: a coarse sample is the mean of the valid samples among its four fine ones. Push: a
//! missing sample starts from the bilinear interpolation of the coarse level and is relaxed towards the mean
//! of its neighbours. The result resembles a membrane stretched over the hole: continuous at its rim, without
//! new extremes. Time is linear in the number of samples.

use terrane_grid::Grid;

/// Relaxation sweeps per level. The coarse level already has the long wavelengths, so a few sweeps suffice
/// for the rest.
const SWEEPS: usize = 6;

/// A run of missing samples in one row.
struct Run {
    row: usize,
    start: usize,
    end: usize,
}

/// Fills every sample whose `valid` is not 1 with a value between those of the valid samples.
///
/// Without any valid sample nothing changes. The result depends only on the valid values and the mask, not on
/// the old values of missing samples.
pub fn fill(grid: &mut Grid<f32>, valid: &Grid<f32>) {
    let runs = missing_runs(valid);
    let samples: usize = runs.iter().map(|run| run.end - run.start).sum();
    if runs.is_empty() || samples == grid.len() {
        return;
    }
    let (mut coarse, coarse_valid) = pull(grid, valid);
    fill(&mut coarse, &coarse_valid);
    push(grid, &coarse, &runs);
    for _ in 0..SWEEPS {
        relax(grid, &runs, 0);
        relax(grid, &runs, 1);
    }
}

fn missing_runs(valid: &Grid<f32>) -> Vec<Run> {
    let mut runs = Vec::new();
    for row in 0..valid.height() {
        let mut start = None;
        for (column, &v) in valid.row(row).iter().enumerate() {
            match (v == 1.0, start) {
                (false, None) => start = Some(column),
                (true, Some(first)) => {
                    runs.push(Run { row, start: first, end: column });
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(first) = start {
            runs.push(Run { row, start: first, end: valid.width() });
        }
    }
    runs
}

/// A level of half the size: means of the valid samples among four. Sums in f64 are exact, so a mean never
/// leaves the range of its samples.
fn pull(grid: &Grid<f32>, valid: &Grid<f32>) -> (Grid<f32>, Grid<f32>) {
    let (width, height) = (grid.width().div_ceil(2), grid.height().div_ceil(2));
    let mut coarse = Grid::filled(width, height, 0.0);
    let mut coarse_valid = Grid::filled(width, height, 0.0);
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut count) = (0.0, 0.0);
            for row in 2 * y..(2 * y + 2).min(grid.height()) {
                for column in 2 * x..(2 * x + 2).min(grid.width()) {
                    if valid[(column, row)] == 1.0 {
                        sum += f64::from(grid[(column, row)]);
                        count += 1.0;
                    }
                }
            }
            if count > 0.0 {
                coarse[(x, y)] = (sum / count) as f32;
                coarse_valid[(x, y)] = 1.0;
            }
        }
    }
    (coarse, coarse_valid)
}

/// Interpolates missing samples from the coarse level. A coarse sample is at the centre of its four fine
/// ones, so in each direction a fine sample is a quarter of the way from its coarse sample to the next:
/// weights 9, 3, 3, 1 of 16.
fn push(grid: &mut Grid<f32>, coarse: &Grid<f32>, runs: &[Run]) {
    let step = |i: usize, limit: usize| {
        let near = i / 2;
        (near, if i.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(limit - 1) })
    };
    for run in runs {
        let (near_y, far_y) = step(run.row, coarse.height());
        for column in run.start..run.end {
            let (near_x, far_x) = step(column, coarse.width());
            let at = |x, y| f64::from(coarse[(x, y)]);
            let near = 3.0 * at(near_x, near_y) + at(far_x, near_y);
            let far = 3.0 * at(near_x, far_y) + at(far_x, far_y);
            grid[(column, run.row)] = ((3.0 * near + far) / 16.0) as f32;
        }
    }
}

/// Half a Gauss–Seidel sweep over the missing samples of one colour of the chequerboard. Samples of one
/// colour are not neighbours, so their order does not matter.
fn relax(grid: &mut Grid<f32>, runs: &[Run], colour: usize) {
    let (width, height) = grid.size();
    for run in runs {
        let y = run.row;
        for x in (run.start..run.end).filter(|x| (x + y) % 2 == colour) {
            let (mut sum, mut count) = (0.0, 0.0);
            let mut add = |x, y| {
                sum += f64::from(grid[(x, y)]);
                count += 1.0;
            };
            if x > 0 {
                add(x - 1, y);
            }
            if x + 1 < width {
                add(x + 1, y);
            }
            if y > 0 {
                add(x, y - 1);
            }
            if y + 1 < height {
                add(x, y + 1);
            }
            if count > 0.0 {
                grid[(x, y)] = (sum / count) as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holes(width: usize, height: usize, keep: impl Fn(usize, usize) -> bool) -> Grid<f32> {
        Grid::from_fn(width, height, |x, y| if keep(x, y) { 1.0 } else { 0.0 })
    }

    #[test]
    fn one_hole_is_the_mean_of_its_neighbours() {
        let valid = holes(3, 3, |x, y| (x, y) != (1, 1));
        let mut grid = Grid::from_fn(3, 3, |x, y| (x + 10 * y) as f32);
        grid[(1, 1)] = -9999.0;
        fill(&mut grid, &valid);
        assert_eq!(grid[(1, 1)], 11.0);
        assert_eq!(grid[(2, 2)], 22.0);
    }

    #[test]
    fn a_plane_is_nearly_restored() {
        let valid = holes(65, 49, |x, y| !(20..40).contains(&x) || !(15..30).contains(&y));
        let plane = Grid::from_fn(65, 49, |x, y| 3.0 * x as f32 - 2.0 * y as f32);
        let mut grid = plane.clone();
        fill(&mut grid, &valid);
        let rise = 3.0 * 20.0 + 2.0 * 15.0;
        for (filled, wanted) in grid.as_slice().iter().zip(plane.as_slice()) {
            assert!((filled - wanted).abs() < 0.05 * rise, "{filled} for {wanted}");
        }
    }

    #[test]
    fn a_single_valid_sample_spreads_everywhere() {
        for (width, height) in [(1, 1), (1, 9), (7, 1), (13, 6)] {
            let valid = holes(width, height, |x, y| (x, y) == (width - 1, height / 2));
            let mut grid = Grid::filled(width, height, f32::NAN);
            grid[(width - 1, height / 2)] = 4.5;
            fill(&mut grid, &valid);
            assert!(grid.as_slice().iter().all(|&h| h == 4.5), "{width} x {height}: {grid:?}");
        }
        let mut grid = Grid::filled(3, 2, 1.0);
        fill(&mut grid, &Grid::filled(3, 2, 0.0));
        assert_eq!(grid, Grid::filled(3, 2, 1.0));
    }

    proptest! {
        #[test]
        fn valid_samples_stay_and_filled_ones_are_between_them(
            (width, height) in (1usize..20, 1usize..20),
            heights in prop::collection::vec(-1e4f32..1e4, 400),
            kept in prop::collection::vec(any::<bool>(), 400),
            junk in prop::sample::select(vec![f32::NAN, f32::INFINITY, -9999.0, 0.0]),
        ) {
            prop_assume!(kept[..width * height].contains(&true));
            let valid = holes(width, height, |x, y| kept[y * width + x]);
            let with = |junk: f32| {
                let mut grid = Grid::from_fn(width, height, |x, y| {
                    if kept[y * width + x] { heights[y * width + x] } else { junk }
                });
                fill(&mut grid, &valid);
                grid
            };
            let grid = with(junk);
            let known = || (0..width * height).filter(|&i| kept[i]).map(|i| heights[i]);
            let (low, high) = (known().fold(f32::MAX, f32::min), known().fold(f32::MIN, f32::max));
            for (i, &h) in grid.as_slice().iter().enumerate() {
                prop_assert!(h >= low && h <= high);
                prop_assert!(!kept[i] || h == heights[i]);
            }
            prop_assert_eq!(grid, with(7.0));
        }
    }
}
