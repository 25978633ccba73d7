//! Ties between neighbours.

use terrane_grid::{Domain, Lattice, Seed};

/// Decides between equally good neighbours of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Ties {
    /// Random bits for each place, and column and row of the first sample, counted from the world's origin.
    places: Option<(Lattice, (i64, i64))>,
}

impl Ties {
    /// The first neighbour counts, in the order of their indices.
    pub const FIRST: Self = Self { places: None };

    /// The place of a sample in the world decides: no direction is preferred, and parts of a map decide like
    /// the whole map.
    #[must_use]
    pub fn of(domain: &Domain) -> Self {
        let index = |origin: f64| libm::round(origin / domain.spacing) as i64;
        let first = (index(domain.origin.0), index(domain.origin.1));
        Self { places: Some((Seed(0).lattice(), first)) }
    }

    /// The rank of each of the [`DIRECTIONS`](terrane_grid::DIRECTIONS) at a sample: of equally good
    /// neighbours, the one with the highest rank counts, and of equal ranks the first.
    #[inline]
    pub(crate) fn ranks(&self, (column, row): (usize, usize)) -> impl Fn(u8) -> u8 {
        let bits = self.places.map_or([0; 8], |(lattice, (x, y))| {
            lattice.bits(x.wrapping_add(column as i64), y.wrapping_add(row as i64)).to_le_bytes()
        });
        // Directions are numbered from 1.
        move |direction| bits[usize::from(direction.saturating_sub(1) & 7)]
    }
}
