//! Gaussian blur.

use crate::parallel::{for_each, slices};
use terrane_grid::{Grid, Heightmap};

use crate::Boundary;

/// Smooths a map with a Gaussian whose standard deviation is half of `radius` world units: a true separable
/// convolution, truncated at three deviations. On an open border the weights of missing samples are left
/// out; on a torus the mean is preserved. O(samples · radius / spacing).
#[must_use]
pub fn blur(map: &Heightmap, radius: f64, boundary: Boundary) -> Heightmap {
    let weights = weights(radius / 2.0 / map.spacing());
    if weights.len() == 1 || map.grid().is_empty() {
        return map.clone();
    }
    let (w, h) = map.domain().size;
    let mut across = vec![0.0f32; w * h];
    for_each(slices(&mut across, w), 1, |row, out| blur_row(map.grid().row(row), &weights, boundary, out));
    let mut out = vec![0.0f32; w * h];
    for_each(slices(&mut out, w), 1, |row, out| blur_column(&across, w, h, row, &weights, boundary, out));
    map.with_grid(Grid::from_vec(w, h, out))
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
    let raw: Vec<f64> =
        (0..=reach).map(|i| libm::exp(-0.5 * (i as f64 / deviation) * (i as f64 / deviation))).collect();
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

fn blur_row(row: &[f32], weights: &[f32], boundary: Boundary, out: &mut [f32]) {
    let (w, reach) = (row.len(), weights.len() - 1);
    for (column, out) in out.iter_mut().enumerate() {
        if column >= reach && column + reach < w {
            let window = &row[column - reach..=column + reach];
            let mut sum = weights[0] * window[reach];
            for i in 1..=reach {
                sum += weights[i] * (window[reach - i] + window[reach + i]);
            }
            *out = sum;
            continue;
        }
        let (mut sum, mut total) = (0.0, 0.0);
        for offset in -(reach as isize)..=reach as isize {
            if let Some(from) = at(column as isize + offset, w, boundary) {
                let weight = weights[offset.unsigned_abs()];
                sum += weight * row[from];
                total += weight;
            }
        }
        *out = sum / total;
    }
}

fn blur_column(
    samples: &[f32],
    w: usize,
    h: usize,
    row: usize,
    weights: &[f32],
    boundary: Boundary,
    out: &mut [f32],
) {
    let reach = weights.len() as isize - 1;
    let mut total = 0.0;
    for offset in -reach..=reach {
        if let Some(from) = at(row as isize + offset, h, boundary) {
            let weight = weights[offset.unsigned_abs()];
            total += weight;
            for (out, sample) in out.iter_mut().zip(&samples[from * w..(from + 1) * w]) {
                *out += weight * sample;
            }
        }
    }
    out.iter_mut().for_each(|out| *out /= total);
}

#[cfg(test)]
mod tests {
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
