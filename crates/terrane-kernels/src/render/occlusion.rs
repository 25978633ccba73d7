//! Ambient occlusion: the share of the sky that is visible from each sample.
//!
//! Seen from a sample, a direction crosses the lines between samples at positions that are the same for all
//! samples. So each crossing is computed for a row of samples at once: its height is interpolated between two
//! samples at fixed offsets.

use std::f64::consts::TAU;
use std::ops::Range;

use terrane_grid::{Grid, Heightmap};

use crate::parallel::{slices, try_for_each_with};
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
    let new = || [[0.0; BLOCK]; 2];
    try_for_each_with(slices(&mut open, (width * BAND).max(1)), 1, new, |buffers, band, open| {
        // The samples that a block reads stay in the cache while its rows are computed.
        for from in (0..width).step_by(BLOCK) {
            let columns = from..(from + BLOCK).min(width);
            for (row, open) in open.chunks_exact_mut(width).enumerate() {
                let (open, place) = (&mut open[columns.clone()], (columns.clone(), band * BAND + row));
                dispatch!(_ => ground.openness(place, &directions, buffers, open));
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
    /// The offset of the first of the two samples beside it, in columns and rows.
    first: [i32; 2],
    /// The offset of the second sample from the first: one column, one row, or none.
    second: [u8; 2],
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
            first[axis] = if step < 0.0 { -(line as i32) } else { line as i32 };
            first[other] = whole as i32;
            let mut second = [0; 2];
            second[other] = u8::from(share > 0.0);
            found.push(Crossing { first, second, share: share as f32, inverse: (1.0 / distance) as f32 });
        }
    }
    found
}

/// Heights in samples.
struct Ground {
    heights: Vec<f32>,
    size: (usize, usize),
}

impl Ground {
    /// The share of the sky's light that reaches a part of a row.
    #[inline(always)]
    fn openness(
        &self,
        (columns, row): (Range<usize>, usize),
        directions: &[Vec<Crossing>],
        [sums, tangents]: &mut [[f32; BLOCK]; 2],
        open: &mut [f32],
    ) {
        let (sums, tangents) = (&mut sums[..open.len()], &mut tangents[..open.len()]);
        sums.fill(0.0);
        for crossings in directions {
            tangents.fill(0.0);
            for crossing in crossings {
                self.raise(crossing, (columns.clone(), row), tangents);
            }
            for (sum, tangent) in sums.iter_mut().zip(&*tangents) {
                *sum += 1.0 / (1.0 + tangent * tangent);
            }
        }
        // A division, so that level ground has exactly 1.
        let count = directions.len() as f32;
        open.iter_mut().zip(&*sums).for_each(|(open, sum)| *open = sum / count);
    }

    /// Raises the horizons of a part of a row to a crossing, where it lies on the map.
    #[inline(always)]
    fn raise(&self, crossing: &Crossing, (columns, row): (Range<usize>, usize), tangents: &mut [f32]) {
        let Crossing { share, inverse, .. } = *crossing;
        let (first, second) =
            (crossing.first.map(|offset| offset as isize), crossing.second.map(usize::from));
        let (width, height) = self.size;
        let there = row as isize + first[1];
        if there < 0 || there as usize + second[1] >= height {
            return;
        }
        let begin = columns.start.max(-first[0].min(0) as usize);
        let after = width as isize - first[0] - second[0] as isize;
        let end = columns.end.min(after.max(0) as usize);
        if begin >= end {
            return;
        }
        let at = there as usize * width + (begin as isize + first[0]) as usize;
        let (count, next) = (end - begin, at + second[1] * width + second[0]);
        let here = &self.heights[row * width + begin..][..count];
        let (near, far) = (&self.heights[at..][..count], &self.heights[next..][..count]);
        let tangents = &mut tangents[begin - columns.start..][..count];
        for (((tangent, here), near), far) in tangents.iter_mut().zip(here).zip(near).zip(far) {
            let rise = (near + (far - near) * share - here) * inverse;
            // Where this is not a number, there is no ground.
            *tangent = if rise > *tangent { rise } else { *tangent };
        }
    }
}
