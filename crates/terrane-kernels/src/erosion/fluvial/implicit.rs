//! The implicit river cuts of an iteration, computed from the outlets upstream.

use crate::parallel::{slices, try_for_each};

use super::law::Law;
use super::rows::{BAND, Factor, RiverPower};
use super::tiles::InverseDistances;
use crate::hydrology::{Bands, Network};
use crate::{Cancelled, dispatch};
use terrane_compute::Alive;
use terrane_grid::Shape;

/// A river network, and the law by which its rivers erode.
pub struct Upward<'a> {
    pub shape: Shape,
    pub inverse_distances: &'a InverseDistances,
    pub network: &'a Network,
    /// Per tile, its drainage direction as an index into [`DIRECTIONS`](crate::hydrology::DIRECTIONS).
    pub directions: &'a [u8],
    pub diagonals: bool,
    pub bands: &'a Bands,
    pub drainage: &'a [f32],
    pub factor: &'a Factor,
    pub law: Law,
    pub sea_level: f32,
}

impl Upward<'_> {
    /// Lowers each tile above the sea to the height h that satisfies h + c·(h − b)ᵐ = h₀. Here h₀ is the
    /// tile's old height, and b is the receiver's new height, or sea level if that is higher. The factor c is
    /// k_e·Dⁿ/dᵐ, where D is the tile's drainage and d its distance to the receiver. `powers` is scratch
    /// space, one number per tile. O(tiles).
    pub fn lower(&self, land: &mut [f32], powers: &mut [f32], alive: &Alive<'_>) -> Result<(), Cancelled> {
        let width = self.shape.width;
        try_for_each(slices(powers, width), BAND, |row, out| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let range = row * width..(row + 1) * width;
            let work = RiverPower::<4> {
                inverse_distances: self.inverse_distances,
                row,
                directions: &self.directions[range.clone()],
                drainage: &self.drainage[range.clone()],
                factor: self.factor,
                law: self.law,
                first: range.start,
                out,
            };
            if self.diagonals {
                dispatch!(simd => work.with_diagonals().run(simd));
            } else {
                dispatch!(simd => work.run(simd));
            }
            Ok(())
        })?;
        let (sea, law) = (self.sea_level, self.law);
        self.bands.upstream(self.network, land, alive, |at, _, height, below| {
            let base = if below > sea { below } else { sea };
            let drop = height - base;
            // Tiles under water lose nothing. Nor do tiles where water ends: they are their own receivers, so
            // their drop is 0.
            if height >= sea && drop > 0.0 {
                (base + law.remaining_drop(drop, powers[at])).min(height)
            } else {
                height
            }
        })
    }
}
