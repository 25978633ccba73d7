//! Ambient occlusion: the share of the sky that is visible from each sample.
//!
//! Seen from a sample, a direction crosses the lines between samples at positions that are the same for all
//! samples. So each crossing is computed for a row of samples at once: its height is interpolated between two
//! samples at fixed offsets.

use std::f64::consts::TAU;
use std::ops::Range;

use fearless_simd::prelude::*;
use terrane_grid::{Grid, Heightmap};

use crate::parallel::{slices, try_for_each};
use crate::simd::{load, store};
use crate::{Cancelled, Progress, dispatch};

/// Ambient occlusion: for each sample the share of the sky's light that reaches it, in [0, 1].
///
/// The horizon is found in `directions` evenly spaced directions, up to a distance of `radius` world units.
/// The bilinear surface is read at every line between samples that a direction crosses. If the horizon in a
/// direction stands at the angle α above level, the direction contributes cos² α of the light that level
/// ground gets from an evenly bright sky. The result is the mean over all directions. Nothing beyond the map
/// hides the sky. O(samples · directions · radius / spacing).
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn ambient_occlusion(
    map: &Heightmap,
    directions: usize,
    radius: f64,
    exaggeration: f64,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    let (width, height) = map.domain().size;
    let scale = exaggeration / map.spacing();
    let ground = Ground {
        heights: map.samples().iter().map(|h| (f64::from(*h) * scale) as f32).collect(),
        size: (width, height),
    };
    let reach = radius / map.spacing();
    let directions: Vec<Vec<Crossing>> = (0..directions)
        .map(|k| TAU * (k as f64 + 0.5) / directions as f64)
        .map(|angle| crossings([libm::cos(angle), libm::sin(angle)], reach, (width, height)))
        .collect();
    let mut open = vec![0.0f32; width * height];
    let bands = height.div_ceil(BAND) as f64;
    try_for_each(slices(&mut open, (width * BAND).max(1)), 1, |band, open| {
        // The samples that a block reads stay in the cache while its rows are computed.
        for from in (0..width).step_by(BLOCK) {
            let columns = from..(from + BLOCK).min(width);
            for (row, open) in open.chunks_exact_mut(width).enumerate() {
                let (open, place) = (&mut open[columns.clone()], (columns.start, band * BAND + row));
                dispatch!(simd => ground.openness(simd, place, &directions, open));
            }
            progress.report((band as f64 + from as f64 / width as f64) / bands)?;
        }
        Ok(())
    })?;
    Ok(map.with_grid(Grid::from_vec(width, height, open)))
}

/// The bytes that [`ambient_occlusion`] holds besides its maps: at most two crossings for each sample that a
/// direction reaches.
#[must_use]
pub fn occlusion_bytes((width, height): (usize, usize), directions: usize, reach: f64) -> u64 {
    let crossings = 2.0 * (reach + 1.0).min((width + height) as f64) * directions as f64;
    // A list that grows doubles its memory.
    (2.0 * crossings * size_of::<Crossing>() as f64) as u64
}

/// The number of rows in a part of the map that one thread computes.
const BAND: usize = 16;

/// The number of columns that are computed together.
const BLOCK: usize = 1024;

/// A point at which a direction crosses a line between samples, seen from any sample.
struct Crossing {
    /// The columns and rows from which the crossing lies on the map.
    columns: Range<usize>,
    rows: Range<usize>,
    /// The offset of the first of the two samples beside it, in samples.
    first: isize,
    /// The offset of the second sample from the first: one column, one row, or none.
    second: usize,
    /// The share of the second sample in the height.
    share: f32,
    /// One over the distance.
    inverse: f32,
}

/// The points at which a direction crosses lines between samples, up to a distance.
fn crossings(direction: [f64; 2], reach: f64, (width, height): (usize, usize)) -> Vec<Crossing> {
    // Positions that are this near to a sample lie on it, so that rounding does not move them off the map.
    const NEAR: f64 = 1e-9;
    let reach = reach.min((width + height) as f64);
    let mut found = Vec::new();
    for (axis, samples) in [(0, width), (1, height)] {
        let (step, other) = (direction[axis], 1 - axis);
        for line in 1..samples {
            let distance = line as f64 / step.abs();
            if distance.is_nan() || distance > reach {
                break;
            }
            let position = direction[other] * distance;
            let nearest = libm::round(position);
            let (whole, share) = if (position - nearest).abs() <= NEAR * distance {
                (nearest, 0.0)
            } else {
                (libm::floor(position), position - libm::floor(position))
            };
            let mut first = [0; 2];
            first[axis] = if step < 0.0 { -(line as isize) } else { line as isize };
            first[other] = whole as isize;
            let mut second = [0; 2];
            second[other] = usize::from(share > 0.0);
            // From where both samples lie on the map.
            let inside = |axis: usize, samples: usize| {
                let end =
                    samples.saturating_sub(second[axis]).saturating_add_signed(-first[axis]).min(samples);
                first[axis].min(0).unsigned_abs()..end
            };
            found.push(Crossing {
                columns: inside(0, width),
                rows: inside(1, height),
                first: first[1] * width as isize + first[0],
                second: second[1] * width + second[0],
                share: share as f32,
                inverse: (1.0 / distance) as f32,
            });
        }
    }
    found
}

