//! The fractal dimension of a coastline.

use terrane_grid::{Grid, Heightmap};

use crate::dispatch;
use crate::parallel::{for_each, slices};

/// The boxes of one size that cover the coastline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boxes {
    /// Side in samples.
    pub size: u32,
    /// Number of boxes that contain some of the coastline.
    pub count: u64,
    /// The coastline's length measured with these boxes: count times size, in samples.
    pub length: f64,
}

/// The fractal dimension of a coastline.
#[derive(Clone, Debug, PartialEq)]
pub struct FractalDimension {
    /// D in L(ε) = k·ε^(1 − D), where L is the length measured with boxes of side ε. Fitted by least squares
    /// over the logarithms. NaN if boxes of fewer than two sizes contain any coastline.
    pub dimension: f64,
    /// How much of the variance of log L the straight line explains, in [0, 1].
    pub fit: f64,
    /// Per size, in the order given.
    pub boxes: Vec<Boxes>,
}

/// The coastline at a level: samples at or above it with at least one of their four neighbours below it.
#[must_use]
pub fn coastline(map: &Heightmap, level: f32) -> Grid<bool> {
    let (w, h) = map.grid().size();
    let mut coast = vec![false; w * h];
    for_each(slices(&mut coast, w.max(1)), ROWS_PER_TASK, |y, coast| {
        let row = map.grid().row(y);
        // Beyond the border, the sample itself.
        let (above, below) = (map.grid().row(y.saturating_sub(1)), map.grid().row((y + 1).min(h - 1)));
        let is_coast = |x: usize, left: usize, right: usize| {
            let all =
                (row[left] >= level) & (row[right] >= level) & (above[x] >= level) & (below[x] >= level);
            (row[x] >= level) & !all
        };
        coast[0] = is_coast(0, 0, 1.min(w - 1));
        coast[w - 1] = is_coast(w - 1, w.saturating_sub(2), w - 1);
        dispatch!(_ => for (x, coast) in coast.iter_mut().enumerate().take(w - 1).skip(1) {
            *coast = is_coast(x, x - 1, x + 1);
        });
    });
    Grid::from_vec(w, h, coast)
}

/// Rows of a task.
const ROWS_PER_TASK: usize = 32;

/// The fractal dimension of the coastline at a level by counting boxes (Thorimbert & Chopard 2018, section
/// 5.3).
///
/// Boxes lie side by side, starting at the map's first sample. Boxes that extend beyond the border count like
/// the others. Boxes whose side is a multiple of another size's are found from the boxes of that size.
/// O(samples), if sizes are powers of two, and at most O(samples · sizes).
#[must_use]
pub fn fractal_dimension(coastline: &Grid<bool>, sizes: &[u32]) -> FractalDimension {
    let mut found: Vec<(u32, Grid<bool>)> = Vec::new();
    let mut boxes = Vec::new();
    for size in sizes.iter().map(|&size| size.max(1)) {
        let parts = found.iter().filter(|(part, _)| size % part == 0).max_by_key(|(part, _)| *part);
        let (part, parts) = parts.map_or((1, coastline), |(part, parts)| (*part, parts));
        let all = (size > part).then(|| merged(parts, (size / part) as usize));
        let cells = all.as_ref().unwrap_or(parts);
        let count = cells.as_slice().iter().filter(|coast| **coast).count() as u64;
        boxes.push(Boxes { size, count, length: count as f64 * f64::from(size) });
        found.extend(all.map(|all| (size, all)));
    }
    let points: Vec<(f64, f64)> = boxes
        .iter()
        .filter(|boxes| boxes.count > 0)
        .map(|boxes| (libm::log(f64::from(boxes.size)), libm::log(boxes.length)))
        .collect();
    let (slope, fit) = line(&points);
    FractalDimension { dimension: 1.0 - slope, fit, boxes }
}

/// Boxes of `side` × `side` cells: whether any of them is set.
fn merged(cells: &Grid<bool>, side: usize) -> Grid<bool> {
    let (w, h) = cells.size();
    let (across, down) = (w.div_ceil(side), h.div_ceil(side));
    let mut boxes = vec![false; across * down];
    for_each(slices(&mut boxes, across.max(1)), 1, |row, boxes| {
        let mut any = vec![false; w];
        for row in row * side..(row * side).saturating_add(side).min(h) {
            dispatch!(_ => any.iter_mut().zip(cells.row(row)).for_each(|(any, cell)| *any |= cell));
        }
        for (out, any) in boxes.iter_mut().zip(any.chunks(side)) {
            *out = any.contains(&true);
        }
    });
    Grid::from_vec(across, down, boxes)
}

/// The samples of all boxes of a size that contain some of the coastline.
#[must_use]
pub fn covered(coastline: &Grid<bool>, size: u32) -> Grid<bool> {
    let (w, h) = coastline.size();
    let side = size.max(1) as usize;
    let across = w.div_ceil(side);
    let mut boxes = vec![false; across * h.div_ceil(side)];
    for (at, _) in coastline.as_slice().iter().enumerate().filter(|(_, coast)| **coast) {
        boxes[at / w / side * across + at % w / side] = true;
    }
    Grid::from_fn(w, h, |x, y| boxes[y / side * across + x / side])
}

