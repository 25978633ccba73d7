//! Where samples stand in the lattice, along one axis.

use std::ops::{Deref, DerefMut, Range};

use crate::simd::{Bits, Floats};

/// Samples that are worked on at once: one to four vectors. Tables are filled up to a multiple of it.
pub const LANES: usize = 16;

/// So many of these side by side make a tile: what belongs to it stays in the first cache level.
pub const PLACES: usize = 8;

/// Samples of a tile.
pub const TILE: usize = LANES * PLACES;

/// A number per sample of a tile, at the beginning of a cache line: a vector of 512 bits that lies across two is read twice.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Tile<T>([[T; LANES]; PLACES]);

impl<T: Copy> Tile<T> {
    /// The same number everywhere.
    pub fn of(value: T) -> Self {
        Self([[value; LANES]; PLACES])
    }
}

impl<T> Deref for Tile<T> {
    type Target = [[T; LANES]; PLACES];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for Tile<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The greatest number below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// The lattice cell that holds a world coordinate, and the position inside it, in [0, 1); the lattice is moved by `shift`
/// cells.
///
/// Cells count modulo 2³². Where a cell is smaller than the last digit of the coordinate, the position is 0.
#[inline]
pub fn locate(world: f64, cell: f64, shift: f64) -> (u32, f32) {
    let position = world / cell + shift;
    let floor = position.floor();
    // What rounds up to 1 would lie in the next cell; `min` also takes care of infinities.
    let inside = ((position - floor) as f32).min(BELOW_ONE);
    let index = if floor.abs() < 9.0e18 { floor as i64 } else { libm::fmod(floor, 4_294_967_296.0) as i64 };
    (index as u32, inside)
}

/// The cell that holds a position moved by `by` cells, and the position inside it, in [0, 1]. Beyond 2³¹ cells, and by
/// not-a-number, it moves to the corner of some cell.
#[inline(always)]
pub fn moved<F: Floats>(cell: F::Bits, inside: F, by: F) -> (F::Bits, F) {
    let (whole, above) = (inside + by).split();
    (cell.plus(whole), above)
}

/// All samples along an axis, place by place.
pub struct Axis {
    /// Their cells.
    pub cells: Vec<[u32; LANES]>,
    /// Their positions inside.
    pub inside: Vec<[f32; LANES]>,
}

impl Axis {
    /// `count` samples, filled up with more of the same.
    pub fn new(count: usize, cell: f64, shift: f64, world: impl Fn(usize) -> f64) -> Self {
        let (mut cells, mut inside) = (Vec::new(), Vec::new());
        for place in 0..count.div_ceil(LANES) {
            let located: [(u32, f32); LANES] =
                std::array::from_fn(|lane| locate(world(place * LANES + lane), cell, shift));
            cells.push(located.map(|(cell, _)| cell));
            inside.push(located.map(|(_, inside)| inside));
        }
        Self { cells, inside }
    }

    /// The places of the tile that begins at column `first`.
    #[inline(always)]
    pub fn tile(&self, first: usize) -> Range<usize> {
        let first = first / LANES;
        first..(first + PLACES).min(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_positions_by_hand() {
        assert_eq!(locate(7.0, 2.0, 0.0), (3, 0.5));
        assert_eq!(locate(7.0, 2.0, 0.75), (4, 0.25));
        assert_eq!(locate(-0.5, 2.0, 0.0), (u32::MAX, 0.75));
        assert_eq!(locate(-1.0e-20, 1.0, 0.0), (u32::MAX, BELOW_ONE));
        assert_eq!(locate(1.0e9 + 0.25, 1.0, 0.0), (1_000_000_000, 0.25));
        assert_eq!(locate(4_294_967_296.0, 1.0, 0.0), (0, 0.0));
        assert_eq!(locate(1.0, 0.0, 0.0).1, BELOW_ONE);
        assert_eq!(locate(1.0e300, 1.0e-3, 0.0).1, 0.0);
    }

    #[test]
    fn moves_by_hand() {
        assert_eq!(moved(3, 0.5f32, 0.0), (3, 0.5));
        assert_eq!(moved(3, 0.5, 0.75), (4, 0.25));
        assert_eq!(moved(3, 0.5, -4.0), (u32::MAX, 0.5));
        assert_eq!(moved(3, 0.0, -1.0e-12), (2, 1.0));
        for far in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0e30, 3.0e9] {
            assert!((0.0..=1.0).contains(&moved(3, 0.5, far).1));
        }
    }
}
