//! Where each tile's node stands, and how far it is from its neighbours'.

use rayon::prelude::*;
use terrane_grid::{Grid, Seed};

use crate::erosion::padded::Padded;
use crate::hydrology::Alive;
use crate::{Boundary, Cancelled};

/// One over the distance from each node to that of the next column and of the next row, in world units; 0 where there is none.
pub struct Nearness {
    pub right: Padded,
    pub down: Padded,
}

/// Nodes are never nearer than this part of the spacing.
const NEAREST: f64 = 1.0e-3;

impl Nearness {
    /// Each node stands somewhere in its tile: in the middle with a jitter of 0, anywhere with 1 (Lim et al. 2021, section 3.1).
    pub fn new(
        (w, h): (usize, usize),
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
        let toward = |dx: usize, dy: usize| {
            let mut inverse = vec![0.0f32; w * h];
            inverse.par_chunks_mut(w.max(1)).enumerate().try_for_each(|(y, inverse)| {
                alive()?;
                let ny = y + dy;
                // From one to the next both stand in one row, or one above the other: each node is found once.
                let mut here = node(0, y);
                for (x, inverse) in inverse.iter_mut().enumerate() {
                    let nx = x + dx;
                    let (own, there) = (here, node(nx % w, ny % h));
                    here = if dx == 1 { there } else { node((x + 1) % w, y) };
                    if wrap || (nx < w && ny < h) {
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
        Ok(Self { right: toward(1, 0)?, down: toward(0, 1)? })
    }
}
