//! The steepest way down.

use terrane_grid::{DIRECTIONS, Shape};

use super::Ties;

/// The directions to the eight neighbours, sorted by the neighbours' indices, as indices into [`DIRECTIONS`].
pub(crate) const AROUND: [u8; 8] = [5, 1, 6, 2, 3, 7, 4, 8];

/// The lower neighbour to which the slope is steepest, or the sample itself if none is lower. `ties` decides
/// between equally steep slopes.
#[must_use]
pub fn steepest(heights: &[f32], shape: Shape, position: (usize, usize), at: usize, ties: &Ties) -> usize {
    let slopes = slopes(heights, shape, position, at);
    // Comparisons with not-a-number are false.
    let mut most = 0.0;
    for slope in slopes {
        most = if slope > most { slope } else { most };
    }
    if most == 0.0 {
        return at;
    }
    let mut equal = 0u32;
    for (index, slope) in slopes.iter().enumerate() {
        equal |= u32::from(*slope == most) << index;
    }
    let index = if equal.is_power_of_two() { equal.trailing_zeros() } else { decide(equal, ties, position) };
    shape.neighbour_at(at, position, DIRECTIONS[usize::from(AROUND[index as usize])]).unwrap_or(at)
}

/// The slopes down to the neighbours [`AROUND`] a sample; not-a-number where there is none.
#[inline(always)]
fn slopes(heights: &[f32], shape: Shape, position: (usize, usize), at: usize) -> [f32; 8] {
    let mut slopes = [f32::NAN; 8];
    for (slope, direction) in slopes.iter_mut().zip(AROUND) {
        if let Some(to) = shape.neighbour_at(at, position, DIRECTIONS[usize::from(direction)]) {
            let run = if direction > 4 { std::f32::consts::SQRT_2 } else { 1.0 };
            *slope = (heights[at] - heights[to]) / run;
        }
    }
    slopes
}

/// The index in [`AROUND`] of the neighbour with the highest rank; of equal ranks, the first. `equal` has a
/// bit for each of the neighbours.
#[cold]
fn decide(equal: u32, ties: &Ties, position: (usize, usize)) -> u32 {
    let ranks = ties.ranks(position);
    let all = (0..8).filter(|index| equal >> index & 1 == 1);
    all.reduce(
        |best, other| {
            if ranks(AROUND[other as usize]) > ranks(AROUND[best as usize]) { other } else { best }
        },
    )
    .unwrap_or_default()
}
