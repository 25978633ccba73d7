//! Terrain with less detail than its map has samples (after Mijailovic 2015, 5.1: far fields at a lower
//! resolution).

use crate::parallel::{elements, try_for_each};
use terrane_grid::{Domain, Heightmap};

use crate::{Cancelled, Progress};

/// Maximum number of halvings of detail.
pub const MOST_LEVELS: u32 = 16;

/// Coarse rows per task.
const BANDS: usize = 8;
/// Maximum distance from the world's origin, in samples.
const FARTHEST: f64 = (1u64 << 60) as f64;

/// The numbers of a domain's first column and row in the plane, counted from the world's origin in samples.
/// A position half-way between two samples maps to the same one in all windows.
fn first(domain: &Domain) -> (i64, i64) {
    let index =
        |world: f64| libm::floor(world / domain.spacing + (0.5 + 1e-6)).clamp(-FARTHEST, FARTHEST) as i64;
    (index(domain.origin.0), index(domain.origin.1))
}

/// The first and last coarse sample needed for a row of samples, including one extra on both sides.
fn span(first: i64, count: usize, step: i64) -> (i64, i64) {
    let last = first + count.max(1) as i64 - 1;
    (first.div_euclid(step) - 1, last.div_euclid(step) + 2)
}

/// The coarse window from which [`refined`] computes a domain's heights: every 2^`level`-th sample of the
/// plane, counted from the world's origin.
#[must_use]
pub fn coarsened(domain: &Domain, level: u32) -> Domain {
    let step = 1i64 << level.min(MOST_LEVELS);
    let (column, row) = first(domain);
    let ((left, right), (top, bottom)) =
        (span(column, domain.width(), step), span(row, domain.height(), step));
    let position = |origin: f64, first: i64, own: i64| origin + (first * step - own) as f64 * domain.spacing;
    Domain::new((right - left + 1) as usize, (bottom - top + 1) as usize)
        .with_spacing(domain.spacing * step as f64)
        .with_origin(position(domain.origin.0, left, column), position(domain.origin.1, top, row))
}

/// Heights of a domain from those of [`coarsened`]: coarse samples keep their bits, and between them
/// heights follow cubic splines along rows and columns (Catmull-Rom), without kinks. They depend only on
/// the position and the coarse samples around it, so that windows have the same bits. O(samples).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If the coarse map does not have the size of [`coarsened`].
pub fn refined(
    coarse: &Heightmap,
    domain: &Domain,
    level: u32,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    assert_eq!(
        coarse.domain().size,
        coarsened(domain, level).size,
        "the coarse map must have the size of `coarsened`"
    );
    let step = 1usize << level.min(MOST_LEVELS);
    let (column, row) = first(domain);
    // Offset of the first sample from the second coarse one.
    let phase = |first: i64| first.rem_euclid(step as i64) as usize;
    let (across, down) = (phase(column), phase(row));
    let weights: Vec<[f32; 4]> = (0..step).map(|at| spline(at as f32 / step as f32)).collect();
    let width = domain.width();
    let mut heights = vec![0.0f32; domain.len()];
    // All chunks except the first begin at a coarse row.
    let (start, rest) = heights.split_at_mut((width * (step - down)).min(domain.len()));
    let chunks = std::iter::once((0, down, start)).chain(
        rest.chunks_mut((width * step * BANDS).max(1))
            .enumerate()
            .map(|(index, chunk)| (1 + index * BANDS, 0, chunk)),
    );
    let mut chunks: Vec<(usize, usize, &mut [f32])> = chunks.collect();
    try_for_each(elements(&mut chunks), 1, |_, (first, down, chunk)| {
        let (first, down) = (*first, *down);
        progress.check()?;
        let bands = (chunk.len() / width.max(1) + down).div_ceil(step);
        let wide: Vec<Vec<f32>> = (first..first + bands + 3)
            .map(|row| widened(coarse.grid().row(row.min(coarse.height() - 1)), across, width, &weights))
            .collect();
        for (row, heights) in chunk.chunks_mut(width.max(1)).enumerate() {
            let (band, at) = ((row + down) / step, (row + down) % step);
            let [a, b, c, d] = [0, 1, 2, 3].map(|next| &wide[band + next]);
            if at == 0 {
                heights.copy_from_slice(b);
                continue;
            }
            let [wa, wb, wc, wd] = weights[at];
            for (height, (((a, b), c), d)) in heights.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
                *height = (wa * a + wd * d) + (wb * b + wc * c);
            }
        }
        Ok(())
    })?;
    Ok(Heightmap::from_vec(*domain, heights))
}

