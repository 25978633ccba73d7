//! Where each tile's node stands, and how far it is from its neighbours'.

use terrane_grid::{Grid, Seed};

use crate::Boundary;
use crate::erosion::padded::Padded;

/// One over the distance from each node to that of the next column and of the next row, in world units; 0 where there is none.
pub struct Nearness {
    pub right: Padded,
    pub down: Padded,
}

/// Nodes are never nearer than this part of the spacing.
const NEAREST: f64 = 1.0e-3;

impl Nearness {
    /// Each node stands somewhere in its tile: in the middle with a jitter of 0, anywhere with 1 (Lim et al. 2021, section 3.1).
    pub fn new((w, h): (usize, usize), spacing: f64, jitter: f64, seed: Seed, boundary: Boundary) -> Self {
        let offsets = [seed.part(0).lattice(), seed.part(1).lattice()];
        let node = |x: usize, y: usize| {
            offsets.each_ref().map(|offset| 0.5 + jitter * (f64::from(offset.unit(x as i64, y as i64)) - 0.5))
        };
        let wrap = boundary == Boundary::Wrap;
        let toward = |dx: usize, dy: usize| {
            let inverse = Grid::from_fn(w, h, |x, y| {
                let (nx, ny) = (x + dx, y + dy);
                if !wrap && (nx >= w || ny >= h) {
                    return 0.0;
                }
                let (here, there) = (node(x, y), node(nx % w, ny % h));
                let along = [dx as f64 + there[0] - here[0], dy as f64 + there[1] - here[1]];
                let distance = (along[0] * along[0] + along[1] * along[1]).sqrt().max(NEAREST);
                (1.0 / (distance * spacing)) as f32
            });
            let mut padded = Padded::new(&inverse, boundary);
            if !wrap {
                padded.ring(0.0);
            }
            padded
        };
        Self { right: toward(1, 0), down: toward(0, 1) }
    }
}
