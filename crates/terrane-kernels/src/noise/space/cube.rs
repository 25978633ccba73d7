//! Lattices of cubes.

use super::super::hash::LatticeHash;
use super::super::real::{Depth, Real};
use super::points::SpacePoints;
use crate::simd::Floats;

/// The evaluator of a lattice of cubes.
#[derive(Clone, Copy)]
pub struct Cube<M> {
    pub hash: LatticeHash,
    pub model: M,
}

/// Random bits of the corners of a cube. Corner `i` is at 1 along axis `a` if bit `a` of `i` is set.
pub type Corners<T> = [<<T as Real>::Lanes as Floats>::Bits; 8];

/// How the corners of a cube determine the values inside the cube.
pub trait CubeModel: Copy + Send + Sync {
    /// The value at a position in [0, 1] along each axis.
    fn at<T: Real>(self, corners: Corners<T>, position: [T; 3]) -> T;
}

impl<M: CubeModel> SpacePoints for Cube<M> {
    #[inline(always)]
    fn at<D: Depth, F: Floats>(self, cells: [F::Bits; 3], inside: [F; 3]) -> D::Value<F> {
        let hash = self.hash;
        let [columns, rows, layers] = [hash.pair(cells[0]), hash.pair(cells[1]), hash.pair(cells[2])];
        let columns = [hash.column(columns[0]), hash.column(columns[1])];
        let rows = [hash.row(rows[0]), hash.row(rows[1])];
        let layers = [hash.layer(layers[0]), hash.layer(layers[1])];
        let [[a, b], [c, d]] = hash.points([columns[0] ^ layers[0], columns[1] ^ layers[0]], rows);
        let [[e, f], [g, h]] = hash.points([columns[0] ^ layers[1], columns[1] ^ layers[1]], rows);
        let (x, y) = D::coordinates(inside[0], inside[1]);
        let z = D::Value::<F>::given(inside[2]);
        self.model.at([a, b, c, d, e, f, g, h], [x, y, z])
    }
}

/// Linear interpolation.
#[inline(always)]
pub fn between<T: Real>(from: T, to: T, t: T) -> T {
    from + t * (to - from)
}

/// Bilinear interpolation between four edges of a cube: from edge 0 to 1 and from 2 to 3 by `s`, then between
/// both results by `t`.
#[inline(always)]
pub fn across<T: Real>(edges: [T; 4], s: T, t: T) -> T {
    between(between(edges[0], edges[1], s), between(edges[2], edges[3], s), t)
}
