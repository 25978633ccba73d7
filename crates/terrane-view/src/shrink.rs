//! Reduces maps and pictures to fewer samples, for thumbnails and meshes.

use terrane_grid::{Domain, Grid, Heightmap};

/// A rectangle of samples: first column and row, columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// A part of a map in which each sample is the mean of `stride` × `stride` samples. Samples that are not
/// finite are ignored; if none is finite, the mean is NaN. The window must be inside the map. At its right
/// and lower border, means cover fewer samples. O(samples of the window).
#[must_use]
pub fn shrink(map: &Heightmap, window: Window, stride: usize) -> Heightmap {
    let stride = stride.max(1);
    let (columns, rows) = (window.width.div_ceil(stride), window.height.div_ceil(stride));
    let domain = Domain {
        size: (columns, rows),
        spacing: map.spacing() * stride as f64,
        origin: (map.domain().x(window.x), map.domain().y(window.y)),
    };
    let mut out = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        let lines = span(window.y + row * stride, stride, window.y + window.height);
        for column in 0..columns {
            let across = span(window.x + column * stride, stride, window.x + window.width);
            out.push(mean(map, across, lines.clone()));
        }
    }
    Heightmap::from_vec(domain, out)
}

/// A map with no side longer than `side` samples. Its first and last samples are at the same positions as the
/// original's, so that a mesh of it covers the same extent. Each sample is the mean of the samples around its
/// position.
#[must_use]
pub fn fit(map: &Heightmap, side: usize) -> Heightmap {
    let (w, h) = map.domain().size;
    let size = fitting((w, h), side);
    if size == (w, h) {
        return map.clone();
    }
    let (xs, ys) = (nearest_samples(w, size.0), nearest_samples(h, size.1));
    let out = ys.iter().flat_map(|rows| xs.iter().map(|columns| mean(map, columns.clone(), rows.clone())));
    Heightmap::from_vec(map.domain().resized(size), out.collect())
}

/// Shrinks a picture by averaging pixels, so that no side is longer than `side`.
#[must_use]
pub fn fit_picture(picture: &Grid<[u8; 3]>, side: usize) -> Grid<[u8; 3]> {
    let size = fitting(picture.size(), side);
    if size == picture.size() {
        return picture.clone();
    }
    let (xs, ys) = (nearest_samples(picture.width(), size.0), nearest_samples(picture.height(), size.1));
    Grid::from_fn(size.0, size.1, |x, y| {
        let (mut sum, mut count) = ([0u32; 3], 0);
        for row in ys[y].clone() {
            for rgb in &picture.row(row)[xs[x].clone()] {
                sum = std::array::from_fn(|i| sum[i] + u32::from(rgb[i]));
                count += 1;
            }
        }
        sum.map(|sum| (sum / count.max(1)) as u8)
    })
}

/// The size at which no side is longer than `side`. The ratio of the sides is kept, up to rounding.
#[must_use]
pub fn fitting((w, h): (usize, usize), side: usize) -> (usize, usize) {
    let (longest, side) = (w.max(h), side.max(1));
    if longest <= side {
        return (w, h);
    }
    let scaled = |n: usize| ((n as f64 * side as f64 / longest as f64 + 0.5) as usize).clamp(1, side);
    (scaled(w), scaled(h))
}

/// For each of `count` evenly spaced positions, the range of nearest samples.
fn nearest_samples(samples: usize, count: usize) -> Vec<std::ops::Range<usize>> {
    let step = if count > 1 { (samples - 1) as f64 / (count - 1) as f64 } else { 0.0 };
    let half = if count > 1 { step / 2.0 } else { samples as f64 };
    let around = |i: usize| {
        let centre = i as f64 * step;
        let first = (centre - half).max(0.0).ceil() as usize;
        let last = (centre + half).min((samples - 1) as f64).floor() as usize;
        // If the range is empty, use the nearest sample.
        if first <= last { first..last + 1 } else { (centre + 0.5) as usize..(centre + 0.5) as usize + 1 }
    };
    (0..count).map(around).collect()
}

fn span(first: usize, length: usize, end: usize) -> std::ops::Range<usize> {
    first..(first + length).min(end)
}

fn mean(map: &Heightmap, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> f32 {
    if columns.len() == 1 && rows.len() == 1 {
        return map[(columns.start, rows.start)];
    }
    let (mut sum, mut count) = (0.0f64, 0u32);
    for row in rows {
        for &sample in &map.grid().row(row)[columns.clone()] {
            if sample.is_finite() {
                sum += f64::from(sample);
                count += 1;
            }
        }
    }
    if count == 0 { f32::NAN } else { (sum / f64::from(count)) as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Heightmap {
        Heightmap::from_fn(Domain::new(5, 3).with_spacing(2.0), |x, y| (x + 10 * y) as f32)
    }

    #[test]
    fn means_by_hand() {
        let all = Window { x: 0, y: 0, width: 5, height: 3 };
        let half = shrink(&ramp(), all, 2);
        assert_eq!(half.domain(), Domain::new(3, 2).with_spacing(4.0));
        assert_eq!(half.samples(), [5.5, 7.5, 9.0, 20.5, 22.5, 24.0]);
        let corner = shrink(&ramp(), Window { x: 3, y: 1, width: 2, height: 2 }, 1);
        assert_eq!((corner.samples(), corner.domain().origin), (&[13.0, 14.0, 23.0, 24.0][..], (6.0, 2.0)));
    }

    #[test]
    fn samples_that_are_not_finite_are_ignored() {
        let map = Heightmap::from_vec(Domain::new(4, 1), vec![1.0, f32::NAN, f32::NAN, f32::INFINITY]);
        let half = shrink(&map, Window { x: 0, y: 0, width: 4, height: 1 }, 2);
        assert_eq!(half.samples()[0], 1.0);
        assert!(half.samples()[1].is_nan());
    }

    #[test]
    fn fitting_keeps_corners_ratio_and_extent() {
        let map = Heightmap::from_fn(Domain::new(4097, 2049), |x, _| x as f32);
        let small = fit(&map, 513);
        assert_eq!(small.domain().size, (513, 257));
        assert_eq!(small.domain().extent(), (4096.0, 2048.0));
        assert!(small.samples()[0] < 3.0 && small.samples()[512] > 4093.0 && small.samples()[256] == 2048.0);
        assert_eq!(fit(&map, 5000), map);
        assert_eq!(fit(&map, 1).domain().size, (1, 1));
        assert_eq!(fitting((1, 1000), 10), (1, 10));
    }

    #[test]
    fn pictures_fit() {
        let picture = Grid::from_fn(4, 2, |x, _| [x as u8 * 10; 3]);
        let small = fit_picture(&picture, 2);
        assert_eq!(small.size(), (2, 1));
        assert!(small.row(0)[0][0] < small.row(0)[1][0]);
    }
}
