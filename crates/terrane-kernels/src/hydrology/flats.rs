//! Drainage of flat ground.

use crate::parallel::try_collect;

use super::{Alive, PATIENCE, Shape, WAYS};
use crate::Cancelled;

/// Samples whose flat parts are to be drained.
pub struct Flats<'a> {
    pub shape: Shape,
    /// Heights of ground plus water.
    pub heights: &'a [f32],
    /// How many of [`DIRECTIONS`] water can take.
    pub used: usize,
}

impl Flats<'_> {
    /// Lets samples that drain nowhere drain to neighbours of the same height that do drain, or where water
    /// ends according to `leaves`, and from there on from neighbour to neighbour along the shortest path
    /// (Garbrecht & Martz 1997, towards lower ground). `directions` are indices into [`DIRECTIONS`], 0 for
    /// nowhere; `receivers` the samples that they lead to. O(samples).
    pub fn drain(
        &self,
        ways: &mut [u8],
        receivers: &mut [u32],
        leaves: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let dry = |ways: &[u8], at: usize| ways[at] == 0 && !leaves(at);
        let first: Vec<Vec<(u32, u8)>> = try_collect(ways.len().div_ceil(PATIENCE), 1, |chunk| {
            alive()?;
            let range = chunk * PATIENCE..((chunk + 1) * PATIENCE).min(ways.len());
            let edge = range.filter(|&at| dry(ways, at)).filter_map(|at| {
                let found = self.level(at).find(|&(_, to)| !dry(ways, to));
                found.map(|(way, _)| (at as u32, way))
            });
            Ok(edge.collect())
        })?;
        let mut queue: Vec<u32> = Vec::new();
        let mut join = |ways: &mut [u8], at: u32, way: u8| {
            ways[at as usize] = way;
            let to = self.shape.beside(self.shape.place(at as usize), WAYS[usize::from(way)]);
            receivers[at as usize] = to.unwrap_or(at as usize) as u32;
        };
        for (at, way) in first.into_iter().flatten() {
            join(ways, at, way);
            queue.push(at);
        }
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            if next.is_multiple_of(PATIENCE) {
                alive()?;
            }
            for (way, from) in self.level(at as usize) {
                if dry(ways, from) {
                    join(ways, from as u32, opposite(way));
                    queue.push(from as u32);
                }
            }
        }
        Ok(())
    }

    /// The neighbours of the same height, with their directions.
    fn level(&self, at: usize) -> impl Iterator<Item = (u8, usize)> {
        let (shape, height, heights) = (self.shape, self.heights[at], self.heights);
        let place = shape.place(at);
        (1..=self.used).filter_map(move |way| {
            let to = shape.beside_at(at, place, WAYS[way])?;
            (to != at && heights[to] == height).then_some((way as u8, to))
        })
    }
}

/// The opposite direction.
const fn opposite(way: u8) -> u8 {
    if way > 4 { 13 - way } else { 5 - way }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions() {
        for (way, &(dx, dy)) in WAYS.iter().enumerate().skip(1) {
            assert_eq!(WAYS[usize::from(opposite(way as u8))], (-dx, -dy));
        }
    }

    #[test]
    fn a_flat_by_hand() {
        // Flat, except for a lower sample at the right end of the middle row, to which its neighbour drains,
        // and a separate pit at the left.
        let mut heights = vec![2.0f32; 15];
        (heights[9], heights[5]) = (1.0, 0.0);
        let shape = Shape { width: 5, height: 3, wrap: false };
        let (mut ways, mut receivers) = (vec![0u8; 15], (0..15).collect::<Vec<u32>>());
        for (at, way, to) in [(4, 4, 9), (8, 3, 9), (14, 1, 9), (0, 4, 5), (6, 2, 5), (10, 1, 5)] {
            (ways[at], receivers[at]) = (way, to);
        }
        let flats = Flats { shape, heights: &heights, used: 4 };
        flats.drain(&mut ways, &mut receivers, |_| false, &|| Ok(())).unwrap();
        assert_eq!(receivers, [5, 0, 1, 4, 9, 5, 5, 6, 9, 9, 5, 6, 7, 8, 9]);
        // Of two equally long paths the first counts: up before left, and from the tile that was reached
        // first. Pits remain pits.
        assert_eq!([ways[5], ways[9]], [0, 0]);
    }
}
