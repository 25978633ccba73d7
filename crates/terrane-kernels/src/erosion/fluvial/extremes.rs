//! Needles and pits, which an erosion that is held near its ideal would leave on steep ground.

use terrane_grid::{DIRECTIONS, Shape};

use super::rows::BAND;
use super::state::State;
use crate::Cancelled;
use crate::parallel::{slices, try_for_each};
use terrane_compute::Alive;

impl State<'_> {
    /// Lowers needles and raises pits. No tile stands above all its eight neighbours by more than its side,
    /// or lies below all of them by more than a quarter of its side, unless it does in the ideal.
    pub(super) fn remove_extremes(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { land, powers, ideal, shape, spacing, sinks, .. } = self;
        let (shape, spacing, width) = (*shape, *spacing, shape.width);
        try_for_each(slices(powers, width), BAND, |row, out| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            for (column, out) in out.iter_mut().enumerate() {
                let at = row * width + column;
                let (low, high) = around(land, shape, (column, row));
                let (needle, pit) = (land[at] > high + spacing, land[at] < low - 0.25 * spacing);
                *out = land[at];
                if (needle || pit) && !sinks.is_fixed(at) {
                    let (ideal_low, ideal_high) = around(ideal, shape, (column, row));
                    let above = (ideal[at] - ideal_high).max(spacing);
                    let below = (ideal_low - ideal[at]).max(0.25 * spacing);
                    *out = out.clamp(low - below, high + above);
                }
            }
            Ok(())
        })?;
        std::mem::swap(land, powers);
        Ok(())
    }
}

/// The heights of the lowest and of the highest of a tile's neighbours; without neighbours -∞ and ∞.
#[inline]
fn around(heights: &[f32], shape: Shape, (column, row): (usize, usize)) -> (f32, f32) {
    let at = row * shape.width + column;
    let widened = |(low, high): (f32, f32), height: f32| (low.min(height), high.max(height));
    let inside = |at: usize, count: usize| at > 0 && at + 1 < count;
    if inside(column, shape.width) && inside(row, shape.height) {
        let [above, below] = [at - shape.width, at + shape.width].map(|at| &heights[at - 1..=at + 1]);
        let sides = (heights[at - 1].min(heights[at + 1]), heights[at - 1].max(heights[at + 1]));
        return above.iter().chain(below).copied().fold(sides, widened);
    }
    let neighbours = DIRECTIONS[1..].iter().filter_map(|&way| shape.neighbour_at(at, (column, row), way));
    match neighbours.map(|to| heights[to]).fold((f32::INFINITY, f32::NEG_INFINITY), widened) {
        (low, high) if low > high => (high, low),
        found => found,
    }
}