/// Heights in samples.
struct Ground {
    heights: Vec<f32>,
    size: (usize, usize),
}

/// Vectors that stay in registers while all crossings of a direction are looked at.
const VECTORS: usize = 4;

/// The most samples of so many vectors.
const SAMPLES: usize = 64;

impl Ground {
    /// The share of the sky's light that reaches a part of a row, which begins at a column.
    #[inline(always)]
    fn openness<S: Simd>(
        &self,
        simd: S,
        (column, row): (usize, usize),
        directions: &[Vec<Crossing>],
        open: &mut [f32],
    ) {
        // Divided by, so that level ground has exactly 1.
        let count = directions.len() as f32;
        let samples = VECTORS * S::f32s::LEN;
        for (group, open) in open.chunks_mut(samples).enumerate() {
            let columns = column + group * samples..column + group * samples + open.len();
            let mut sums = [0.0; SAMPLES];
            for crossings in directions {
                let mut tangents = [0.0; SAMPLES];
                if open.len() == samples {
                    self.raise_all(simd, crossings, (&columns, row), &mut tangents);
                } else {
                    for crossing in crossings {
                        self.raise(crossing, (&columns, row), &mut tangents);
                    }
                }
                for (sum, tangent) in sums.iter_mut().zip(&tangents) {
                    *sum += 1.0 / (1.0 + tangent * tangent);
                }
            }
            open.iter_mut().zip(&sums).for_each(|(open, sum)| *open = sum / count);
        }
    }

    /// Raises the horizons of a group of vectors to all crossings of a direction.
    #[inline(always)]
    fn raise_all<S: Simd>(
        &self,
        simd: S,
        crossings: &[Crossing],
        (columns, row): (&Range<usize>, usize),
        tangents: &mut [f32; SAMPLES],
    ) {
        let (length, at) = (S::f32s::LEN, row * self.size.0 + columns.start);
        let here = &self.heights[at..][..VECTORS * length];
        let here: [S::f32s; VECTORS] = std::array::from_fn(|vector| load(simd, &here[vector * length..]));
        let mut raised = [S::f32s::splat(simd, 0.0); VECTORS];
        let mut are_partly_outside = false;
        for crossing in crossings.iter().filter(|crossing| crossing.rows.contains(&row)) {
            if columns.start < crossing.columns.start || columns.end > crossing.columns.end {
                are_partly_outside = true;
                continue;
            }
            let first = at.wrapping_add_signed(crossing.first);
            let near = &self.heights[first..][..VECTORS * length];
            let far = &self.heights[first + crossing.second..][..VECTORS * length];
            for vector in 0..VECTORS {
                let (near, far) = (load(simd, &near[vector * length..]), load(simd, &far[vector * length..]));
                let rise = (near + (far - near) * crossing.share - here[vector]) * crossing.inverse;
                // Where this is not a number, there is no ground.
                raised[vector] = rise.simd_gt(raised[vector]).select(rise, raised[vector]);
            }
        }
        for (vector, raised) in raised.into_iter().enumerate() {
            store(simd, raised, &mut tangents[vector * length..]);
        }
        if are_partly_outside {
            let is_within = |of: &Range<usize>| columns.start >= of.start && columns.end <= of.end;
            for crossing in crossings.iter().filter(|crossing| !is_within(&crossing.columns)) {
                self.raise(crossing, (columns, row), tangents);
            }
        }
    }

    /// Raises the horizons of a part of a row to a crossing, where it lies on the map.
    #[inline(always)]
    fn raise(
        &self,
        crossing: &Crossing,
        (columns, row): (&Range<usize>, usize),
        tangents: &mut [f32; SAMPLES],
    ) {
        let begin = columns.start.max(crossing.columns.start);
        let end = columns.end.min(crossing.columns.end);
        if begin >= end || !crossing.rows.contains(&row) {
            return;
        }
        let (count, at) = (end - begin, row * self.size.0 + begin);
        let first = at.wrapping_add_signed(crossing.first);
        let here = &self.heights[at..][..count];
        let (near, far) =
            (&self.heights[first..][..count], &self.heights[first + crossing.second..][..count]);
        let tangents = &mut tangents[begin - columns.start..][..count];
        for (((tangent, here), near), far) in tangents.iter_mut().zip(here).zip(near).zip(far) {
            let rise = (near + (far - near) * crossing.share - here) * crossing.inverse;
            *tangent = if rise > *tangent { rise } else { *tangent };
        }
    }
}
