//! Gaussian blur.

use std::ops::Range;

use fearless_simd::prelude::*;
use terrane_grid::{Grid, Heightmap};

use crate::parallel::{for_each, for_each_with, slices};
use crate::simd::{load, store};
use crate::{Boundary, dispatch};

/// Vectors of neighbouring samples whose sums stay in registers over all weights.
const VECTORS: usize = 4;

/// Rows of a task: those that a row is summed from are then mostly in cache.
const ROWS_PER_TASK: usize = 16;

/// Smooths a map with a Gaussian whose standard deviation is half of `radius` world units: a true separable
/// convolution, truncated at three deviations. On an open border the weights of missing samples are left
/// out; on a torus the mean is preserved. O(samples · radius / spacing).
#[must_use]
pub fn blur(map: &Heightmap, radius: f64, boundary: Boundary) -> Heightmap {
    let weights = weights(radius / 2.0 / map.spacing());
    if weights.len() == 1 {
        return map.clone();
    }
    let (w, h) = map.domain().size;
    let [mut across, mut out] = [(); 2].map(|()| vec![0.0; w * h]);
    means(map.samples(), (w, h), &weights, boundary, &mut across, &mut out);
    map.with_grid(Grid::from_vec(w, h, out))
}

/// Means of samples with weights like a tent: they fall from the sample itself in proportion to the distance
/// along x and y, to 0 at `radius` samples. Borders are as for [`blur`]. `across` is scratch space.
/// O(samples · radius).
pub fn tent_means(
    samples: &[f32],
    size: (usize, usize),
    radius: f64,
    boundary: Boundary,
    across: &mut Vec<f32>,
    out: &mut Vec<f32>,
) {
    let reach = if radius > 1.0 && radius.is_finite() { libm::ceil(radius) as usize - 1 } else { 0 };
    let weights = normalised((0..=reach).map(|i| if i == 0 { 1.0 } else { 1.0 - i as f64 / radius }));
    across.resize(samples.len(), 0.0);
    out.resize(samples.len(), 0.0);
    means(samples, size, &weights, boundary, across, out);
}

/// Means of samples with weights along rows and columns, from the centre outwards, which sum to 1 over both
/// sides. `across` and `out` have as many numbers as there are samples.
fn means(
    samples: &[f32],
    (w, h): (usize, usize),
    weights: &[f32],
    boundary: Boundary,
    across: &mut [f32],
    out: &mut [f32],
) {
    if samples.is_empty() {
        return;
    }
    let reach = weights.len() - 1;
    let inside = reach.min(w)..w.saturating_sub(reach).max(reach.min(w));
    let beside = [0..inside.start, inside.end..w].map(|columns| Beside::new(columns, w, weights, boundary));
    for_each(slices(across, w), ROWS_PER_TASK, |row, out| {
        let row = &samples[row * w..][..w];
        dispatch!(simd => {
            blur_inside(simd, row, weights, inside.clone(), out);
            for beside in &beside {
                beside.blur(simd, row, weights, boundary, out);
            }
        });
    });
    for_each_with(slices(out, w), ROWS_PER_TASK, Vec::new, |rows, row, out| {
        rows.clear();
        rows.extend((0..=2 * reach).filter_map(|tap| {
            let from = at(row as isize + tap as isize - reach as isize, h, boundary)?;
            Some((&across[from * w..][..w], weights[tap.abs_diff(reach)]))
        }));
        let total = rows.iter().fold(0.0, |total, (_, weight)| total + weight);
        dispatch!(simd => {
            sum_of_rows(simd, rows.iter().copied(), out);
            out.iter_mut().for_each(|out| *out /= total);
        });
    });
}

/// Like [`blur`], for a map with holes: the weights of holes are left out, as those beyond an open border
/// are. Holes stay holes. O(samples · radius / spacing).
#[must_use]
pub fn blur_with_holes(map: &Heightmap, radius: f64, boundary: Boundary) -> Heightmap {
    let blurred = |by: fn(f32) -> f32| blur(&map.with_grid(map.grid().map(|&h| by(h))), radius, boundary);
    let known = blurred(|h| f32::from(u8::from(!h.is_nan())));
    let missing = blurred(|h| f32::from(u8::from(h.is_nan())));
    let mut out = blurred(|h| if h.is_nan() { 0.0 } else { h });
    let shares = known.samples().iter().zip(missing.samples());
    for ((out, (known, missing)), height) in out.samples_mut().iter_mut().zip(shares).zip(map.samples()) {
        if height.is_nan() {
            *out = f32::NAN;
        } else if *missing > 0.0 {
            *out /= known;
        }
    }
    out
}

/// The number of samples to each side that [`blur`] depends on.
#[must_use]
pub fn blur_reach(radius: f64, spacing: f64) -> usize {
    reach(radius / 2.0 / spacing)
}

