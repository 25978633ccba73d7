//! Positions of samples in the lattice, along one axis.

use std::ops::{Deref, DerefMut, Range};

use fearless_simd::prelude::*;

use crate::simd::{number, split, times};

/// Number of samples processed together: one to four vectors. Tables are padded to a multiple of this number.
pub const LANES: usize = 16;

/// Groups of lanes in a tile. They are few enough for a tile's data to stay in the first-level cache.
pub const GROUPS: usize = 8;

/// Number of samples in a tile.
pub const TILE: usize = LANES * GROUPS;

/// The groups of a tile. They are aligned to a cache line, because a vector of 512 bits that straddles two
/// lines is read twice.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Tile<G>(pub [G; GROUPS]);

impl<G> Deref for Tile<G> {
    type Target = [G; GROUPS];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<G> DerefMut for Tile<G> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The first numbers, at most a group of them, followed by zeros.
#[inline(always)]
pub fn padded(from: &[f32]) -> [f32; LANES] {
    // Whole groups are copied as vectors, without a call.
    if let Some(group) = from.first_chunk() {
        return *group;
    }
    let mut group = [0.0; LANES];
    group[..from.len()].copy_from_slice(from);
    group
}

/// The largest number below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// The lattice cell that holds a world coordinate, and the coordinate's position inside the cell, in [0, 1).
/// The lattice is shifted by `shift` cells.
///
/// Cells are numbered modulo 2³². If a cell is smaller than the last digit of the coordinate, the position is
/// 0.
#[inline]
pub fn locate(world: f64, cell: f64, shift: f64) -> (u32, f32) {
    let position = world / cell + shift;
    let floor = position.floor();
    // A position that rounds up to 1 would belong to the next cell; `min` also handles infinities.
    let inside = ((position - floor) as f32).min(BELOW_ONE);
    let index = if floor.abs() < 9.0e18 { floor as i64 } else { libm::fmod(floor, 4_294_967_296.0) as i64 };
    (index as u32, inside)
}

/// The cell that holds a position after a move by `by` cells, and the position inside that cell, in [0, 1]. A
/// move by more than 2³¹ cells, or by not-a-number, ends at the corner of some cell.
#[inline(always)]
pub fn moved<S: Simd>(simd: S, cell: S::u32s, inside: S::f32s, by: S::f32s) -> (S::u32s, S::f32s) {
    let (whole, above) = split(simd, inside + by);
    (cell + whole, above)
}

/// The coordinate, wrapped onto a torus of this extent. The result is in [0, extent].
#[inline]
pub fn within(world: f64, extent: f64) -> f64 {
    let rest = libm::fmod(world, extent);
    if rest < 0.0 { rest + extent } else { rest }
}

/// Number of cells after which a lattice repeats.
#[derive(Clone, Copy, Debug)]
pub struct Period {
    count: u32,
    inverse: f32,
}

impl Period {
    /// A period of 1 to 2²⁹ cells.
    pub const fn new(count: u32) -> Self {
        debug_assert!(count >= 1 && count <= 1 << 29);
        Self { count, inverse: 1.0 / count as f32 }
    }

    /// The index, read as a signed integer, modulo the period.
    #[inline(always)]
    pub fn wrap<S: Simd>(self, simd: S, index: S::u32s) -> S::u32s {
        let less = S::u32s::splat(simd, self.count.wrapping_neg());
        let mut rest = index;
        // A single-precision quotient has a relative error of 2⁻²²: the first step leaves less than 2¹¹
        // periods, the second less than two.
        for _ in 0..2 {
            let (periods, _) = split(simd, number(simd, rest) * self.inverse);
            rest += times(simd, periods, less);
        }
        let rest = number(simd, rest).simd_ge(0.0).select(rest, rest + self.count);
        let above = rest + less;
        number(simd, above).simd_ge(0.0).select(above, rest)
    }

    /// The index after an index below the period. After the last index follows 0.
    #[inline(always)]
    pub fn next<S: Simd>(self, simd: S, index: S::u32s) -> S::u32s {
        let next = index + 1;
        let above = next + self.count.wrapping_neg();
        number(simd, above).simd_ge(0.0).select(S::u32s::splat(simd, 0), next)
    }
}

/// How a lattice lies along an axis of the world.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// World units per cell.
    pub cell: f64,
    /// Shift of the lattice, in cells.
    shift: f64,
    /// On a torus, the extent of the torus and its number of cells.
    torus: Option<(f64, u32)>,
}

impl Scale {
    /// An unbounded lattice.
    pub const fn endless(cell: f64, shift: f64) -> Self {
        Self { cell, shift, torus: None }
    }

