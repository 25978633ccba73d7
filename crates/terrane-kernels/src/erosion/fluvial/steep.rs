//! Steep ground: it is held near its ideal heights, and keeps neither needles nor pits.

use terrane_grid::{DIRECTIONS, Domain, Heightmap, Shape};

use super::ideal::steepest;
use super::parameters::{Fluvial, Solver, share};
use super::rows::BAND;
use super::state::State;
use crate::Cancelled;
use crate::parallel::{slices, try_for_each};
use crate::shape::blur;
use terrane_compute::{Alive, each};

/// Radius of the blur of slopes, in samples. Without the blur, the rim of a cliff would be held more than the
/// ground behind it, and would remain as battlements.
const RADIUS: f64 = 8.0;

/// The value strength of each tile, if the ground is held where it is steep. Where the blurred ideal slope is
/// n times the parameter, the value constraint counts as applied n² times.
pub fn value_strength(
    ideal: &[f32],
    domain: Domain,
    parameters: &Fluvial<'_>,
    shape: Shape,
    alive: &Alive<'_>,
) -> Result<Option<Heightmap>, Cancelled> {
    let Some(held_slope) = held_slope(parameters) else { return Ok(None) };
    let spacing = domain.spacing as f32;
    let slopes = each(ideal.len(), alive, |at| steepest(ideal, shape, at) / spacing)?;
    let slopes = Heightmap::from_vec(domain, slopes);
    let slopes = blur(&slopes, RADIUS * domain.spacing, parameters.boundary);
    alive()?;
    let strengths = each(ideal.len(), alive, |at| {
        let strength = share(parameters.value_strength.at(at));
        let over = slopes.samples()[at] / held_slope;
        if over > 1.0 { 1.0 - libm::powf(1.0 - strength, over * over) } else { strength }
    })?;
    Ok(Some(Heightmap::from_vec(domain, strengths)))
}

/// The slope above which ground is held, if there is one; the explicit scheme has none.
pub fn held_slope(parameters: &Fluvial<'_>) -> Option<f32> {
    parameters.held_slope.filter(|_| parameters.solver == Solver::Implicit)
}

impl State<'_> {
    /// Lowers needles and raises pits. No tile stands above all its eight neighbours by more than its side, or
    /// lies below all of them by more than a quarter of its side, unless it does in the ideal.
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