/// Interpolates a row of coarse samples; the first sample is `across` after the second coarse one.
fn widened(coarse: &[f32], across: usize, width: usize, weights: &[[f32; 4]]) -> Vec<f32> {
    let mut row = Vec::with_capacity(width + across + weights.len());
    for four in coarse.windows(4).take((width + across).div_ceil(weights.len())) {
        row.push(four[1]);
        let between = |w: &[f32; 4]| (w[0] * four[0] + w[3] * four[3]) + (w[1] * four[1] + w[2] * four[2]);
        row.extend(weights[1..].iter().map(between));
    }
    row.drain(..across);
    row.truncate(width);
    row
}

/// Weights of four consecutive values for a position between the middle two: the Catmull-Rom cubic, whose
/// slopes are half the difference of the neighbours.
fn spline(at: f32) -> [f32; 4] {
    let (square, cube) = (at * at, at * at * at);
    [
        0.5 * (2.0 * square - cube - at),
        0.5 * (3.0 * cube - 5.0 * square + 2.0),
        0.5 * (4.0 * square - 3.0 * cube + at),
        0.5 * (cube - square),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Seed;

    use super::*;
    use crate::Silent;

    /// A height for every sample of the plane at a multiple of a spacing.
    fn plane(domain: Domain, spacing: f64) -> Heightmap {
        let lattice = Seed(3).lattice();
        let at = |world: f64| libm::round(world / spacing) as i64;
        Heightmap::from_fn(domain, |column, row| {
            100.0 * lattice.unit(at(domain.x(column)), at(domain.y(row)))
        })
    }

    fn of(domain: &Domain, level: u32) -> Heightmap {
        refined(&plane(coarsened(domain, level), domain.spacing), domain, level, &Silent).unwrap()
    }

    proptest! {
        /// In any window at any level, coarse samples keep their bits, others match the formula in double
        /// precision, and a larger window around it has the same bits.
        #[test]
        fn windows_are_splines_between_the_same_samples(
            width in 1usize..40, height in 1usize..40, column in -70i64..70, row in -70i64..70,
            level in 0u32..6, spacing in prop::sample::select(vec![1.0, 2.0, 0.25, 0.3]),
        ) {
            let window = |column: i64, row: i64, width: usize, height: usize| {
                let origin = (column as f64 * spacing, row as f64 * spacing);
                Domain::new(width, height).with_spacing(spacing).with_origin(origin.0, origin.1)
            };
            let domain = window(column, row, width, height);
            let (found, whole) =
                (of(&domain, level), of(&window(column - 9, row - 5, width + 30, height + 11), level));
            let (step, lattice) = (1i64 << level, Seed(3).lattice());
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                prop_assert_eq!(found[(x, y)].to_bits(), whole[(x + 9, y + 5)].to_bits());
                let (i, j) = (column + x as i64, row + y as i64);
                let sample = |di: i64, dj: i64| {
                    let position = |at: i64, d: i64| (at.div_euclid(step) + d) * step;
                    100.0 * f64::from(lattice.unit(position(i, di), position(j, dj)))
                };
                let part = |at: i64| at.rem_euclid(step) as f64 / step as f64;
                let line = |t: f64, p: [f64; 4]| {
                    let (from, to) = ((p[2] - p[0]) / 2.0, (p[3] - p[1]) / 2.0);
                    let (rise, t2) = (p[2] - p[1], t * t);
                    p[1] + from * t + (3.0 * rise - 2.0 * from - to) * t2 + (from + to - 2.0 * rise) * t2 * t
                };
                let rows = [-1, 0, 1, 2].map(|dj| line(part(i), [-1, 0, 1, 2].map(|di| sample(di, dj))));
                let wanted = line(part(j), rows);
                prop_assert!((f64::from(found[(x, y)]) - wanted).abs() < 1e-4);
                if part(i) == 0.0 && part(j) == 0.0 {
                    prop_assert_eq!(found[(x, y)], wanted as f32);
                }
            }
        }
    }

    #[test]
    fn threads_do_not_matter_and_it_stops() {
        let domain = Domain::new(301, 202).with_origin(-77.0, 13.0);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| of(&domain, 3))
        };
        assert_eq!(on(1).samples(), on(16).samples());
        let coarse = plane(coarsened(&domain, 3), 1.0);
        assert_eq!(refined(&coarse, &domain, 3, &terrane_compute::Stop), Err(Cancelled));
    }

    #[test]
    fn an_empty_domain_stays_empty() {
        let domain = Domain::new(0, 0);
        assert!(of(&domain, 2).samples().is_empty());
    }
}