    /// A lattice on a torus, with the number of cells that fits best.
    pub fn on_torus(cell: f64, shift: f64, extent: f64) -> Self {
        let count = whole_cells(extent, cell);
        Self { cell: extent / f64::from(count), shift, torus: Some((extent, count)) }
    }

    /// The lattice's period on a torus; `None` for an unbounded lattice.
    pub fn period(&self) -> Option<Period> {
        self.torus.map(|(_, count)| Period::new(count))
    }

    /// The cell that holds a world coordinate, and the coordinate's position inside the cell.
    #[inline]
    pub fn locate(&self, world: f64) -> (u32, f32) {
        match self.torus {
            None => locate(world, self.cell, self.shift),
            Some((extent, count)) => {
                let (cell, inside) = locate(within(world, extent), self.cell, self.shift);
                (cell % count, inside)
            }
        }
    }
}

/// The whole number of cells closest to filling an extent: 1 to 2²⁸.
pub fn whole_cells(extent: f64, cell: f64) -> u32 {
    (extent / cell).round().clamp(1.0, f64::from(1u32 << 28)) as u32
}

/// All samples along an axis, group by group.
pub struct Axis {
    /// Cell of each sample.
    pub cells: Vec<[u32; LANES]>,
    /// Position of each sample inside its cell.
    pub inside: Vec<[f32; LANES]>,
}

impl Axis {
    /// `count` samples, padded to whole groups by continuing the axis.
    pub fn new(count: usize, locate: impl Fn(usize) -> (u32, f32)) -> Self {
        let (mut cells, mut inside) = (Vec::new(), Vec::new());
        for group in 0..count.div_ceil(LANES) {
            let mut located = ([0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                (located.0[lane], located.1[lane]) = locate(group * LANES + lane);
            }
            cells.push(located.0);
            inside.push(located.1);
        }
        Self { cells, inside }
    }

    /// The groups of the tile that begins at column `first`.
    #[inline(always)]
    pub fn tile(&self, first: usize) -> Range<usize> {
        let first = first / LANES;
        first..(first + GROUPS).min(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Fallback, f32x4, u32x4};
    use proptest::prelude::*;

    use super::*;

    const ONE: Fallback = Fallback::new();

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
    fn positions_on_a_torus_by_hand() {
        // Ten units hold three cells of 10/3 units.
        let scale = Scale::on_torus(3.0, 0.5, 10.0);
        assert_eq!((scale.cell, whole_cells(10.0, 3.0)), (10.0 / 3.0, 3));
        assert_eq!(scale.locate(0.0), (0, 0.5));
        for turns in [-20.0, -10.0, 10.0, 1.0e6] {
            assert_eq!(scale.locate(5.0 + turns), scale.locate(5.0), "{turns}");
        }
        assert_eq!(scale.locate(9.0).0, 0, "the fourth cell is the first");
        assert_eq!(
            (whole_cells(10.0, 1.0e9), whole_cells(10.0, 0.0), whole_cells(10.0, 1.0e-9)),
            (1, 1 << 28, 1 << 28)
        );
    }

    proptest! {
        #[test]
        fn indices_wrap_as_remainders_do(index: i32, small in 1u32..40, large in 1u32..=1 << 29) {
            for count in [small, large] {
                let period = Period::new(count);
                // For larger values, the quotient does not fit in an integer of 32 bits.
                if (f64::from(index) / f64::from(count)).abs() < 2_147_483_000.0 {
                    let expected = index.rem_euclid(count as i32) as u32;
                    let wrapped = period.wrap(ONE, u32x4::splat(ONE, index as u32));
                    prop_assert_eq!(wrapped[0], expected);
                    prop_assert_eq!(period.next(ONE, wrapped)[0], (expected + 1) % count);
                }
            }
        }
    }

    #[test]
    fn moves_by_hand() {
        let moved = |cell: u32, inside: f32, by: f32| {
            let [inside, by] = [inside, by].map(|x| f32x4::splat(ONE, x));
            let (cell, inside) = moved(ONE, u32x4::splat(ONE, cell), inside, by);
            (cell[0], inside[0])
        };
        assert_eq!(moved(3, 0.5, 0.0), (3, 0.5));
        assert_eq!(moved(3, 0.5, 0.75), (4, 0.25));
        assert_eq!(moved(3, 0.5, -4.0), (u32::MAX, 0.5));
        assert_eq!(moved(3, 0.0, -1.0e-12), (2, 1.0));
        for far in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0e30, 3.0e9] {
            assert!((0.0..=1.0).contains(&moved(3, 0.5, far).1));
        }
    }
}