/// Slope of the least-squares line through points, and the share of variance that it explains.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(x, y)| f(x - mx, y - my)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx > 0.0 { (xy / xx, if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 }) } else { (f64::NAN, f64::NAN) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::*;

    const SIZES: [u32; 6] = [2, 4, 8, 16, 32, 64];

    fn dimension(side: usize, level: f32, height: impl FnMut(usize, usize) -> f32) -> FractalDimension {
        let map = Heightmap::from_fn(Domain::new(side, side), height);
        fractal_dimension(&coastline(&map, level), &SIZES)
    }

    #[test]
    fn a_straight_coast_has_dimension_one() {
        let found = dimension(256, 100.0, |x, _| x as f32);
        assert!((found.dimension - 1.0).abs() < 1e-12 && found.fit > 0.99, "{found:?}");
        assert_eq!(found.boxes[0], Boxes { size: 2, count: 128, length: 256.0 });
    }

    #[test]
    fn a_chessboard_has_dimension_two() {
        // A chessboard.
        let found = dimension(256, 0.5, |x, y| ((x + y) % 2) as f32);
        assert!((found.dimension - 2.0).abs() < 1e-12 && (found.fit - 1.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_koch_curve_is_close_to_its_dimension() {
        // log 4 / log 3 = 1.2619; the curve has 4⁶ pieces of about three samples.
        let mut points = vec![(20.0f64, 700.0f64), (2020.0, 700.0)];
        for _ in 0..6 {
            let mut next = vec![points[0]];
            for pair in points.windows(2) {
                let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
                let (dx, dy) = ((x1 - x0) / 3.0, (y1 - y0) / 3.0);
                let tip = (x0 + 1.5 * dx + dy * 0.866_025_4, y0 + 1.5 * dy - dx * 0.866_025_4);
                next.extend([(x0 + dx, y0 + dy), tip, (x0 + 2.0 * dx, y0 + 2.0 * dy), (x1, y1)]);
            }
            points = next;
        }
        let mut coast = Grid::filled(2048, 1024, false);
        for pair in points.windows(2) {
            for step in 0..8 {
                let t = f64::from(step) / 8.0;
                let at = |a: f64, b: f64| (a + (b - a) * t) as usize;
                coast[(at(pair[0].0, pair[1].0), at(pair[0].1, pair[1].1))] = true;
            }
        }
        // Sizes in steps of three, as the curve repeats.
        let found = fractal_dimension(&coast, &[3, 9, 27, 81, 243]);
        assert!((found.dimension - 1.2619).abs() < 0.05 && found.fit > 0.95, "{found:?}");
    }

    #[test]
    fn boxes_beyond_the_border_by_hand() {
        // Land is the lower right corner of 5 x 5; its coast is an L of seven samples.
        let map = Heightmap::from_fn(Domain::new(5, 5), |x, y| if x > 0 && y > 0 { 1.0 } else { 0.0 });
        let coast = coastline(&map, 0.5);
        assert_eq!(coast.as_slice().iter().filter(|&&c| c).count(), 7);
        let found = fractal_dimension(&coast, &[2, 3]);
        // All boxes of three except the last contain some of it.
        let covered = covered(&coast, 3);
        assert_eq!(
            (covered[(0, 4)], covered[(2, 2)], covered[(3, 3)], covered[(4, 0)]),
            (true, true, false, true)
        );
        // With a side of 2, the five boxes of the first row and column contain coast, of 3 x 3 boxes. With a
        // side of 3, three of 2 x 2 boxes do.
        assert_eq!(found.boxes.iter().map(|b| b.count).collect::<Vec<_>>(), [5, 3]);
    }

    proptest! {
        #[test]
        fn coasts_and_boxes_are_those_found_one_by_one(
            (w, h) in (1usize..70, 1usize..40), sizes in prop::collection::vec(0u32..90, 0..6), seed: u64,
        ) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                let height = lattice.unit(x as i64 / 3, y as i64 / 3);
                if height > 0.95 { f32::NAN } else { height }
            });
            let coast = coastline(&map, 0.5);
            let is_land = |at: (usize, usize)| map[at] >= 0.5;
            for y in 0..h {
                for x in 0..w {
                    let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                    let mut beside = beside.into_iter().filter(|&(x, y)| x < w && y < h);
                    prop_assert_eq!(coast[(x, y)], is_land((x, y)) && beside.any(|at| !is_land(at)));
                }
            }
            for boxes in fractal_dimension(&coast, &sizes).boxes {
                let covered = covered(&coast, boxes.size);
                let side = boxes.size as usize;
                let corners = (0..h).step_by(side).flat_map(|y| (0..w).step_by(side).map(move |x| (x, y)));
                prop_assert_eq!(boxes.count, corners.filter(|at| covered[*at]).count() as u64);
            }
        }
    }

    #[test]
    fn without_a_coast_there_is_no_dimension() {
        let found = dimension(64, 9.0, |_, _| 1.0);
        assert!(found.dimension.is_nan() && found.boxes.iter().all(|b| b.count == 0));
    }
}
