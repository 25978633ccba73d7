//! Resamples a map on another grid.

use terrane_compute::has_hole;
use terrane_grid::{Domain, Heightmap};

use crate::dispatch;
use crate::parallel::{for_each_with, slices};

/// New rows of a task, which share old rows that are resampled along x.
const ROWS_PER_TASK: usize = 32;

/// Old rows that are kept: those that a cubic needs.
const KEPT: usize = 4;

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
    let mut out = vec![0.0f32; columns.count * rows.count];
    if map.grid().is_empty() || out.is_empty() {
        return out;
    }
    let taps: Vec<Taps> = (0..columns.count).map(|column| columns.taps(column, filter)).collect();
    let columns = Columns::new(&taps, map.width());
    for_each_with(
        slices(&mut out, taps.len()),
        ROWS_PER_TASK,
        || Rows::new(map, &columns),
        |shared, row, out| {
            let rows = rows.taps(row, filter);
            dispatch!(_ => shared.sum(&rows, out));
            if !has_hole(out) {
                return;
            }
            for (out, columns) in out.iter_mut().zip(&taps) {
                if out.is_nan() {
                    *out = beside_hole(map, columns, &rows, filter);
                }
            }
        },
    );
    out
}

/// The taps of all new columns, for an old row whose ends are repeated as far as taps reach.
struct Columns {
    /// Repeated samples before the first and after the last.
    beyond: (usize, usize),
    /// For each new column, the index of its first sample in the longer row.
    first: Vec<usize>,
    /// For each new column, the index of its first weight; then the number of all weights.
    start: Vec<usize>,
    weights: Vec<f64>,
    /// The number of taps, if all new columns have the same.
    each: Option<usize>,
}

impl Columns {
    fn new(taps: &[Taps], width: usize) -> Self {
        let past = |taps: &Taps| taps.first + taps.weights.len() as isize - width as isize;
        let before = taps.iter().map(|taps| -taps.first).fold(0, isize::max);
        let after = taps.iter().map(past).fold(0, isize::max);
        let ends = taps.iter().scan(0, |end, taps| {
            *end += taps.weights.len();
            Some(*end)
        });
        Self {
            beyond: (before as usize, after as usize),
            first: taps.iter().map(|taps| (taps.first + before) as usize).collect(),
            start: std::iter::once(0).chain(ends).collect(),
            weights: taps.iter().flat_map(|taps| taps.weights.iter().copied()).collect(),
            each: taps
                .first()
                .map(|first| first.weights.len())
                .filter(|count| taps.iter().all(|taps| taps.weights.len() == *count)),
        }
    }

    /// Sums along a row.
    #[inline(always)]
    fn sum(&self, row: &[f64], out: &mut [f64]) {
        match self.each {
            Some(2) => self.sum_of::<2>(row, out),
            Some(3) => self.sum_of::<3>(row, out),
            Some(4) => self.sum_of::<4>(row, out),
            _ => {
                for ((out, first), range) in out.iter_mut().zip(&self.first).zip(self.start.windows(2)) {
                    let weights = &self.weights[range[0]..range[1]];
                    *out = weights.iter().zip(&row[*first..]).map(|(weight, height)| weight * height).sum();
                }
            }
        }
    }

    /// Like [`Self::sum`], if all new columns have `N` taps.
    #[inline(always)]
    fn sum_of<const N: usize>(&self, row: &[f64], out: &mut [f64]) {
        let (weights, _) = self.weights.as_chunks::<N>();
        for ((out, first), weights) in out.iter_mut().zip(&self.first).zip(weights) {
            let heights = &row[*first..][..N];
            *out = weights.iter().zip(heights).map(|(weight, height)| weight * height).sum();
        }
    }
}

/// Old rows, resampled along x, and their sum.
struct Rows<'a> {
    map: &'a Heightmap,
    columns: &'a Columns,
    /// An old row with its ends repeated.
    row: Vec<f64>,
    /// The last rows, each at its index modulo [`KEPT`].
    kept: [(Option<usize>, Vec<f64>); KEPT],
    sum: Vec<f64>,
}

