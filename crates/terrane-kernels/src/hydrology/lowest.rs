//! The lowest neighbour of each sample.

use fearless_simd::prelude::*;
use terrane_compute::parallel::{slices, try_for_each};
use terrane_compute::{Alive, Cancelled};
use terrane_grid::Shape;

use crate::dispatch;
use crate::simd::{load, store};

/// Rows per task.
const ROWS: usize = 16;

/// The most lanes of a vector.
const LANES: usize = 16;

/// The neighbours of a sample, those with lower indices first.
const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Sets each sample's receiver to the lowest of its lower neighbours; of equally low ones, to the first.
/// Where none is lower, it is a neighbour of the same height with a lower index, so that most of a flat has
/// one end. Samples of `ends`, and those without either, are their own receivers.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn lowest_neighbours(
    shape: Shape,
    heights: &[f32],
    ends: &[bool],
    receivers: &mut [u32],
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    let width = shape.width;
    try_for_each(slices(receivers, width), ROWS, |row, receivers| {
        if row.is_multiple_of(ROWS) {
            alive()?;
        }
        let inner = if row > 0 && row + 1 < shape.height { 1..width.saturating_sub(1).max(1) } else { 1..1 };
        let slowly = (0..width).filter(|column| !inner.contains(column));
        slowly.for_each(|column| receivers[column] = lowest(shape, heights, (column, row)) as u32);
        if !inner.is_empty() {
            let lower = Lower { heights, width, first: row * width + 1 };
            dispatch!(simd => lower.run(simd, &mut receivers[inner]));
        }
        let own = row * width;
        for (column, receiver) in receivers.iter_mut().enumerate() {
            let at = own + column;
            if ends[at] {
                *receiver = at as u32;
            } else if *receiver as usize == at {
                *receiver = level(shape, heights, (column, row)).unwrap_or(at) as u32;
            }
        }
        Ok(())
    })
}

/// The lowest of the lower neighbours of a sample, or the sample itself.
fn lowest(shape: Shape, heights: &[f32], position: (usize, usize)) -> usize {
    let mut best = position.1 * shape.width + position.0;
    for to in NEIGHBOURS.iter().filter_map(|&way| shape.neighbour(position, way)) {
        if heights[to] < heights[best] {
            best = to;
        }
    }
    best
}

/// A neighbour of the same height with a lower index.
#[cold]
fn level(shape: Shape, heights: &[f32], position: (usize, usize)) -> Option<usize> {
    let at = position.1 * shape.width + position.0;
    let neighbours = NEIGHBOURS.iter().filter_map(|&way| shape.neighbour(position, way));
    neighbours.filter(|&to| to < at && heights[to] == heights[at]).min()
}

/// The lower neighbours of consecutive samples that have all eight.
struct Lower<'a> {
    heights: &'a [f32],
    width: usize,
    /// The index of the first sample.
    first: usize,
}

impl Lower<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S, receivers: &mut [u32]) {
        let Self { heights, width, first } = self;
        let offsets = NEIGHBOURS.map(|(dx, dy)| dy * width as isize + dx);
        // The way to the lowest neighbour is one more than its index.
        let step = |way: f32| if way > 0.0 { offsets[way as usize - 1] } else { 0 };
        let lanes = S::f32s::LEN;
        let whole = receivers.len() / lanes * lanes;
        let own = &heights[first..first + receivers.len()];
        let around = offsets.map(|offset| &heights[first.wrapping_add_signed(offset)..][..receivers.len()]);
        for column in (0..whole).step_by(lanes) {
            let (mut best, mut way) = (load(simd, &own[column..]), S::f32s::splat(simd, 0.0));
            for (index, heights) in around.iter().enumerate() {
                let height = load(simd, &heights[column..]);
                let lower = height.simd_lt(best);
                best = lower.select(height, best);
                way = lower.select(S::f32s::splat(simd, index as f32 + 1.0), way);
            }
            let mut ways = [0.0; LANES];
            store(simd, way, &mut ways);
            for (at, (receiver, way)) in receivers[column..column + lanes].iter_mut().zip(ways).enumerate() {
                *receiver = (first + column + at).wrapping_add_signed(step(way)) as u32;
            }
        }
        for column in whole..receivers.len() {
            let (mut best, mut to) = (own[column], first + column);
            for (heights, offset) in around.iter().zip(offsets) {
                if heights[column] < best {
                    (best, to) = (heights[column], (first + column).wrapping_add_signed(offset));
                }
            }
            receivers[column] = to as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares with the samples one by one, on ground with flats and holes.
        #[test]
        fn rows_are_as_single_samples(width in 1usize..70, height in 1usize..9, seed: u64, wrap: bool) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let number = |at: usize| (12.0 * lattice.unit(at as i64, 0)).floor();
            let ground = |at: usize| if number(at) == 11.0 { f32::NAN } else { number(at) };
            let heights: Vec<f32> = (0..width * height).map(ground).collect();
            let ends: Vec<bool> = heights.iter().map(|height| height.is_nan()).collect();
            let shape = Shape { width, height, wrap };
            let mut found = vec![0; width * height];
            lowest_neighbours(shape, &heights, &ends, &mut found, &|| Ok(())).unwrap();
            for (at, found) in found.into_iter().enumerate() {
                let position = shape.position(at);
                let lower = lowest(shape, &heights, position);
                let to = if lower == at { level(shape, &heights, position) } else { None };
                let expected = if ends[at] { at } else { to.unwrap_or(lower) };
                prop_assert_eq!(found as usize, expected);
            }
        }
    }
}
