//! Simplex noise in space (Perlin 2001; Gustavson 2005).

use fearless_simd::prelude::*;

use super::super::hash::LatticeHash;
use super::super::real::{Depth, Real, Value};
use super::perlin::slope;
use super::points::SpacePoints;

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
    fn at<D: Depth, S: Simd>(self, simd: S, cells: [S::u32s; 3], inside: [S::f32s; 3]) -> Value<D, S> {
        let (zero, one) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 1.0));
        let [u, v, w] = inside;
        // The tetrahedron's corners between (0, 0, 0) and (1, 1, 1). The first corner is one step along the
        // axis with the largest coordinate. The second is one more step along the axis with the second
        // largest.
        let uv = u.simd_ge(v);
        let u_over_w = u.simd_ge(w).select(one, zero);
        let v_over_w = v.simd_ge(w).select(one, zero);
        let first_u = uv.select(u_over_w, zero);
        let first_v = uv.select(zero, v_over_w);
        let second_u = uv.select(one, u_over_w);
        let second_v = uv.select(v_over_w, one);
        let first = [first_u, first_v, one - first_u - first_v];
        let second = [second_u, second_v, one + one - second_u - second_v];
        let sum = self.corner::<D, S>(simd, cells, inside, [zero; 3])
            + self.corner::<D, S>(simd, cells, inside, first)
            + self.corner::<D, S>(simd, cells, inside, second)
            + self.corner::<D, S>(simd, cells, inside, [one; 3]);
        sum * Value::<D, S>::constant(simd, SCALE)
    }
}

impl Simplex {
    /// The contribution of the corner that lies `by` steps from (0, 0, 0) along each axis.
    #[inline(always)]
    fn corner<D: Depth, S: Simd>(
        self,
        simd: S,
        cells: [S::u32s; 3],
        inside: [S::f32s; 3],
        by: [S::f32s; 3],
    ) -> Value<D, S> {
        let [a, b, c] = [inside[0] - by[0], inside[1] - by[1], inside[2] - by[2]];
        let unskew = (a + b + c) * (1.0 / 6.0);
        let (x, y) = D::coordinates::<S>(a - unskew, b - unskew);
        let z = Value::<D, S>::given(c - unskew);
        let bell = (Value::<D, S>::constant(simd, 0.5) - x * x - y * y - z * z).or_zero();
        let bell = bell * bell;
        let column = self.hash.column(simd, cells[0] + steps(simd, by[0]));
        let row = self.hash.row(simd, cells[1] + steps(simd, by[1]));
        let layer = self.hash.layer(simd, cells[2] + steps(simd, by[2]));
        bell * bell * slope(simd, self.hash.point(simd, column ^ layer, row), [x, y, z])
    }
}

/// 0 or 1 as an integer.
#[inline(always)]
fn steps<S: Simd>(simd: S, by: S::f32s) -> S::u32s {
    by.simd_gt(0.5).select(S::u32s::splat(simd, 1), S::u32s::splat(simd, 0))
}
