//! OpenSimplex2 in the plane.

use fearless_simd::prelude::*;

use super::axis::{Period, whole_cells};
use super::frame::{Bend, Frame};
use super::hash::{Direction, LatticeHash};
use super::points::Points;
use super::real::{Depth, Real, Value};
use crate::simd::times;

/// (√3 − 1) / 2: maps the triangles' lattice onto squares.
const SKEW: f64 = 0.366_025_403_784_438_65;

/// (3 − √3) / 6: maps the squares back.
const UNSKEW: f64 = 0.211_324_865_405_187_13;

/// Scales the sum of three bells times slopes of length 1 to [−1, 1]: K. Spencer's 1 / 0.01001634121365712.
/// With the eight directions used here the maximum is 0.998.
pub(super) const SCALE: f32 = 99.836_85;

/// The evaluator of OpenSimplex2 (K. Spencer's successor of OpenSimplex, in its fast form).
///
/// In each triangle of a lattice, the noise is a sum of three terms, one per corner. A term is the bell (½ −
/// d²)⁴, where d is the distance from the corner, times a plane through the corner. The plane's slope has one
/// of eight directions, none along an axis or a side of the triangles.
#[derive(Clone, Copy)]
pub struct Bells {
    hash: LatticeHash,
    /// Periods of i + j and of i − j, on a torus.
    periods: Option<[Period; 2]>,
}

impl Bells {
    /// An unbounded lattice.
    pub const fn endless(hash: LatticeHash) -> Self {
        Self { hash, periods: None }
    }

    /// A lattice on a torus of this extent, with its frame. Triangles have the size of those in
    /// [`Frame::skewed`], as nearly as whole numbers of them allow.
    ///
    /// Let e₁ and e₂ be two sides of a triangle. They are not at right angles, but e₁ + e₂ and e₁ − e₂ are.
    /// The lattice is therefore rotated by 45°. Its period is p(e₁ + e₂) along x and q(e₁ − e₂) along y; both
    /// are stretched slightly to fit the extent. For a lattice point (i, j), i + j is modulo 2p, and i − j is
    /// modulo 2q.
    pub fn on_torus(hash: LatticeHash, cell: f64, extent: [f64; 2]) -> (Self, Frame) {
        let diagonals = [(1.0 - 2.0 * UNSKEW) * std::f64::consts::SQRT_2, std::f64::consts::SQRT_2];
        let [p, q] = [0, 1].map(|axis| whole_cells(extent[axis], diagonals[axis] * cell));
        let (along, across) = (f64::from(p) / extent[0], f64::from(q) / extent[1]);
        let flat = along * (1.0 - 2.0 * UNSKEW);
        let frame = Frame {
            factors: [[along, across], [along, -across]],
            cell: 1.0,
            shift: hash.shift,
            bend: Bend::Turned { plane: [[flat, across], [flat, -across]], torus: Some(extent) },
        };
        (Self { hash, periods: Some([Period::new(2 * p), Period::new(2 * q)]) }, frame)
    }

    /// Hashed columns and rows of a triangle's corners: (i, j), the corner right or left of the diagonal,
    /// and (i + 1, j + 1).
    #[inline(always)]
    fn corners<S: Simd>(self, simd: S, i: S::u32s, j: S::u32s, right: S::mask32s) -> [(S::u32s, S::u32s); 3] {
        let hash = self.hash;
        let Some([along, across]) = self.periods else {
            let ([left, next_left], [upper, next_upper]) = (hash.pair::<S>(i), hash.pair::<S>(j));
            let (column, next_column) = (hash.column(simd, left), hash.column(simd, next_left));
            let (row, next_row) = (hash.row(simd, upper), hash.row(simd, next_upper));
            let third = (right.select(next_column, column), right.select(row, next_row));
            return [(column, row), third, (next_column, next_row)];
        };
        let less = S::u32s::splat(simd, u32::MAX);
        let sum = along.wrap(simd, i + j);
        let difference = across.wrap(simd, i + times(simd, j, less));
        let next = along.next(simd, sum);
        let aside = across.wrap(simd, difference + right.select(S::u32s::splat(simd, 1), less));
        let row = hash.row(simd, difference);
        [
            (hash.column(simd, sum), row),
            (hash.column(simd, next), hash.row(simd, aside)),
            (hash.column(simd, along.next(simd, next)), row),
        ]
    }

