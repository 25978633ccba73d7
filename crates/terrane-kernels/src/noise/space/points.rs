//! Evaluation of noise at positions in a lattice in space.

use crate::noise::real::Depth;
use crate::simd::Floats;

/// Evaluates noise at positions in a lattice in space.
pub trait SpacePoints: Copy + Send + Sync {
    /// The values at positions inside cells. Derivatives are with respect to the plane's coordinates in
    /// cells.
    fn at<D: Depth, F: Floats>(self, cells: [F::Bits; 3], inside: [F; 3]) -> D::Value<F>;
}
