//! Depths and levels of water.
//!
//! A level is the height of the surface of water. Where it is dry, it is not a number.

use terrane_grid::{DIRECTIONS, Grid, Heightmap, Shape};

use crate::parallel::{for_each, slices};

/// Samples of a task.
const PART: usize = 1 << 14;

/// A map of `f` of the samples of two maps of the same size, placed like `ground`.
fn of_both(ground: &Heightmap, other: &Heightmap, f: impl Fn(f32, f32) -> f32 + Sync) -> Heightmap {
    let (width, height) = ground.domain().size;
    assert_eq!(other.domain().size, (width, height), "water of another size");
    let mut samples = other.samples().to_vec();
    for_each(slices(&mut samples, PART), 1, |part, samples| {
        for (sample, ground) in samples.iter_mut().zip(&ground.samples()[part * PART..]) {
            *sample = f(*ground, *sample);
        }
    });
    ground.with_grid(Grid::from_vec(width, height, samples))
}

/// The depth of water with a level: 0 where it is dry, where the ground is higher, and in holes of the
/// ground.
///
/// # Panics
/// If the maps differ in size.
#[must_use]
pub fn depth_of_level(level: &Heightmap, ground: &Heightmap) -> Heightmap {
    of_both(ground, level, |ground, level| if level > ground { level - ground } else { 0.0 })
}

/// The level of water with a depth. It is dry where the depth is not above 0, and in holes of the ground.
///
/// # Panics
/// If the maps differ in size.
#[must_use]
pub fn level_of_depth(depth: &Heightmap, ground: &Heightmap) -> Heightmap {
    of_both(ground, depth, |ground, depth| if depth > 0.0 { ground + depth } else { f32::NAN })
}

/// A level where it is above the ground. It is dry elsewhere, and in holes of the ground.
///
/// # Panics
/// If the maps differ in size.
#[must_use]
pub fn level_over(level: &Heightmap, ground: &Heightmap) -> Heightmap {
    of_both(ground, level, |ground, level| if level > ground { level } else { f32::NAN })
}

/// The higher of two levels, where at least one is wet.
///
/// # Panics
/// If the maps differ in size.
#[must_use]
pub fn higher_level(one: &Heightmap, other: &Heightmap) -> Heightmap {
    of_both(one, other, |one, other| if one > other || other.is_nan() { one } else { other })
}

/// Water that stands above dry ground beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// How high above the ground, at most.
    pub height: f32,
    /// The column and row of the dry sample where it is highest.
    pub at: (usize, usize),
}

/// Finds where water with this level stands above dry ground beside it, as it does where ground was lowered
/// after a lake was filled. Levels at or below the ground do not count.
///
/// # Panics
/// If the maps differ in size.
#[must_use]
pub fn wall(level: &Heightmap, ground: &Heightmap) -> Option<Wall> {
    let (width, height) = ground.domain().size;
    assert_eq!(level.domain().size, (width, height), "water of another size");
    let (levels, heights) = (level.samples(), ground.samples());
    let shape = Shape { width, height, wrap: false };
    let mut highest: Option<Wall> = None;
    for at in (0..heights.len()).filter(|at| levels[*at] > heights[*at]) {
        let position = shape.position(at);
        for offset in &DIRECTIONS[1..] {
            let Some(to) = shape.neighbour_at(at, position, *offset) else { continue };
            let rise = levels[at] - heights[to];
            let is_dry = levels[to].is_nan() || levels[to] <= heights[to];
            if is_dry && rise > 0.0 && highest.is_none_or(|wall| rise > wall.height) {
                highest = Some(Wall { height: rise, at: shape.position(to) });
            }
        }
    }
    highest
}

/// The surface of water for a picture or a mesh, or `None` if all is dry. `levels` has the level at each
/// sample; it is dry where that is not a number or not above the ground.
///
/// A dry sample beside water gets the water's level or its own height, whichever is lower. So the shore lies
/// between samples, where the ground rises through the level. All other samples without water have negative
/// infinity.
///
/// # Panics
/// If there are not as many levels and heights as samples.
#[must_use]
pub fn surface(ground: &[f32], (columns, rows): (usize, usize), levels: &[f32]) -> Option<Vec<f32>> {
    const NONE: f32 = f32::NEG_INFINITY;
    let own = |at: usize| if levels[at] > ground[at] { levels[at] } else { NONE };
    let mut surface = vec![NONE; ground.len()];
    for_each(slices(&mut surface, columns.max(1)), 16, |row, surface| {
        for (column, level) in surface.iter_mut().enumerate() {
            let at = row * columns + column;
            *level = own(at);
            if *level == NONE {
                for y in row.saturating_sub(1)..(row + 2).min(rows) {
                    for x in column.saturating_sub(1)..(column + 2).min(columns) {
                        *level = level.max(own(y * columns + x));
                    }
                }
                *level = level.min(ground[at]);
            }
        }
    });
    surface.iter().any(|level| *level > NONE).then_some(surface)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn levels_and_depths_by_hand() {
        const DRY: f32 = f32::NAN;
        let map = |samples: [f32; 5]| Heightmap::from_vec(Domain::new(5, 1), samples.to_vec());
        let bits = |map: &Heightmap| map.samples().iter().map(|s| s.to_bits()).collect::<Vec<_>>();
        let ground = map([1.0, 2.0, 5.0, DRY, 3.0]);
        let level = map([4.0, 4.0, 4.0, 4.0, DRY]);
        let depth = map([3.0, 2.0, 0.0, 0.0, 0.0]);
        assert_eq!(bits(&depth_of_level(&level, &ground)), bits(&depth));
        let over = map([4.0, 4.0, DRY, DRY, DRY]);
        assert_eq!(bits(&level_over(&level, &ground)), bits(&over));
        assert_eq!(bits(&level_of_depth(&depth, &ground)), bits(&over));
        let lowered = map([1.0, 2.0, 3.5, 3.0, 0.5]);
        assert_eq!(wall(&over, &lowered), Some(Wall { height: 0.5, at: (2, 0) }));
        assert_eq!(wall(&over, &ground), None);
        let river = map([2.0, 6.0, DRY, DRY, 7.0]);
        assert_eq!(bits(&higher_level(&over, &river)), bits(&map([4.0, 6.0, DRY, DRY, 7.0])));
        assert_eq!(bits(&higher_level(&river, &over)), bits(&map([4.0, 6.0, DRY, DRY, 7.0])));
    }
}