/// The number of samples to each side that have a weight.
fn reach(deviation: f64) -> usize {
    if deviation > 0.0 && deviation.is_finite() { libm::ceil(3.0 * deviation) as usize } else { 0 }
}

/// Weights from the centre outwards, summing to 1 over both sides.
fn weights(deviation: f64) -> Vec<f32> {
    let reach = reach(deviation);
    if reach == 0 {
        return vec![1.0];
    }
    normalised((0..=reach).map(|i| libm::exp(-0.5 * (i as f64 / deviation) * (i as f64 / deviation))))
}

/// Weights from the centre outwards, divided by their sum over both sides.
fn normalised(raw: impl Iterator<Item = f64>) -> Vec<f32> {
    let raw: Vec<f64> = raw.collect();
    let total: f64 = raw[0] + 2.0 * raw[1..].iter().sum::<f64>();
    raw.into_iter().map(|weight| (weight / total) as f32).collect()
}

/// The index of a sample, or `None` beyond an open border.
fn at(index: isize, count: usize, boundary: Boundary) -> Option<usize> {
    match boundary {
        Boundary::Wrap => Some(index.rem_euclid(count as isize) as usize),
        Boundary::Open => usize::try_from(index).ok().filter(|&index| index < count),
    }
}

/// Columns beside a border, where samples under the weights may be missing.
struct Beside {
    columns: Range<usize>,
    /// For each column, the sum of the weights of samples that are there.
    totals: Vec<f32>,
}

impl Beside {
    fn new(columns: Range<usize>, width: usize, weights: &[f32], boundary: Boundary) -> Self {
        let reach = weights.len() as isize - 1;
        let total = |column: usize| {
            let offsets = -reach..=reach;
            let known = offsets.filter(|offset| at(column as isize + offset, width, boundary).is_some());
            known.fold(0.0, |total, offset| total + weights[offset.unsigned_abs()])
        };
        Self { totals: columns.clone().map(total).collect(), columns }
    }

    /// Means along a row. A missing sample is a height of 0, which changes no sum.
    #[inline(always)]
    fn blur<S: Simd>(&self, simd: S, row: &[f32], weights: &[f32], boundary: Boundary, out: &mut [f32]) {
        let (count, reach) = (self.columns.len(), weights.len() - 1);
        let first = self.columns.start as isize - reach as isize;
        let near = (first..first + (count + 2 * reach) as isize)
            .map(|column| at(column, row.len(), boundary).map_or(0.0, |column| row[column]));
        let near: Vec<f32> = near.collect();
        let shifted = (0..=2 * reach).map(|at| (&near[at..][..count], weights[at.abs_diff(reach)]));
        let out = &mut out[self.columns.clone()];
        sum_of_rows(simd, shifted, out);
        out.iter_mut().zip(&self.totals).for_each(|(out, total)| *out /= total);
    }
}

/// Columns that have all samples under the weights: the two samples at one distance are added first.
#[inline(always)]
fn blur_inside<S: Simd>(simd: S, row: &[f32], weights: &[f32], inside: Range<usize>, out: &mut [f32]) {
    let block = VECTORS * S::f32s::LEN;
    for column in starts(inside.clone(), block) {
        let mut sums = [S::f32s::splat(simd, 0.0); VECTORS];
        for (sum, here) in sums.iter_mut().zip(row[column..].chunks_exact(S::f32s::LEN)) {
            *sum = load(simd, here) * weights[0];
        }
        for (i, weight) in weights.iter().enumerate().skip(1) {
            let (left, right) = (&row[column - i..][..block], &row[column + i..][..block]);
            let pairs = left.chunks_exact(S::f32s::LEN).zip(right.chunks_exact(S::f32s::LEN));
            for (sum, (left, right)) in sums.iter_mut().zip(pairs) {
                *sum += (load(simd, left) + load(simd, right)) * *weight;
            }
        }
        for (out, sum) in out[column..].chunks_exact_mut(S::f32s::LEN).zip(sums) {
            store(simd, sum, out);
        }
    }
    if inside.len() < block {
        for column in inside {
            out[column] = weights[0] * row[column];
            for (i, weight) in weights.iter().enumerate().skip(1) {
                out[column] += weight * (row[column - i] + row[column + i]);
            }
        }
    }
}

/// The first indices of blocks that cover a range, of which the last may overlap the one before; none if the
/// range is shorter than a block.
fn starts(range: Range<usize>, block: usize) -> impl Iterator<Item = usize> {
    let last = range.end.checked_sub(block).filter(|last| *last >= range.start);
    last.into_iter().flat_map(move |last| (range.start..last).step_by(block).chain([last]))
}

