//! Heights during relaxation.

use terrane_grid::{Domain, Grid, Heightmap, Shape};

/// Heights in double precision, so that a hundred thousand moves back and forth do not lose material.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The patch.
    pub domain: Domain,
    /// Heights, row after row.
    pub heights: Vec<f64>,
}

impl Field {
    /// The field of a map's heights.
    #[must_use]
    pub fn new(map: &Heightmap) -> Self {
        Self { domain: map.domain(), heights: map.samples().iter().map(|&h| f64::from(h)).collect() }
    }

    /// The heights as a grid.
    #[must_use]
    pub fn grid(&self) -> Grid<f32> {
        let (w, h) = self.domain.size;
        Grid::from_vec(w, h, self.heights.iter().map(|&height| height as f32).collect())
    }

    /// The steepest gradient of the quadrants around a sample, rise over run. Missing neighbours count as
    /// level.
    #[must_use]
    pub fn steepest(&self, at: usize) -> f64 {
        steepest(&self.heights, self.domain.size, at) / self.domain.spacing
    }

    /// The shape of the grid.
    pub(crate) const fn shape(&self) -> Shape {
        Shape { width: self.domain.size.0, height: self.domain.size.1, wrap: false }
    }
}

/// The steepest gradient of the quadrants around a sample of a grid, rise over one spacing.
pub(crate) fn steepest(heights: &[f64], (width, height): (usize, usize), at: usize) -> f64 {
    let (x, y) = (at % width, at / width);
    let rise = |next: Option<usize>| next.map_or(0.0, |next| (heights[next] - heights[at]).abs());
    let across = rise((x + 1 < width).then_some(at + 1)).max(rise((x > 0).then(|| at - 1)));
    let along = rise((y + 1 < height).then_some(at + width)).max(rise((y > 0).then(|| at - width)));
    (across * across + along * along).sqrt()
}

/// The pending moves of some rows.
pub struct Moves<'a> {
    pub(crate) first: usize,
    pub(crate) by: &'a mut [f64],
}

impl Moves<'_> {
    /// Adds to the pending move of a sample.
    #[inline]
    pub fn add(&mut self, at: usize, by: f64) {
        self.by[at - self.first] += by;
    }
}
