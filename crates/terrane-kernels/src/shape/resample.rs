//! Resamples a map on another grid.

use crate::parallel::{for_each, slices};
use terrane_grid::{Domain, Heightmap};

/// How values between samples are interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Filter {
    /// The nearest sample.
    Nearest,
    /// Linear interpolation between the four surrounding samples.
    Bilinear,
    /// Cubic interpolation through the sixteen surrounding samples.
    ///
    /// Catmull-Rom cubics: sharper than `Bilinear`, and may overshoot.
    Bicubic,
    /// The mean over the new sample's cell, for reducing the number of samples.
    Area,
}

/// The map's heights at the samples of `domain`, by world position; outside, those of the nearest border.
/// The same domain returns the map itself, bit for bit. O(new samples), with `Area` O(old + new).
#[must_use]
pub fn resample(map: &Heightmap, domain: Domain, filter: Filter) -> Heightmap {
    if domain == map.domain() {
        return map.clone();
    }
    let old = map.domain();
    let axis = |origin: f64, old_origin: f64, count, old_count| Axis {
        first: (origin - old_origin) / old.spacing,
        step: domain.spacing / old.spacing,
        count,
        old_count,
    };
    let columns = axis(domain.origin.0, old.origin.0, domain.width(), old.width());
    let rows = axis(domain.origin.1, old.origin.1, domain.height(), old.height());
    Heightmap::from_vec(domain, sample(map, &columns, &rows, filter))
}

/// The map stretched to another size, each axis independently: first and last samples stay. The result is
/// placed at the origin with samples one unit apart.
#[must_use]
pub fn stretch(map: &Heightmap, size: (usize, usize), filter: Filter) -> Heightmap {
    let axis = |count: usize, old_count: usize| {
        let step = if count > 1 { (old_count.max(2) - 1) as f64 / (count - 1) as f64 } else { 1.0 };
        Axis { first: 0.0, step, count, old_count }
    };
    let (columns, rows) = (axis(size.0, map.width()), axis(size.1, map.height()));
    Heightmap::from_vec(Domain::new(size.0, size.1), sample(map, &columns, &rows, filter))
}

/// New samples along an axis, in units of the old ones.
struct Axis {
    first: f64,
    step: f64,
    count: usize,
    old_count: usize,
}

impl Axis {
    fn taps(&self, index: usize, filter: Filter) -> Taps {
        Taps::new(self.first + index as f64 * self.step, self.step, self.old_count, filter)
    }
}

fn sample(map: &Heightmap, columns: &Axis, rows: &Axis, filter: Filter) -> Vec<f32> {
    let column_taps: Vec<Taps> = (0..columns.count).map(|column| columns.taps(column, filter)).collect();
    let mut out = vec![0.0f32; columns.count * rows.count];
    if map.grid().is_empty() {
        return out;
    }
    for_each(slices(&mut out, columns.count.max(1)), 1, |row, out| {
        let row_taps = rows.taps(row, filter);
        for (out, columns) in out.iter_mut().zip(&column_taps) {
            let mut sum = 0.0f64;
            for (row, row_weight) in row_taps.iter() {
                let samples = map.grid().row(row);
                let across: f64 =
                    columns.iter().map(|(column, weight)| weight * f64::from(samples[column])).sum();
                sum += row_weight * across;
            }
            *out = sum as f32;
            if sum.is_nan() {
                *out = beside_hole(map, columns, &row_taps, filter);
            }
        }
    });
    out
}

/// A new sample that a hole contributes to: the mean of the samples that are there, by their weights, or a
/// hole if these have less than half of all weight. Cubic interpolation would extrapolate, so the sample is
/// linear there.
fn beside_hole(map: &Heightmap, columns: &Taps, rows: &Taps, filter: Filter) -> f32 {
    if filter == Filter::Bicubic {
        return beside_hole(map, &columns.linear(), &rows.linear(), Filter::Bilinear);
    }
    let known = rows.iter().flat_map(|(row, of_row)| {
        columns.iter().map(move |(column, of_column)| (map[(column, row)], of_row * of_column))
    });
    of_known(known)
}

