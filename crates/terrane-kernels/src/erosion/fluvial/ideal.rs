//! Ideal heights: the shape to which constraints pull the land, and the strengths of this pull.

use terrane_grid::{DIRECTIONS, Heightmap, Seed};

use super::parameters::{Fluvial, Solver, share};
use super::sinks::Sinks;
use crate::Cancelled;
use crate::erosion::valleys::ValleyWidth;
use crate::shape::blur;
use terrane_compute::{Alive, each};

/// Radius of the blur of slopes, in widths of a valley. Without the blur, the rim of a cliff would be held
/// more than the ground behind it, and would remain as battlements.
const RADIUS: f64 = 8.0;

/// Computes the ideal heights: the map's heights plus random unevenness. Fixed tiles keep the map's heights,
/// as do all tiles if there are no iterations.
pub fn ideal(
    map: &Heightmap,
    parameters: &Fluvial<'_>,
    valleys: ValleyWidth,
    sinks: &Sinks,
    seed: Seed,
    alive: &Alive<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let heights = map.samples();
    if parameters.iterations == 0 {
        return Ok(heights.to_vec());
    }
    let (random, side) = (valleys.random(seed.part(2), alive)?, valleys.side());
    let noise = (f64::from(parameters.noise) * side) as f32;
    let mut ideal = each(heights.len(), alive, |at| {
        let (unit, height, sea) = (random[at], heights[at], parameters.sea_level);
        if height < sea || parameters.unevenness <= 0.0 {
            return height + noise * (2.0 * unit - 1.0);
        }
        // The unevenness is at most the height above the sea, so that it does not move coasts.
        let relief = relief(heights, valleys, at);
        // On cliffs, unevenness in proportion to the relief would itself be needles and pits.
        let relief = if parameters.held().is_some() { relief.min(side as f32) } else { relief };
        let uneven = parameters.unevenness * relief;
        let most = noise + uneven.min(height - sea);
        height + most * (2.0 * unit - 1.0)
    })?;
    sinks.fixed.iter().for_each(|&(at, _)| ideal[at as usize] = heights[at as usize]);
    Ok(ideal)
}

/// Per tile, the strength with which differences between neighbours return to the ideal differences. For the
/// implicit solver without held slopes, the strength is divided by the tile's steepest ideal slope if that
/// exceeds 1. Otherwise, at a cliff that rivers cut down, the top would remain as needles and the foot would
/// sink with the rivers.
pub fn gradient_strength(
    ideal: &[f32],
    parameters: &Fluvial<'_>,
    valleys: ValleyWidth,
    alive: &Alive<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let side = valleys.side() as f32;
    each(ideal.len(), alive, |at| {
        let strength = share(parameters.gradient_strength.at(at));
        if parameters.solver == Solver::Implicit && parameters.held().is_none() {
            strength / (steepest(ideal, valleys, at) / side).max(1.0)
        } else {
            strength
        }
    })
}

/// The value strength of each tile, if the ground is held where it is steep. Where the blurred ideal slope is
/// n times the parameter, the value constraint counts as applied n² times.
pub fn value_strength(
    ideal: &[f32],
    parameters: &Fluvial<'_>,
    valleys: ValleyWidth,
    alive: &Alive<'_>,
) -> Result<Option<Heightmap>, Cancelled> {
    let Some(held_slope) = parameters.held() else { return Ok(None) };
    let domain = valleys.domain;
    let side = valleys.side() as f32;
    let slopes = each(ideal.len(), alive, |at| steepest(ideal, valleys, at) / side)?;
    let slopes = Heightmap::from_vec(domain, slopes);
    let slopes = blur(&slopes, RADIUS * valleys.side(), parameters.boundary);
    alive()?;
    let strengths = each(ideal.len(), alive, |at| {
        let strength = share(parameters.value_strength.at(at));
        let over = slopes.samples()[at] / held_slope;
        if over > 1.0 { 1.0 - libm::powf(1.0 - strength, over * over) } else { strength }
    })?;
    Ok(Some(Heightmap::from_vec(domain, strengths)))
}

/// The maximum absolute difference in height between a tile and its four neighbours.
fn steepest(heights: &[f32], valleys: ValleyWidth, at: usize) -> f32 {
    differences(heights, valleys, at).fold(0.0, f32::max)
}

/// The mean absolute difference in height between a tile and its four neighbours.
fn relief(heights: &[f32], valleys: ValleyWidth, at: usize) -> f32 {
    let (sum, count) =
        differences(heights, valleys, at).fold((0.0, 0.0), |(sum, count), d| (sum + d, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The absolute differences in height between a tile and its four neighbours. Neighbours beyond the border
/// are left out.
fn differences(heights: &[f32], valleys: ValleyWidth, at: usize) -> impl Iterator<Item = f32> {
    let neighbours = DIRECTIONS[1..5].iter().filter_map(move |&way| valleys.neighbour(at, way));
    neighbours.map(move |to| (heights[to] - heights[at]).abs())
}
