//! Evaluation of noise at positions in a lattice in space.

use fearless_simd::prelude::*;

use crate::noise::real::{Depth, Value};

/// Evaluates noise at positions in a lattice in space.
pub trait SpacePoints: Copy + Send + Sync {
    /// The values at positions inside cells. Derivatives are with respect to the plane's coordinates in
    /// cells.
    fn at<D: Depth, S: Simd>(self, simd: S, cells: [S::u32s; 3], inside: [S::f32s; 3]) -> Value<D, S>;
}
