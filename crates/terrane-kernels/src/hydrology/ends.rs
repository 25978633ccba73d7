//! Where water ends or leaves the map.

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled, has_hole, parallel};
use terrane_grid::{DIRECTIONS, Heightmap, Shape};

use crate::Boundary;

/// The size of a map, and whether it wraps.
pub(super) fn shape(map: &Heightmap, boundary: Boundary) -> Shape {
    let (width, height) = map.domain().size;
    Shape { width, height, wrap: boundary == Boundary::Wrap }
}

/// The samples where all water ends: those below the level, and holes. On a torus without a sea it is the
/// lowest sample.
pub(super) fn sea(heights: &[f32], level: Option<f32>, boundary: Boundary) -> Vec<bool> {
    let level = level.unwrap_or(f32::NEG_INFINITY);
    let mut sea: Vec<bool> = heights.iter().map(|&height| height < level || height.is_nan()).collect();
    if boundary == Boundary::Wrap && !sea.contains(&true) {
        let lowest = (0..heights.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
        sea[lowest.unwrap_or_default()] = true;
    }
    sea
}

/// Whether water can leave the map at a sample: on an open border, or beside a hole.
pub(super) fn is_at_edge(heights: &[f32], shape: Shape, at: usize) -> bool {
    let position = shape.position(at);
    let is_hole = |to: usize| heights[to].is_nan();
    shape.on_border(position)
        || DIRECTIONS[1..].iter().any(|&offset| shape.neighbour_at(at, position, offset).is_some_and(is_hole))
}

/// The samples of the sea, and those where water can leave the map.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn ends(
    map: &Heightmap,
    sea_level: Option<f32>,
    boundary: Boundary,
    alive: &Alive<'_>,
) -> Result<Vec<bool>, Cancelled> {
    let (heights, shape) = (map.samples(), shape(map, boundary));
    let mut ends = sea(heights, sea_level, boundary);
    let has_hole = has_hole(heights);
    parallel::try_for_each(parallel::elements(&mut ends), CHECK_INTERVAL, |at, ends| {
        let is_edge =
            if has_hole { is_at_edge(heights, shape, at) } else { shape.on_border(shape.position(at)) };
        *ends = *ends || is_edge;
        if at.is_multiple_of(CHECK_INTERVAL) { alive() } else { Ok(()) }
    })?;
    Ok(ends)
}