impl<'a> Rows<'a> {
    fn new(map: &'a Heightmap, columns: &'a Columns) -> Self {
        let empty = || vec![0.0; columns.first.len()];
        let row = vec![0.0; columns.beyond.0 + map.width() + columns.beyond.1];
        Self { map, columns, row, kept: std::array::from_fn(|_| (None, empty())), sum: empty() }
    }

    /// A new row: the weighted sum of old ones.
    #[inline(always)]
    fn sum(&mut self, taps: &Taps, out: &mut [f32]) {
        match taps.weights.len() {
            2 => self.sum_of::<2>(taps, out),
            4 => self.sum_of::<4>(taps, out),
            _ => {
                self.sum.fill(0.0);
                for (row, weight) in taps.iter() {
                    self.keep(row);
                    for (sum, height) in self.sum.iter_mut().zip(&self.kept[row % KEPT].1) {
                        *sum += weight * height;
                    }
                }
                out.iter_mut().zip(&self.sum).for_each(|(out, sum)| *out = *sum as f32);
            }
        }
    }

    /// The weighted sum of so many rows, not more than are kept, in one pass.
    #[inline(always)]
    fn sum_of<const N: usize>(&mut self, taps: &Taps, out: &mut [f32]) {
        taps.iter().for_each(|(row, _)| self.keep(row));
        let count = out.len();
        let mut rows = [(&[] as &[f64], 0.0); N];
        for (kept, (row, weight)) in rows.iter_mut().zip(taps.iter()) {
            *kept = (&self.kept[row % KEPT].1[..count], weight);
        }
        for (column, out) in out.iter_mut().enumerate() {
            *out = rows.iter().fold(0.0, |sum, (row, weight)| sum + weight * row[column]) as f32;
        }
    }

    /// Resamples an old row along x, unless that was done for the last new row.
    #[inline(always)]
    fn keep(&mut self, row: usize) {
        let (of, kept) = &mut self.kept[row % KEPT];
        if *of == Some(row) {
            return;
        }
        *of = Some(row);
        let samples = self.map.grid().row(row);
        let (before, inside) = self.row.split_at_mut(self.columns.beyond.0);
        let (inside, after) = inside.split_at_mut(samples.len());
        before.fill(f64::from(samples[0]));
        after.fill(f64::from(samples[samples.len() - 1]));
        inside.iter_mut().zip(samples).for_each(|(to, height)| *to = f64::from(*height));
        self.columns.sum(&self.row, kept);
    }
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
    use proptest::prelude::*;

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

    /// Each new sample from all its old ones.
    fn slowly(map: &Heightmap, columns: &Axis, rows: &Axis, filter: Filter) -> Vec<f32> {
        let mut out = Vec::new();
        for row in 0..rows.count {
            let rows = rows.taps(row, filter);
            for column in 0..columns.count {
                let columns = columns.taps(column, filter);
                let mut sum = 0.0;
                for (row, row_weight) in rows.iter() {
                    let weighted =
                        columns.iter().map(|(column, weight)| weight * f64::from(map[(column, row)]));
                    sum += row_weight * weighted.sum::<f64>();
                }
                out.push(if sum.is_nan() { beside_hole(map, &columns, &rows, filter) } else { sum as f32 });
            }
        }
        out
    }

    proptest! {
        #[test]
        fn two_passes_have_the_bits_of_one_sum(
            (w, h) in (1usize..40, 1usize..40), size in (1usize..90, 1usize..90),
            (first_x, first_y) in (-60.0f64..60.0, -60.0f64..60.0),
            (step_x, step_y) in (0.05f64..50.0, 0.05f64..50.0), holes: bool,
        ) {
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                let mixed = (x * 7919 + y * 104_729) % 1009;
                if holes && mixed % 17 == 0 { f32::NAN } else { mixed as f32 * 0.37 - 90.0 }
            });
            let columns = Axis { first: first_x, step: step_x, count: size.0, old_count: w };
            let rows = Axis { first: first_y, step: step_y, count: size.1, old_count: h };
            for filter in [Filter::Nearest, Filter::Bilinear, Filter::Bicubic, Filter::Area] {
                let bits = |samples: Vec<f32>| samples.into_iter().map(f32::to_bits).collect::<Vec<_>>();
                prop_assert_eq!(
                    bits(sample(&map, &columns, &rows, filter)), bits(slowly(&map, &columns, &rows, filter))
                );
            }
        }
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
