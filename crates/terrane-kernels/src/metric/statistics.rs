//! Mean, deviation and extremes of maps and of their differences.

use terrane_grid::Heightmap;

use super::rows::by_rows;
use crate::shape::from_rows;

/// Statistics of one map. Samples that are not finite are counted and otherwise ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Finite samples.
    pub count: u64,
    /// Samples that are not finite.
    pub not_finite: u64,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// Mean.
    pub mean: f64,
    /// Population standard deviation.
    pub deviation: f64,
    /// Sum.
    pub sum: f64,
}

/// Statistics of a map; an empty one, or one without finite samples, gives zeros. Two passes, O(samples).
#[must_use]
pub fn statistics(map: &Heightmap) -> Statistics {
    let rows = by_rows(map, |_, row| {
        let mut part = (0u64, f32::MAX, f32::MIN, 0.0f64);
        for &sample in row.iter().filter(|sample| sample.is_finite()) {
            part = (part.0 + 1, part.1.min(sample), part.2.max(sample), part.3 + f64::from(sample));
        }
        part
    });
    let (mut count, mut min, mut max, mut sum) = (0, f32::MAX, f32::MIN, 0.0);
    for row in rows {
        count += row.0;
        min = min.min(row.1);
        max = max.max(row.2);
        sum += row.3;
    }
    let not_finite = map.samples().len() as u64 - count;
    if count == 0 {
        return Statistics { count, not_finite, min: 0.0, max: 0.0, mean: 0.0, deviation: 0.0, sum: 0.0 };
    }
    let mean = sum / count as f64;
    let squares: f64 = by_rows(map, |_, row| {
        let deviations =
            row.iter().filter(|sample| sample.is_finite()).map(|&sample| f64::from(sample) - mean);
        deviations.map(|deviation| deviation * deviation).sum::<f64>()
    })
    .into_iter()
    .sum();
    let deviation = (squares / count as f64).sqrt();
    Statistics { count, not_finite, min: f64::from(min), max: f64::from(max), mean, deviation, sum }
}

/// The difference between two maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Per sample, the second map minus the first.
    pub map: Heightmap,
    /// Mean of the absolute differences.
    pub mean: f64,
    /// Maximum absolute difference.
    pub max: f64,
    /// Root of the mean square.
    pub root_mean_square: f64,
}

/// The difference `b − a` and its size. Samples where it is not a number count for nothing.
///
/// # Panics
/// When the maps differ in size.
#[must_use]
pub fn height_difference(a: &Heightmap, b: &Heightmap) -> Difference {
    assert_eq!(a.domain().size, b.domain().size, "a difference needs maps of the same size");
    let map = from_rows(a.domain(), |row, out| {
        for ((out, a), b) in out.iter_mut().zip(a.grid().row(row)).zip(b.grid().row(row)) {
            *out = b - a;
        }
    });
    let map = a.with_grid(map.into_grid());
    let rows = by_rows(&map, |_, row| {
        let numbers = row.iter().filter(|d| !d.is_nan());
        numbers.fold((0u64, 0.0f64, 0.0f64, 0.0f64), |(count, sum, squares, max), &d| {
            let d = f64::from(d).abs();
            (count + 1, sum + d, squares + d * d, max.max(d))
        })
    });
    let (mut count, mut sum, mut squares, mut max) = (0, 0.0, 0.0, 0.0f64);
    for row in rows {
        count += row.0;
        sum += row.1;
        squares += row.2;
        max = max.max(row.3);
    }
    let count = count.max(1) as f64;
    Difference { map, mean: sum / count, max, root_mean_square: (squares / count).sqrt() }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn by_hand() {
        let map = Heightmap::from_vec(Domain::new(2, 3), vec![1.0, 3.0, 5.0, 7.0, f32::NAN, f32::INFINITY]);
        let s = statistics(&map);
        assert_eq!((s.count, s.not_finite, s.min, s.max, s.mean, s.sum), (4, 2, 1.0, 7.0, 4.0, 16.0));
        assert_eq!(s.deviation, 5.0f64.sqrt());
    }

    #[test]
    fn nothing_finite_gives_zeros() {
        let s = statistics(&Heightmap::constant(Domain::new(3, 3), f32::NAN));
        assert_eq!((s.count, s.not_finite, s.mean, s.deviation), (0, 9, 0.0, 0.0));
    }

    #[test]
    fn differences_by_hand() {
        let a = Heightmap::from_vec(Domain::new(2, 2), vec![0.0, 1.0, 2.0, 3.0]);
        let b = Heightmap::from_vec(Domain::new(2, 2), vec![3.0, 1.0, -2.0, 3.0]);
        let d = height_difference(&a, &b);
        assert_eq!(d.map.samples(), [3.0, 0.0, -4.0, 0.0]);
        assert_eq!((d.mean, d.max, d.root_mean_square), (1.75, 4.0, 2.5));
    }
}