    /// A corner's contribution at the offset (dx, dy) from the corner.
    #[inline(always)]
    fn bell<D: Depth, S: Simd>(
        self,
        simd: S,
        (column, row): (S::u32s, S::u32s),
        dx: S::f32s,
        dy: S::f32s,
    ) -> Value<D, S> {
        let (f, g) = const { Direction::of_length(SCALE) }.of(simd, self.hash.point(simd, column, row));
        let (x, y) = D::coordinates::<S>(dx, dy);
        let bell = (Value::<D, S>::constant(simd, 0.5) - x * x - y * y).or_zero();
        let square = bell * bell;
        square * square * (x * Value::<D, S>::given(f) + y * Value::<D, S>::given(g))
    }
}

impl Frame {
    /// A lattice of triangles. Skewing maps pairs of triangles to squares with sides of `cell` world units.
    pub fn skewed(cell: f64, shift: [f64; 2]) -> Self {
        let factors = [[1.0 + SKEW, SKEW], [SKEW, 1.0 + SKEW]];
        Self { factors, cell, shift, bend: Bend::Skewed(SKEW as f32) }
    }

    /// The same lattice, rotated.
    pub fn skewed_and_turned(turn: [[f64; 2]; 2], cell: f64, shift: [f64; 2]) -> Self {
        let both = [0, 1].map(|axis| SKEW * (turn[0][axis] + turn[1][axis]));
        let factors = turn.map(|[x, y]| [x + both[0], y + both[1]]);
        Self { factors, ..Self::turned(turn, cell, shift) }
    }
}

impl Points for Bells {
    fn order(&self) -> usize {
        1
    }

    #[inline(always)]
    fn at<D: Depth, S: Simd>(
        self,
        simd: S,
        _: usize,
        (i, x): (S::u32s, S::f32s),
        (j, y): (S::u32s, S::f32s),
    ) -> Value<D, S> {
        const BACK: f32 = UNSKEW as f32;
        // The offset from the first corner, in the plane.
        let back = (x + y) * BACK;
        let (dx, dy) = (x - back, y - back);
        // The third corner lies right or left of the diagonal between the other two corners.
        let right = dx.simd_ge(dy);
        let (long, short) = (S::f32s::splat(simd, 1.0 - BACK), S::f32s::splat(simd, -BACK));
        let (step_x, step_y) = (right.select(long, short), right.select(short, long));
        let [first, third, opposite] = self.corners(simd, i, j, right);
        let far = 1.0 - 2.0 * BACK;
        self.bell::<D, S>(simd, first, dx, dy)
            + self.bell::<D, S>(simd, third, dx - step_x, dy - step_y)
            + self.bell::<D, S>(simd, opposite, dx - far, dy - far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bells_of_the_worst_directions_stay_within_the_range() {
        let unskew = (3.0 - 3.0f64.sqrt()) / 6.0;
        let one = fearless_simd::Fallback::new();
        let direction = |k: u32| {
            let (f, g) = Direction::of_length(1.0).of(one, fearless_simd::u32x4::splat(one, k << 29));
            (f[0], g[0])
        };
        let directions: Vec<_> = (0..8).map(direction).collect();
        let mut most = 0.0f64;
        for (x, y) in
            (0..=100).flat_map(|i| (0..=100).map(move |j| (f64::from(i) / 100.0, f64::from(j) / 100.0)))
        {
            let back = (x + y) * unskew;
            let mut sum = 0.0;
            for (i, j) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                let (dx, dy) = (x - back - (i - (i + j) * unskew), y - back - (j - (i + j) * unskew));
                let bell = (0.5 - dx * dx - dy * dy).max(0.0);
                let along = |&(f, g): &(f32, f32)| f64::from(f) * dx + f64::from(g) * dy;
                sum += bell * bell * bell * bell * directions.iter().map(along).fold(0.0, f64::max);
            }
            most = most.max(sum * f64::from(SCALE));
        }
        assert!(most > 0.99 && most <= 1.0, "{most}");
    }
}
