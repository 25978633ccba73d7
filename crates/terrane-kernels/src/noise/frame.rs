//! Placement of a lattice in the world.

use fearless_simd::prelude::*;

use super::axis::within;
use super::real::{Depth, Value};

/// The transform from world positions to lattice coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The coefficients of x and y in the lattice's two coordinates, multiplied by `cell`.
    pub factors: [[f64; 2]; 2],
    /// World units per cell.
    pub cell: f64,
    /// Shift of the lattice, in cells.
    pub shift: [f64; 2],
    /// The rotation or stretch of the lattice.
    pub bend: Bend,
}

/// The conversion of moves from world to lattice coordinates. It is the same for all positions.
#[derive(Clone, Copy)]
pub enum Moves {
    Skewed {
        skew: f32,
        inverse: f32,
    },
    /// The coefficients of x and y in the lattice's two coordinates, in cells.
    Turned([[f32; 2]; 2]),
}

impl Moves {
    /// The move in the lattice for a move in the world.
    #[inline(always)]
    pub fn of<S: Simd>(self, _: S, by_x: S::f32s, by_y: S::f32s) -> (S::f32s, S::f32s) {
        match self {
            Self::Skewed { skew, inverse } => {
                let skew = (by_x + by_y) * skew;
                ((by_x + skew) * inverse, (by_y + skew) * inverse)
            }
            Self::Turned([i, j]) => (by_x * i[0] + by_y * i[1], by_x * j[0] + by_y * j[1]),
        }
    }
}

/// The rotation, skew or stretch of a lattice.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// Skewed by this share of x + y, otherwise aligned with the world.
    Skewed(f32),
    /// Rotated or stretched by a matrix.
    Turned {
        /// The coefficients of x and y in the plane's coordinates before skewing, in cells.
        plane: [[f64; 2]; 2],
        /// Extent after which the world repeats, if it does.
        torus: Option<[f64; 2]>,
    },
}

impl Frame {
    /// A lattice of squares with sides of `cell` world units, rotated.
    pub fn turned(turn: [[f64; 2]; 2], cell: f64, shift: [f64; 2]) -> Self {
        let plane = turn.map(|row| row.map(|factor| factor / cell));
        Self { factors: turn, cell, shift, bend: Bend::Turned { plane, torus: None } }
    }

    /// A position's coordinate along an axis of the world. On a torus it is wrapped to the torus's extent.
    pub fn world(&self, axis: usize, world: f64) -> f64 {
        match self.bend {
            Bend::Turned { torus: Some(extent), .. } => within(world, extent[axis]),
            _ => world,
        }
    }

    /// The conversion of moves from the world to the lattice.
    #[inline(always)]
    pub fn moves(&self) -> Moves {
        match self.bend {
            Bend::Skewed(skew) => Moves::Skewed { skew, inverse: (1.0 / self.cell) as f32 },
            Bend::Turned { .. } => {
                Moves::Turned(self.factors.map(|row| row.map(|factor| (factor / self.cell) as f32)))
            }
        }
    }

    /// Converts derivatives with respect to the plane's coordinates in cells to derivatives with respect to
    /// the world's coordinates.
    #[inline(always)]
    pub fn slopes<D: Depth, S: Simd>(&self, value: Value<D, S>) -> Value<D, S> {
        match self.bend {
            Bend::Skewed(_) => D::stretched::<S>(value, [self.cell as f32; 2]),
            Bend::Turned { plane, .. } => {
                D::turned::<S>(value, plane.map(|row| row.map(|cells| cells as f32)))
            }
        }
    }
}
