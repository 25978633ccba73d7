//! Drainage of flat ground, towards the nearest lower ground alone.

use crate::parallel::try_collect;

use crate::Cancelled;
use terrane_compute::{Alive, CHECK_INTERVAL};
use terrane_grid::{DIRECTIONS, Shape};

/// A terrain whose flat parts are to be drained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flats<'a> {
    /// The size.
    pub(super) shape: Shape,
    /// Heights of ground plus water.
    pub(super) heights: &'a [f32],
    /// The number of [`DIRECTIONS`] that water can take.
    pub(super) directions_used: usize,
}

impl Flats<'_> {
    /// Assigns receivers to samples that drain nowhere. Their water takes the shortest path across samples of
    /// the same height (Garbrecht & Martz 1997, towards lower ground). The path ends at a sample that drains,
    /// or where water ends according to `leaves`. `directions` are indices into [`DIRECTIONS`], 0 for
    /// nowhere. `receivers` are the samples to which the directions lead. O(samples).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If a slice does not have one entry per sample, or a direction is not an index into [`DIRECTIONS`].
    pub(super) fn drain(
        &self,
        directions: &mut [u8],
        receivers: &mut [u32],
        leaves: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let dry = |directions: &[u8], at: usize| directions[at] == 0 && !leaves(at);
        let first: Vec<Vec<(u32, u8)>> =
            try_collect(directions.len().div_ceil(CHECK_INTERVAL), 1, |chunk| {
                alive()?;
                let range = chunk * CHECK_INTERVAL..((chunk + 1) * CHECK_INTERVAL).min(directions.len());
                let edge = range.filter(|&at| dry(directions, at)).filter_map(|at| {
                    let found = self.level(at).find(|&(_, to)| !dry(directions, to));
                    found.map(|(direction, _)| (at as u32, direction))
                });
                Ok(edge.collect())
            })?;
        let mut queue: Vec<u32> = Vec::new();
        let mut join = |directions: &mut [u8], at: u32, direction: u8| {
            directions[at as usize] = direction;
            let to =
                self.shape.neighbour(self.shape.position(at as usize), DIRECTIONS[usize::from(direction)]);
            receivers[at as usize] = to.unwrap_or(at as usize) as u32;
        };
        for (at, direction) in first.into_iter().flatten() {
            join(directions, at, direction);
            queue.push(at);
        }
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            if next.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
            for (direction, from) in self.level(at as usize) {
                if dry(directions, from) {
                    join(directions, from as u32, opposite(direction));
                    queue.push(from as u32);
                }
            }
        }
        Ok(())
    }

    /// The neighbours of the same height, with the directions to them.
    fn level(&self, at: usize) -> impl Iterator<Item = (u8, usize)> {
        let (shape, height, heights) = (self.shape, self.heights[at], self.heights);
        let position = shape.position(at);
        (1..=self.directions_used).filter_map(move |direction| {
            let to = shape.neighbour_at(at, position, DIRECTIONS[direction])?;
            (to != at && heights[to] == height).then_some((direction as u8, to))
        })
    }
}

/// The opposite direction.
const fn opposite(direction: u8) -> u8 {
    if direction > 4 { 13 - direction } else { 5 - direction }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions() {
        for (direction, &(dx, dy)) in DIRECTIONS.iter().enumerate().skip(1) {
            assert_eq!(DIRECTIONS[usize::from(opposite(direction as u8))], (-dx, -dy));
        }
    }

    #[test]
    fn a_flat_by_hand() {
        // Flat ground of 5 x 3 samples with a pit at each end of the middle row: samples 5 and 9. The pits'
        // neighbours drain to the pits.
        let mut heights = vec![2.0f32; 15];
        (heights[9], heights[5]) = (1.0, 0.0);
        let shape = Shape { width: 5, height: 3, wrap: false };
        let (mut directions, mut receivers) = (vec![0u8; 15], (0..15).collect::<Vec<u32>>());
        for (at, direction, to) in [(4, 4, 9), (8, 3, 9), (14, 1, 9), (0, 4, 5), (6, 2, 5), (10, 1, 5)] {
            (directions[at], receivers[at]) = (direction, to);
        }
        let flats = Flats { shape, heights: &heights, directions_used: 4 };
        flats.drain(&mut directions, &mut receivers, |_| false, &|| Ok(())).unwrap();
        assert_eq!(receivers, [5, 0, 1, 4, 9, 5, 5, 6, 9, 9, 5, 6, 7, 8, 9]);
        // Of two equally long paths, the one over the sample that was reached first counts. A sample next to
        // several that drained before the call takes the first direction: up before left. Pits remain pits.
        assert_eq!([directions[5], directions[9]], [0, 0]);
    }
}
