//! What octaves of all kinds of noise have in common.

use super::axis::{LANES, Tile};
use super::real::Depth;
use crate::simd::Floats;

/// One octave over a domain: values in [−1, 1], row by row, tile by tile.
pub trait Octave<D: Depth>: Send + Sync {
    /// What a row has in common over all columns.
    type Row: Send + Sync;

    /// What a tile's rows have in common.
    type Tile;

    /// A row by its number, at world y.
    fn row(&self, row: usize, y: f64) -> Self::Row;

    /// Memory for a tile.
    fn tile(&self) -> Self::Tile;

    /// Makes the memory fit for another tile.
    fn leave(tile: &mut Self::Tile);

    /// Makes ready for a row of the tile that begins at column `first`.
    fn enter<F: Floats>(&self, tile: &mut Self::Tile, first: usize, row: &Self::Row);

    /// The values of the columns from a lane of a place of the tile on.
    fn values<F: Floats>(&self, tile: &Self::Tile, row: &Self::Row, place: usize, lane: usize)
    -> D::Value<F>;

    /// The values of a tile's row, each sample moved along x and y by some world units.
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Self::Row,
        by: [&[[f32; LANES]]; 2],
    );
}