/// The mean of the heights that are there, by their weights, of which the sum of all is 1; a hole if these
/// have less than half of all weight.
pub(super) fn of_known(weighted: impl Iterator<Item = (f32, f64)>) -> f32 {
    /// Weights are rounded: this much of a half is a half.
    const HALF: f64 = 0.5 - 1e-9;
    let known = weighted.filter(|(height, _)| !height.is_nan());
    let (sum, weight) = known
        .fold((0.0, 0.0), |(sum, all), (height, weight)| (sum + weight * f64::from(height), all + weight));
    if weight >= HALF { (sum / weight) as f32 } else { f32::NAN }
}

/// The old samples that contribute to a new one, along one axis: a run from `first` (clamped to the map)
/// with weights.
struct Taps {
    first: isize,
    last: isize,
    /// The share of the way from one old sample to the next.
    t: f64,
    weights: Vec<f64>,
}

impl Taps {
    fn new(position: f64, step: f64, count: usize, filter: Filter) -> Self {
        let last = count as isize - 1;
        // Far outside, everything equals the border; this also keeps the numbers small.
        let position = position.clamp(-4.0, last as f64 + 4.0);
        let floor = position.floor();
        let t = position - floor;
        let (first, weights) = match filter {
            Filter::Nearest => (libm::round(position) as isize, vec![1.0]),
            Filter::Bilinear => (floor as isize, vec![1.0 - t, t]),
            Filter::Bicubic => (
                floor as isize - 1,
                vec![
                    ((-0.5 * t + 1.0) * t - 0.5) * t,
                    (1.5 * t - 2.5) * t * t + 1.0,
                    ((-1.5 * t + 2.0) * t + 0.5) * t,
                    (0.5 * t - 0.5) * t * t,
                ],
            ),
            Filter::Area if step <= 1.0 => (floor as isize, vec![1.0 - t, t]),
            Filter::Area => area(position, step.min(count as f64 * 2.0)),
        };
        Self { first, last, t, weights }
    }

    /// The samples of linear interpolation, of those of cubic interpolation.
    fn linear(&self) -> Self {
        Self { first: self.first + 1, weights: vec![1.0 - self.t, self.t], ..*self }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        self.weights
            .iter()
            .enumerate()
            .map(|(i, &weight)| ((self.first + i as isize).clamp(0, self.last) as usize, weight))
    }
}

/// Shares of the old samples' cells in [position − step/2, position + step/2].
fn area(position: f64, step: f64) -> (isize, Vec<f64>) {
    let (low, high) = (position - step / 2.0, position + step / 2.0);
    let (first, last) = (libm::round(low) as isize, libm::round(high) as isize);
    let share = |i: isize| ((i as f64 + 0.5).min(high) - (i as f64 - 0.5).max(low)).max(0.0) / step;
    (first, (first..=last).map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_stays_a_plane_and_the_same_domain_is_the_identity() {
        let domain = Domain::new(21, 17).with_origin(5.0, -3.0);
        let map = Heightmap::from_fn(domain, |x, y| (2 * x) as f32 - y as f32);
        let finer = Domain { size: (41, 33), spacing: 0.5, origin: (5.0, -3.0) };
        for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Area] {
            assert_eq!(resample(&map, domain, filter), map);
            let out = resample(&map, finer, filter);
            for y in 4..29 {
                for x in 4..37 {
                    assert!((out[(x, y)] - (x as f32 - y as f32 * 0.5)).abs() < 1e-5, "{filter:?}");
                }
            }
        }
        assert_eq!(resample(&map, finer, Filter::Nearest)[(8, 8)], map[(4, 4)]);
    }

    #[test]
    fn area_keeps_the_mean_inside() {
        let map = Heightmap::from_fn(Domain::new(64, 64), |x, y| ((x * 13 + y * 29) % 17) as f32);
        let out = resample(&map, Domain { size: (16, 16), spacing: 4.0, origin: (1.5, 1.5) }, Filter::Area);
        let mean = |map: &Heightmap| map.samples().iter().sum::<f32>() / map.samples().len() as f32;
        assert!((mean(&out) - mean(&map)).abs() < 1e-4);
    }

    #[test]
    fn far_outside_is_the_border() {
        let map = Heightmap::from_vec(Domain::new(2, 1), vec![3.0, 7.0]);
        let out = resample(&map, Domain::new(2, 2).with_origin(1.0e12, -1.0e12), Filter::Bicubic);
        assert_eq!(out.samples(), [7.0; 4]);
    }
}
