//! The fractal dimension of a coastline.

use crate::parallel::collect;
use terrane_grid::{Grid, Heightmap};

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
    let land = |x: usize, y: usize| map[(x, y)] >= level;
    let rows: Vec<Vec<bool>> = collect(h, 32, |y| {
        let coast = |x: usize| {
            land(x, y)
                && ((x > 0 && !land(x - 1, y))
                    || (x + 1 < w && !land(x + 1, y))
                    || (y > 0 && !land(x, y - 1))
                    || (y + 1 < h && !land(x, y + 1)))
        };
        (0..w).map(coast).collect()
    });
    Grid::from_vec(w, h, rows.concat())
}

/// The fractal dimension of the coastline at a level by counting boxes (Thorimbert & Chopard 2018, section
/// 5.3).
///
/// Boxes lie side by side, starting at the map's first sample. Boxes that extend beyond the border count like
/// the others. O(samples · sizes).
#[must_use]
pub fn fractal_dimension(coastline: &Grid<bool>, sizes: &[u32]) -> FractalDimension {
    let boxes: Vec<Boxes> = sizes.iter().map(|&size| count(coastline, size.max(1))).collect();
    let points: Vec<(f64, f64)> = boxes
        .iter()
        .filter(|boxes| boxes.count > 0)
        .map(|boxes| (libm::log(f64::from(boxes.size)), libm::log(boxes.length)))
        .collect();
    let (slope, fit) = line(&points);
    FractalDimension { dimension: 1.0 - slope, fit, boxes }
}

fn count(coastline: &Grid<bool>, size: u32) -> Boxes {
    let (w, side) = (coastline.width().max(1), size as usize);
    let high = w.saturating_mul(side);
    let counts: Vec<u64> = collect(coastline.as_slice().len().div_ceil(high), 1, |row| {
        let rows = &coastline.as_slice()[row * high..];
        let rows = &rows[..high.min(rows.len())];
        let holds = |first: usize| rows.chunks(w).any(|row| row[first..w.min(first + side)].contains(&true));
        (0..w).step_by(side).filter(|&first| holds(first)).count() as u64
    });
    let count = counts.iter().sum();
    Boxes { size, count, length: count as f64 * f64::from(size) }
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
    use terrane_grid::Domain;

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

    #[test]
    fn without_a_coast_there_is_no_dimension() {
        let found = dimension(64, 9.0, |_, _| 1.0);
        assert!(found.dimension.is_nan() && found.boxes.iter().all(|b| b.count == 0));
    }
}
