//! The interface that octaves of all kinds of noise share.

use fearless_simd::prelude::*;

use super::axis::{LANES, Tile};
use super::real::{Depth, Value};

/// One octave over a domain: values in [−1, 1], row by row, tile by tile.
pub trait Octave<D: Depth>: Send + Sync {
    /// The data that all columns of a row share.
    type Row: Send + Sync;

    /// The data that the rows of a tile share.
    type Tile;

    /// The shared data of the row with this number and world coordinate `y`.
    fn row(&self, row: usize, y: f64) -> Self::Row;

    /// Memory for a tile.
    fn tile(&self) -> Self::Tile;

    /// Resets the memory for another tile.
    fn leave(tile: &mut Self::Tile);

    /// Prepares a row of the tile that begins at column `first`.
    fn enter<S: Simd>(&self, simd: S, tile: &mut Self::Tile, first: usize, row: &Self::Row);

    /// The values of a vector of columns, starting at a lane of a group of the tile.
    fn values<S: Simd>(
        &self,
        simd: S,
        tile: &Self::Tile,
        row: &Self::Row,
        group: usize,
        lane: usize,
    ) -> Value<D, S>;

    /// The values of a tile's row, each sample moved along x and y by some world units.
    fn warped<S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &Self::Row,
        by: [&[[f32; LANES]]; 2],
    );
}
