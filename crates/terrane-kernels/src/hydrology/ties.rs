//! Ties between neighbours.

use terrane_grid::{Domain, Lattice, Seed};

/// Decides between equally good neighbours of a sample, by the sample's place in the world: no direction is
/// preferred, and parts of a map decide like the whole map.
#[derive(Clone, Copy, Debug)]
pub struct Ties {
    /// Random bits for each place.
    lattice: Lattice,
    /// Column and row of the first sample, counted from the world's origin.
    first: (i64, i64),
}

impl Ties {
    /// Decides on a map.
    #[must_use]
    pub fn of(domain: &Domain) -> Self {
        let index = |origin: f64| libm::round(origin / domain.spacing) as i64;
        let first = (index(domain.origin.0), index(domain.origin.1));
        Self { lattice: Seed(0).lattice(), first }
    }

    /// The rank of each of the [`DIRECTIONS`](terrane_grid::DIRECTIONS) at a sample: of equally good
    /// neighbours, the one with the highest rank counts, and of equal ranks the first.
    #[inline]
    pub(crate) fn ranks(&self, (column, row): (usize, usize)) -> impl Fn(u8) -> u8 {
        let (x, y) = (self.first.0.wrapping_add(column as i64), self.first.1.wrapping_add(row as i64));
        let bits = self.lattice.bits(x, y).to_le_bytes();
        // Directions are numbered from 1.
        move |direction| bits[usize::from(direction.saturating_sub(1) & 7)]
    }
}
