//! Displacement of a map by other maps (Olsen 2004, "Combination and perturbation").

mod reader;

use crate::parallel::{for_each, slices, try_for_each};
use terrane_grid::{Grid, Heightmap};

use crate::{Boundary, Cancelled, Progress, dispatch};
use reader::Reader;

/// Moves every sample of `height` by up to half of `magnitude` times the map's extent, bilinearly.
///
/// A sample at column x and row y is read from (x + m·w·(p − 0.5), y + m·h·(q − 0.5)) of a map of w × h
/// samples, where p is the noise at the sample and q the second noise. Default for q: the transposed noise,
/// which is the noise read bilinearly at (y·w/h, x·h/w). On a square map this is exactly the transposed map.
/// A magnitude of 0 returns the map itself, bit for bit. With [`Boundary::Open`] the map is mirrored outside,
/// since repeating the border would show as streaks. With [`Boundary::Wrap`] a map that tiles still tiles if
/// the noise tiles too. O(samples).
///
/// # Panics
/// If the maps differ in size.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn perturb(
    height: &Heightmap,
    noise: &Heightmap,
    second: Option<&Heightmap>,
    magnitude: f32,
    boundary: Boundary,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    assert_eq!(height.domain().size, noise.domain().size, "perturb needs maps of one size");
    let (w, h) = height.domain().size;
    let mut out = vec![0.0f32; w * h];
    if out.is_empty() {
        return Ok(height.clone());
    }
    let transposed = if second.is_none() { Some(transpose(noise.grid(), boundary)) } else { None };
    let second = match (second, &transposed) {
        (Some(second), _) => second.grid(),
        (None, Some(transposed)) => transposed,
        (None, None) => noise.grid(),
    };
    let reader = Reader { grid: height.grid(), boundary };
    let (mx, my) = (magnitude * w as f32, magnitude * h as f32);
    let done = std::sync::atomic::AtomicUsize::new(0);
    try_for_each(slices(&mut out, w), 16, |row, out| {
        let noises = (noise.grid().row(row), second.row(row));
        dispatch!(simd => reader.row(simd, row, noises, (mx, my), out));
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if done.is_multiple_of(64) { progress.report(done as f64 / h as f64) } else { Ok(()) }
    })?;
    Ok(height.with_grid(Grid::from_vec(w, h, out)))
}

/// The two samples around a position along an axis, and the fraction of the way from the first to the
/// second.
#[derive(Clone, Copy)]
struct Between {
    first: usize,
    second: usize,
    t: f32,
}

/// The positions of `count` samples among `of` samples that span the same extent.
fn spread(count: usize, of: usize, boundary: Boundary) -> Vec<Between> {
    let between = |index: usize| {
        let (first, rest) = (index * of / count, index * of % count);
        let second = match boundary {
            Boundary::Wrap => (first + 1) % of,
            Boundary::Open => (first + 1).min(of - 1),
        };
        Between { first, second, t: rest as f32 / count as f32 }
    };
    (0..count).map(between).collect()
}

