//! The steepest way down.

use terrane_grid::{DIRECTIONS, Shape};

use super::Ties;

/// The directions to the eight neighbours, sorted by the neighbours' indices, as indices into [`DIRECTIONS`].
pub(crate) const AROUND: [u8; 8] = [5, 1, 6, 2, 3, 7, 4, 8];

/// The lower neighbour to which the slope is steepest, or the sample itself if none is lower. `ties` decides
/// between equally steep slopes.
#[must_use]
pub fn steepest(heights: &[f32], shape: Shape, position: (usize, usize), at: usize, ties: &Ties) -> usize {
    let (mut best, mut most, mut tied) = (at, 0.0, false);
    let slopes = AROUND.map(|direction| {
        let to = shape.neighbour_at(at, position, DIRECTIONS[usize::from(direction)]);
        let run = if direction > 4 { std::f32::consts::SQRT_2 } else { 1.0 };
        (to, to.map_or(0.0, |to| (heights[at] - heights[to]) / run))
    });
    for (to, slope) in slopes {
        let Some(to) = to else { continue };
        if slope > most {
            (best, most, tied) = (to, slope, false);
        } else if slope == most && slope > 0.0 {
            tied = true;
        }
    }
    if !tied {
        return best;
    }
    let ranks = ties.ranks(position);
    let equal = slopes.into_iter().zip(AROUND).filter(|((_, slope), _)| *slope == most);
    let equal = equal.filter_map(|((to, _), direction)| Some((ranks(direction), to?)));
    equal.reduce(|best, other| if other.0 > best.0 { other } else { best }).map_or(best, |(_, to)| to)
}
