//! How a lattice lies in the world.

use super::axis::within;
use super::real::Depth;
use crate::simd::Floats;

/// How places of the world become coordinates of a lattice.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The lattice's two coordinates, in `cell`s, by x and y.
    pub factors: [[f64; 2]; 2],
    /// World units a cell.
    pub cell: f64,
    /// By how many cells the lattice is moved.
    pub shift: [f64; 2],
    /// How the lattice is turned or stretched besides.
    pub bend: Bend,
}

/// How places move in a lattice: what can be known before any of them is.
#[derive(Clone, Copy)]
pub enum Moves<F> {
    Skewed {
        skew: F,
        inverse: F,
    },
    /// The lattice's two coordinates by x and y.
    Turned([[F; 2]; 2]),
}

impl<F: Floats> Moves<F> {
    /// How far a place moves in the lattice that moves so far in the world.
    #[inline(always)]
    pub fn of(self, by_x: F, by_y: F) -> (F, F) {
        match self {
            Self::Skewed { skew, inverse } => {
                let skew = (by_x + by_y) * skew;
                ((by_x + skew) * inverse, (by_y + skew) * inverse)
            }
            Self::Turned([i, j]) => (by_x * i[0] + by_y * i[1], by_x * j[0] + by_y * j[1]),
        }
    }
}

/// How a lattice is turned or stretched.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// Skewed by some share of x + y, and else as the world lies.
    Skewed(f32),
    /// By a matrix.
    Turned {
        /// The coordinates of the plane before it is skewed, in cells, by x and y.
        plane: [[f64; 2]; 2],
        /// Where the world begins anew.
        torus: Option<[f64; 2]>,
    },
}

impl Frame {
    /// A lattice of squares with sides of `cell` world units, turned.
    pub fn turned(turn: [[f64; 2]; 2], cell: f64, shift: [f64; 2]) -> Self {
        let plane = turn.map(|row| row.map(|factor| factor / cell));
        Self { factors: turn, cell, shift, bend: Bend::Turned { plane, torus: None } }
    }

    /// The coordinate along an axis of the world that a place has, on a torus within its extent.
    pub fn world(&self, axis: usize, world: f64) -> f64 {
        match self.bend {
            Bend::Turned { torus: Some(extent), .. } => within(world, extent[axis]),
            _ => world,
        }
    }

    /// How places move in the lattice that move in the world.
    #[inline(always)]
    pub fn moves<F: Floats>(&self) -> Moves<F> {
        match self.bend {
            Bend::Skewed(skew) => {
                Moves::Skewed { skew: F::splat(skew), inverse: F::splat((1.0 / self.cell) as f32) }
            }
            Bend::Turned { .. } => {
                Moves::Turned(self.factors.map(|row| row.map(|factor| F::splat((factor / self.cell) as f32))))
            }
        }
    }

    /// Values with derivatives by the world's coordinates.
    #[inline(always)]
    pub fn slopes<D: Depth, F: Floats>(&self, value: D::Value<F>) -> D::Value<F> {
        match self.bend {
            Bend::Skewed(_) => D::stretched(value, [self.cell as f32; 2]),
            Bend::Turned { plane, .. } => D::turned(value, plane.map(|row| row.map(|cells| cells as f32))),
        }
    }
}