/// The noise with columns and rows exchanged, over a grid of the same size.
fn transpose(noise: &Grid<f32>, boundary: Boundary) -> Grid<f32> {
    /// Blocks of this side fit in the first-level cache.
    const BLOCK: usize = 32;
    let (w, h) = noise.size();
    // For each column of the transposed noise, the two rows of the noise around it, and vice versa.
    let (from_rows, from_columns) = (spread(w, h, boundary), spread(h, w, boundary));
    let at = |column: usize, row: usize| noise.as_slice()[row * w + column];
    let mut out = vec![0.0f32; w * h];
    for_each(slices(&mut out, w * BLOCK), 1, |block, rows| {
        for left in (0..w).step_by(BLOCK) {
            for (index, out) in rows.chunks_mut(w).enumerate() {
                let x = from_columns[block * BLOCK + index];
                let right = (left + BLOCK).min(w);
                for (out, y) in out[left..right].iter_mut().zip(&from_rows[left..right]) {
                    let first = at(x.first, y.first);
                    *out = if w == h {
                        first
                    } else {
                        let upper = first + (at(x.second, y.first) - first) * x.t;
                        let lower = at(x.first, y.second);
                        let lower = lower + (at(x.second, y.second) - lower) * x.t;
                        upper + (lower - upper) * y.t
                    };
                }
            }
        }
    });
    Grid::from_vec(w, h, out)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;
    use crate::Silent;

    fn map(w: usize, h: usize, f: impl FnMut(usize, usize) -> f32) -> Heightmap {
        Heightmap::from_fn(Domain::new(w, h), f)
    }

    #[test]
    fn no_magnitude_is_the_identity() {
        let height = map(17, 9, |x, y| (x * 7 + y * 13) as f32 * 0.1);
        let noise = map(17, 9, |x, y| ((x * 31 + y * 17) % 10) as f32 / 10.0);
        for boundary in [Boundary::Wrap, Boundary::Open] {
            assert_eq!(perturb(&height, &noise, None, 0.0, boundary, &Silent).unwrap(), height);
        }
    }

    #[test]
    fn a_constant_noise_shifts_by_hand() {
        let height = map(8, 8, |x, y| (10 * y + x) as f32);
        // (0.75 − 0.5) · 8 · 1 = 2 samples right; (0.3125 − 0.5) · 8 = −1.5 rows.
        let (dx, dy) = (map(8, 8, |_, _| 0.75), map(8, 8, |_, _| 0.3125));
        let out = perturb(&height, &dx, Some(&dy), 1.0, Boundary::Wrap, &Silent).unwrap();
        assert_eq!(out[(1, 4)], 28.0);
        assert_eq!(out[(7, 4)], 26.0, "column 9 is column 1");
        let open = perturb(&height, &dx, Some(&dy), 1.0, Boundary::Open, &Silent).unwrap();
        // Column 9 shows column 5; rows −1.5 lie between rows 1 and 2.
        assert_eq!(open[(7, 0)], 20.0, "outside is the map mirrored");
    }

    #[test]
    fn the_second_axis_takes_the_transposed_noise() {
        let height = map(16, 16, |_, y| y as f32);
        let noise = map(16, 16, |x, _| if x == 3 { 0.75 } else { 0.5 });
        let out = perturb(&height, &noise, None, 0.25, Boundary::Open, &Silent).unwrap();
        assert_eq!(out[(9, 3)], 4.0, "row 3 moves by one");
        assert_eq!(out[(9, 4)], 4.0, "row 4 does not");
    }
    #[test]
    fn on_maps_that_are_not_square_the_noise_is_read_between_samples() {
        // 4 x 2: column x of the transposed noise is at row x/2, row y at column 2y.
        let noise = map(4, 2, |x, y| [[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0]][y][x]);
        let open = transpose(noise.grid(), Boundary::Open);
        assert_eq!(open.as_slice(), [0.0, 4.0, 8.0, 8.0, 2.0, 6.0, 10.0, 10.0]);
        let wrapped = transpose(noise.grid(), Boundary::Wrap);
        assert_eq!(wrapped.as_slice(), [0.0, 4.0, 8.0, 4.0, 2.0, 6.0, 10.0, 6.0], "row 2 is row 0");
    }

    /// The maximum step between neighbours inside, and across the seam.
    fn steps(map: &Heightmap) -> (f32, f32) {
        let (w, h) = map.domain().size;
        let (mut inside, mut seam) = (0.0f32, 0.0f32);
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            for (ends, step) in [
                (x + 1 == w, map[((x + 1) % w, y)] - map[(x, y)]),
                (y + 1 == h, map[(x, (y + 1) % h)] - map[(x, y)]),
            ] {
                let most = if ends { &mut seam } else { &mut inside };
                *most = most.max(step.abs());
            }
        }
        (inside, seam)
    }

    #[test]
    fn a_map_that_tiles_still_does() {
        for (w, h) in [(128, 128), (193, 64), (57, 200)] {
            let turn = |at: usize, of: usize| std::f64::consts::TAU * at as f64 / of as f64;
            let height = map(w, h, |x, y| (libm::sin(turn(x, w)) + libm::cos(turn(2 * y, h))) as f32);
            let noise = map(w, h, |x, y| (0.5 + 0.2 * libm::sin(turn(3 * x, w) + turn(2 * y, h))) as f32);
            let wrapped = perturb(&height, &noise, None, 0.25, Boundary::Wrap, &Silent).unwrap();
            let (inside, seam) = steps(&wrapped);
            assert!(seam <= inside, "{w} x {h}: {seam} across the seam, {inside} inside");
        }
    }
}