/// The weighted sum of rows, column by column.
#[inline(always)]
fn sum_of_rows<'a, S: Simd>(simd: S, rows: impl Iterator<Item = (&'a [f32], f32)> + Clone, out: &mut [f32]) {
    let block = VECTORS * S::f32s::LEN;
    for column in starts(0..out.len(), block) {
        let mut sums = [S::f32s::splat(simd, 0.0); VECTORS];
        for (row, weight) in rows.clone() {
            for (sum, heights) in sums.iter_mut().zip(row[column..][..block].chunks_exact(S::f32s::LEN)) {
                *sum += load(simd, heights) * weight;
            }
        }
        for (out, sum) in out[column..].chunks_exact_mut(S::f32s::LEN).zip(sums) {
            store(simd, sum, out);
        }
    }
    if out.len() < block {
        for (column, out) in out.iter_mut().enumerate() {
            *out = rows.clone().fold(0.0, |sum, (row, weight)| sum + weight * row[column]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn a_constant_stays_and_no_radius_is_the_identity() {
        let map = Heightmap::constant(Domain::new(20, 11), 3.0);
        for boundary in [Boundary::Open, Boundary::Wrap] {
            assert!(blur(&map, 6.0, boundary).samples().iter().all(|h| (h - 3.0).abs() < 1e-6));
        }
        let map = Heightmap::from_fn(Domain::new(9, 9), |x, y| (x * y) as f32);
        assert_eq!(blur(&map, 0.0, Boundary::Open), map);
    }

    /// The sums of a sample, in the order that the kernel has: pairs at one distance along a row, then rows
    /// from top to bottom.
    fn slowly(map: &Heightmap, radius: f64, boundary: Boundary) -> Heightmap {
        let weights = weights(radius / 2.0 / map.spacing());
        let (w, h, reach) = (map.width(), map.height(), weights.len() - 1);
        let weighted = |index: usize, count: usize| {
            let offsets = -(reach as isize)..=reach as isize;
            let known = offsets.filter_map(move |by| Some((by, at(index as isize + by, count, boundary)?)));
            known.map(|(by, at)| (at, weights[by.unsigned_abs()])).collect::<Vec<_>>()
        };
        let mean = |height: &dyn Fn(usize) -> f32, from: &[(usize, f32)]| {
            let sum = from.iter().fold(0.0, |sum, &(at, weight)| sum + weight * height(at));
            sum / from.iter().fold(0.0, |total, (_, weight)| total + weight)
        };
        let across = Heightmap::from_fn(map.domain(), |x, y| {
            if x < reach || x + reach >= w {
                return mean(&|x| map[(x, y)], &weighted(x, w));
            }
            let pairs = (1..=reach).map(|by| weights[by] * (map[(x - by, y)] + map[(x + by, y)]));
            pairs.fold(weights[0] * map[(x, y)], |sum, pair| sum + pair)
        });
        Heightmap::from_fn(map.domain(), |x, y| mean(&|y| across[(x, y)], &weighted(y, h)))
    }

    proptest! {
        #[test]
        fn blocks_and_borders_have_the_bits_of_single_sums(
            w in 1usize..150, h in 1usize..40, radius in 0.1f64..60.0, wrap: bool,
        ) {
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let map = Heightmap::from_fn(Domain::new(w, h).with_spacing(2.0), |x, y| {
                ((x * 7919 + y * 104_729) % 1009) as f32 * 0.37
            });
            prop_assert_eq!(blur(&map, radius, boundary), slowly(&map, radius, boundary));
        }
    }

    #[test]
    fn a_spike_becomes_the_gaussian() {
        let mut map = Heightmap::constant(Domain::new(41, 41), 0.0);
        map.grid_mut()[(20, 20)] = 1.0;
        let out = blur(&map, 6.0, Boundary::Open);
        // Deviation 3: the density at distance 3 is exp(-1/2) of that in the middle.
        let ratio = f64::from(out[(23, 20)] / out[(20, 20)]);
        assert!((ratio - libm::exp(-0.5)).abs() < 1e-5);
        let sum: f32 = out.samples().iter().sum();
        assert!((sum - 1.0).abs() < 1e-5);
        assert_eq!(out[(17, 20)].to_bits(), out[(23, 20)].to_bits());
    }

    #[test]
    fn a_torus_keeps_the_mean_and_radii_beyond_the_map_are_fine() {
        let map = Heightmap::from_fn(Domain::new(16, 12), |x, y| ((x * 7 + y * 5) % 11) as f32);
        let mean = |map: &Heightmap| map.samples().iter().map(|&h| f64::from(h)).sum::<f64>() / 192.0;
        for radius in [1.0, 5.0, 100.0] {
            assert!((mean(&blur(&map, radius, Boundary::Wrap)) - mean(&map)).abs() < 1e-5);
        }
    }
}
