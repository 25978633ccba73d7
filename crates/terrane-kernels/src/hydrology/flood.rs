//! Ground that a flood reaches.

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled};
use terrane_grid::{DIRECTIONS, Grid, Heightmap};

use super::ends::shape;
use crate::Boundary;

/// Where the water of a flood comes from.
#[derive(Clone, Copy, Debug)]
pub enum FloodFrom<'a> {
    /// From everywhere: all ground below the level is under water.
    Everywhere,
    /// From the border of the map. A map that wraps has none.
    Border,
    /// From these samples, by index.
    Samples(&'a [usize]),
}

/// The level of a flood: `level` on all ground below it that water reaches from sample to adjacent sample,
/// each below the level, and not a number elsewhere. Samples that are not numbers are holes and stay dry.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
///
/// # Panics
/// If the map has no sample with the index of one that the water comes from.
pub fn flood(
    map: &Heightmap,
    level: f32,
    from: FloodFrom<'_>,
    boundary: Boundary,
    alive: &Alive<'_>,
) -> Result<Heightmap, Cancelled> {
    let (shape, heights) = (shape(map, boundary), map.samples());
    let is_under = |at: usize| heights[at] < level;
    let mut open: Vec<usize> = match from {
        FloodFrom::Everywhere => (0..heights.len()).collect(),
        FloodFrom::Border => (0..heights.len()).filter(|at| shape.on_border(shape.position(*at))).collect(),
        FloodFrom::Samples(samples) => samples.to_vec(),
    };
    open.retain(|at| is_under(*at));
    let mut levels = vec![f32::NAN; heights.len()];
    open.iter().for_each(|at| levels[*at] = level);
    if matches!(from, FloodFrom::Everywhere) {
        open.clear();
    }
    let mut count = 0usize;
    while let Some(at) = open.pop() {
        let position = shape.position(at);
        for offset in &DIRECTIONS[1..] {
            let Some(to) = shape.neighbour_at(at, position, *offset) else { continue };
            if levels[to].is_nan() && is_under(to) {
                levels[to] = level;
                open.push(to);
            }
        }
        count += 1;
        if count.is_multiple_of(CHECK_INTERVAL) {
            alive()?;
        }
    }
    let (width, height) = map.domain().size;
    Ok(map.with_grid(Grid::from_vec(width, height, levels)))
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn floods_by_hand() {
        let heights = [1.0, 5.0, 2.0, 2.0, 6.0, f32::NAN, 0.0];
        let map = Heightmap::from_vec(Domain::new(7, 1), heights.to_vec());
        let wet = |level: f32, from: FloodFrom<'_>, boundary: Boundary| {
            let levels = flood(&map, level, from, boundary, &|| Ok(())).unwrap();
            assert!(levels.samples().iter().all(|found| found.is_nan() || *found == level));
            (0..7).filter(|at| !levels.samples()[*at].is_nan()).collect::<Vec<_>>()
        };
        let at = |at: &'static [usize]| FloodFrom::Samples(at);
        assert_eq!(wet(3.0, FloodFrom::Everywhere, Boundary::Open), [0, 2, 3, 6]);
        assert_eq!(wet(3.0, at(&[3]), Boundary::Open), [2, 3]);
        assert_eq!(wet(2.0, at(&[3, 0]), Boundary::Open), [0]);
        assert_eq!(wet(5.5, at(&[3]), Boundary::Open), [0, 1, 2, 3]);
        assert_eq!(wet(5.5, at(&[3]), Boundary::Wrap), [0, 1, 2, 3, 6]);
        assert_eq!(wet(7.0, at(&[5]), Boundary::Open), [0; 0]);
        // Every sample of a single row is at the border.
        assert_eq!(wet(3.0, FloodFrom::Border, Boundary::Open), [0, 2, 3, 6]);
        assert_eq!(wet(3.0, FloodFrom::Border, Boundary::Wrap), [0; 0]);
        let basin = Heightmap::from_fn(Domain::new(5, 5), |x, y| match (x, y) {
            (2, 2) | (0, _) => 0.0,
            _ => 2.0,
        });
        let sea = flood(&basin, 1.0, FloodFrom::Border, Boundary::Open, &|| Ok(())).unwrap();
        assert_eq!(sea.samples().iter().filter(|level| !level.is_nan()).count(), 5);
    }
}
