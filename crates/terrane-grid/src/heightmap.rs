//! Heights over a domain.

use std::sync::Arc;

use crate::{DIRECTIONS, Domain, GeoReference, Grid, Shape};

/// Heights (or any other scalar: a mask, a moisture, a slope) on a regular grid in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    grid: Grid<f32>,
    spacing: f64,
    origin: (f64, f64),
    georef: Option<Arc<GeoReference>>,
}

impl Heightmap {
    /// A heightmap from samples in row order over `domain`.
    ///
    /// # Panics
    /// If the number of samples differs from the domain's.
    #[must_use]
    pub fn from_vec(domain: Domain, samples: Vec<f32>) -> Self {
        Self::from_grid(domain, Grid::from_vec(domain.width(), domain.height(), samples))
    }

    /// A heightmap from a grid over `domain`.
    ///
    /// # Panics
    /// If the grid's size differs from the domain's.
    #[must_use]
    pub fn from_grid(domain: Domain, grid: Grid<f32>) -> Self {
        assert_eq!(grid.size(), domain.size, "grid and domain differ in size");
        Self { grid, spacing: domain.spacing, origin: domain.origin, georef: None }
    }

    /// A heightmap with the same value everywhere.
    #[must_use]
    pub fn constant(domain: Domain, value: f32) -> Self {
        Self::from_grid(domain, Grid::filled(domain.width(), domain.height(), value))
    }

    /// A heightmap whose sample at (column, row) is `f(column, row)`.
    #[must_use]
    pub fn from_fn(domain: Domain, f: impl FnMut(usize, usize) -> f32) -> Self {
        Self::from_grid(domain, Grid::from_fn(domain.width(), domain.height(), f))
    }

    /// The same heights with a location on a real planet.
    #[must_use]
    pub fn with_georef(mut self, georef: Option<Arc<GeoReference>>) -> Self {
        self.georef = georef;
        self
    }

    /// The roughness of a sample (Riley, DeGloria & Elliot 1999): the root of the sum of squared slopes to
    /// its neighbours in `shape`, which is this map's. A slope is the height difference over one spacing,
    /// also along diagonals.
    #[must_use]
    pub fn roughness_at(&self, shape: Shape, at: usize) -> f32 {
        let (heights, position) = (self.samples(), shape.position(at));
        let around = DIRECTIONS[1..].iter().filter_map(|&offset| shape.neighbour_at(at, position, offset));
        let squares = around.map(|next| {
            let slope = (f64::from(heights[next]) - f64::from(heights[at])) / self.spacing;
            slope * slope
        });
        squares.sum::<f64>().sqrt() as f32
    }

    /// The geographic reference, if there is one: heights from a survey have it.
    #[must_use]
    pub fn georef(&self) -> Option<&Arc<GeoReference>> {
        self.georef.as_ref()
    }

    /// Size, spacing and origin.
    #[must_use]
    pub fn domain(&self) -> Domain {
        Domain { size: self.grid.size(), spacing: self.spacing, origin: self.origin }
    }

    /// The samples as a grid.
    #[must_use]
    pub fn grid(&self) -> &Grid<f32> {
        &self.grid
    }

    /// The samples as a mutable grid.
    #[must_use]
    pub fn grid_mut(&mut self) -> &mut Grid<f32> {
        &mut self.grid
    }

    /// Returns the grid.
    #[must_use]
    pub fn into_grid(self) -> Grid<f32> {
        self.grid
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.grid.width()
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.grid.height()
    }

    /// World units between neighbouring samples.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// All samples, row by row.
    #[must_use]
    pub fn samples(&self) -> &[f32] {
        self.grid.as_slice()
    }

    /// All samples as a mutable slice, row by row.
    #[must_use]
    pub fn samples_mut(&mut self) -> &mut [f32] {
        self.grid.as_mut_slice()
    }

    /// The part of this size that begins at sample `first`. It has no geographic reference.
    ///
    /// # Panics
    /// If the part is not within the map.
    #[must_use]
    pub fn part(&self, first: (usize, usize), size: (usize, usize)) -> Self {
        Self::from_grid(self.domain().part(first, size), self.grid.part(first, size))
    }

    /// The same domain and geographic reference with other samples.
    ///
    /// # Panics
    /// If the grid's size differs from the domain's.
    #[must_use]
    pub fn with_grid(&self, grid: Grid<f32>) -> Self {
        Self::from_grid(self.domain(), grid).with_georef(self.georef.clone())
    }
}

impl std::ops::Index<(usize, usize)> for Heightmap {
    type Output = f32;

    fn index(&self, at: (usize, usize)) -> &f32 {
        &self.grid[at]
    }
}
