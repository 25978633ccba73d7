//! Positions of the tiles' nodes, and their distances to neighbouring nodes.

use crate::parallel::{slices, try_for_each};
use terrane_grid::{DIRECTIONS, Grid, Seed};

use crate::erosion::padded::Padded;
use crate::{Boundary, Cancelled};
use terrane_compute::Alive;

/// Offsets from a tile to the neighbours with a higher index. Each pair of neighbours thus has one offset.
const PAIRS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// For each of [`DIRECTIONS`], an index into [`PAIRS`], and whether the pair's distance is stored at the tile
/// itself. Otherwise it is stored at the neighbour.
const PAIR_OF: [(usize, bool); 9] =
    [(0, true), (1, false), (0, false), (0, true), (1, true), (2, false), (3, false), (3, true), (2, true)];

/// One over the distance from each tile's node to the nodes of the neighbouring tiles, in world units; 0
/// without a neighbour.
pub struct InverseDistances {
    /// One map per pair of opposite directions: the first two pairs, or all four with diagonals.
    pairs: Vec<Padded>,
}

/// Minimum distance between nodes, as a share of the spacing.
const NEAREST: f64 = 1.0e-3;

impl InverseDistances {
    /// With a jitter of 0 each node lies at the centre of its tile, with a jitter of 1 anywhere in its tile
    /// (Lim et al. 2021, section 3.1). `count` is 4, or 8 with diagonals.
    pub fn new(
        (w, h): (usize, usize),
        count: usize,
        spacing: f64,
        jitter: f64,
        seed: Seed,
        boundary: Boundary,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let offsets = [seed.part(0).lattice(), seed.part(1).lattice()];
        let node = |x: usize, y: usize| {
            offsets.each_ref().map(|offset| 0.5 + jitter * (f64::from(offset.unit(x as i64, y as i64)) - 0.5))
        };
        let wrap = boundary == Boundary::Wrap;
        let toward = |(dx, dy): (isize, isize)| {
            let mut inverse = vec![0.0f32; w * h];
            try_for_each(slices(&mut inverse, w.max(1)), 1, |y, inverse| {
                alive()?;
                let inside =
                    |at: usize, d: isize, count: usize| at.checked_add_signed(d).is_some_and(|to| to < count);
                for (x, inverse) in inverse.iter_mut().enumerate() {
                    if wrap || (inside(x, dx, w) && inside(y, dy, h)) {
                        let around =
                            |at: usize, d: isize, count: usize| (at + count).wrapping_add_signed(d) % count;
                        let (own, there) = (node(x, y), node(around(x, dx, w), around(y, dy, h)));
                        let along = [dx as f64 + there[0] - own[0], dy as f64 + there[1] - own[1]];
                        let distance = (along[0] * along[0] + along[1] * along[1]).sqrt().max(NEAREST);
                        *inverse = (1.0 / (distance * spacing)) as f32;
                    }
                }
                Ok(())
            })?;
            let inverse = Grid::from_vec(w, h, inverse);
            alive()?;
            let mut padded = Padded::new(&inverse, boundary);
            if !wrap {
                padded.ring(0.0);
            }
            Ok(padded)
        };
        Ok(Self { pairs: PAIRS[..count / 2].iter().map(|&pair| toward(pair)).collect::<Result<_, _>>()? })
    }

    /// One over the distances in a direction, starting at an index into padded maps.
    #[inline(always)]
    pub fn along(&self, direction: usize, index: usize) -> &[f32] {
        let (pair, own) = PAIR_OF[direction];
        let pair = &self.pairs[pair];
        let (dx, dy) = if own { (0, 0) } else { DIRECTIONS[direction] };
        &pair.data[index.wrapping_add_signed(dy * pair.stride as isize + dx)..]
    }

    /// The index of a tile in padded maps.
    pub fn padded_index(&self, (column, row): (usize, usize)) -> usize {
        (row + 1) * self.pairs[0].stride + column + 1
    }
}
