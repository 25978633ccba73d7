//! Heights under relaxation.

use terrane_grid::{Domain, Grid, Heightmap};

use crate::hydrology::Shape;

/// Heights in double precision, so that what is moved to and fro a hundred thousand times is still there.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The patch.
    pub domain: Domain,
    /// Heights, row after row.
    pub heights: Vec<f64>,
}

impl Field {
    /// A map's heights.
    #[must_use]
    pub fn new(map: &Heightmap) -> Self {
        Self { domain: map.domain(), heights: map.samples().iter().map(|&h| f64::from(h)).collect() }
    }

    /// As a map.
    #[must_use]
    pub fn grid(&self) -> Grid<f32> {
        let (w, h) = self.domain.size;
        Grid::from_vec(w, h, self.heights.iter().map(|&height| height as f32).collect())
    }

    /// For walking over it.
    pub(crate) const fn shape(&self) -> Shape {
        Shape { width: self.domain.size.0, height: self.domain.size.1, wrap: false }
    }
}

/// What some rows are to be moved by.
pub struct Moves<'a> {
    pub(crate) first: usize,
    pub(crate) by: &'a mut [f64],
}

impl Moves<'_> {
    /// Adds to what a sample is to be moved by.
    #[inline]
    pub fn add(&mut self, at: usize, by: f64) {
        self.by[at - self.first] += by;
    }
}
