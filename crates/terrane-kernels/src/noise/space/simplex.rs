//! Simplex noise in space (Perlin 2001; Gustavson 2005).

use super::super::hash::LatticeHash;
use super::super::real::{Depth, Real};
use super::perlin::slope;
use super::points::SpacePoints;
use crate::simd::{Bits, Floats};

/// Scales the sum of four bells times slopes to [−1, 1].
pub const SCALE: f32 = 76.8;

/// Bells (½ − d²)⁴ times planes, around the corners of tetrahedra. Six tetrahedra form a skewed cube. The
/// bells' radius is the largest for which the noise is continuous.
#[derive(Clone, Copy)]
pub struct Simplex {
    pub hash: LatticeHash,
}

impl SpacePoints for Simplex {
    #[inline(always)]
    fn at<D: Depth, F: Floats>(self, cells: [F::Bits; 3], inside: [F; 3]) -> D::Value<F> {
        let (zero, one) = (F::splat(0.0), F::splat(1.0));
        let [u, v, w] = inside;
        // The tetrahedron's corners between (0, 0, 0) and (1, 1, 1). The first corner is one step along the
        // axis with the largest coordinate. The second is one more step along the axis with the second
        // largest.
        let uv = u.at_least(v);
        let u_over_w = F::select(u.at_least(w), one, zero);
        let v_over_w = F::select(v.at_least(w), one, zero);
        let first_u = F::select(uv, u_over_w, zero);
        let first_v = F::select(uv, zero, v_over_w);
        let second_u = F::select(uv, one, u_over_w);
        let second_v = F::select(uv, v_over_w, one);
        let first = [first_u, first_v, one - first_u - first_v];
        let second = [second_u, second_v, one + one - second_u - second_v];
        let sum = self.corner::<D, F>(cells, inside, [zero; 3])
            + self.corner::<D, F>(cells, inside, first)
            + self.corner::<D, F>(cells, inside, second)
            + self.corner::<D, F>(cells, inside, [one; 3]);
        sum * D::Value::<F>::constant(SCALE)
    }
}

impl Simplex {
    /// The contribution of the corner that lies `by` steps from (0, 0, 0) along each axis.
    #[inline(always)]
    fn corner<D: Depth, F: Floats>(self, cells: [F::Bits; 3], inside: [F; 3], by: [F; 3]) -> D::Value<F> {
        let [a, b, c] = [inside[0] - by[0], inside[1] - by[1], inside[2] - by[2]];
        let unskew = (a + b + c) * F::splat(1.0 / 6.0);
        let (x, y) = D::coordinates(a - unskew, b - unskew);
        let z = D::Value::<F>::given(c - unskew);
        let bell = (D::Value::<F>::constant(0.5) - x * x - y * y - z * z).or_zero();
        let bell = bell * bell;
        let column = self.hash.column(cells[0].plus(steps::<F>(by[0])));
        let row = self.hash.row(cells[1].plus(steps::<F>(by[1])));
        let layer = self.hash.layer(cells[2].plus(steps::<F>(by[2])));
        bell * bell * slope(self.hash.point(column ^ layer, row), [x, y, z])
    }
}

/// 0 or 1 as an integer.
#[inline(always)]
fn steps<F: Floats>(by: F) -> F::Bits {
    F::Bits::select(by.above(F::splat(0.5)), F::Bits::splat(1), F::Bits::splat(0))
}
