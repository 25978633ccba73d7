//! Lattices of cubes.

use fearless_simd::prelude::*;

use super::super::hash::LatticeHash;
use super::super::real::{Depth, Real, Value};
use super::points::SpacePoints;

/// The evaluator of a lattice of cubes.
#[derive(Clone, Copy)]
pub struct Cube<M> {
    pub hash: LatticeHash,
    pub model: M,
}

/// How the corners of a cube determine the values inside the cube.
pub trait CubeModel: Copy + Send + Sync {
    /// The value at a position in [0, 1] along each axis. `corners` are the random bits of the corners:
    /// corner `i` is at 1 along axis `a` if bit `a` of `i` is set.
    fn at<S: Simd, T: Real<S>>(self, simd: S, corners: [S::u32s; 8], position: [T; 3]) -> T;
}

impl<M: CubeModel> SpacePoints for Cube<M> {
    #[inline(always)]
    fn at<D: Depth, S: Simd>(self, simd: S, cells: [S::u32s; 3], inside: [S::f32s; 3]) -> Value<D, S> {
        let hash = self.hash;
        let [columns, rows, layers] =
            [hash.pair::<S>(cells[0]), hash.pair::<S>(cells[1]), hash.pair::<S>(cells[2])];
        let columns = [hash.column(simd, columns[0]), hash.column(simd, columns[1])];
        let rows = [hash.row(simd, rows[0]), hash.row(simd, rows[1])];
        let layers = [hash.layer(simd, layers[0]), hash.layer(simd, layers[1])];
        let [[a, b], [c, d]] = hash.points(simd, [columns[0] ^ layers[0], columns[1] ^ layers[0]], rows);
        let [[e, f], [g, h]] = hash.points(simd, [columns[0] ^ layers[1], columns[1] ^ layers[1]], rows);
        let (x, y) = D::coordinates::<S>(inside[0], inside[1]);
        let z = Value::<D, S>::given(inside[2]);
        self.model.at(simd, [a, b, c, d, e, f, g, h], [x, y, z])
    }
}

/// Linear interpolation.
#[inline(always)]
pub fn between<S: Simd, T: Real<S>>(from: T, to: T, t: T) -> T {
    from + t * (to - from)
}

/// Bilinear interpolation between four edges of a cube: from edge 0 to 1 and from 2 to 3 by `s`, then between
/// both results by `t`.
#[inline(always)]
pub fn across<S: Simd, T: Real<S>>(edges: [T; 4], s: T, t: T) -> T {
    between(between(edges[0], edges[1], s), between(edges[2], edges[3], s), t)
}
