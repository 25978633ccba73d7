//! Maps with a ring of padding, so that inner loops need no border cases.

use terrane_grid::Grid;

use super::lanes::LANES;
use crate::Boundary;

/// The height of padding beyond an open border. It is higher than any other height, so that nothing flows
/// there. It is finite, so that products with 0 are not NaN.
pub const WALL: f32 = 1.0e30;

/// A map of w × h samples with one more row and column on each side: row 0 and column 0 lie before the map's
/// first row and column. Rows have further padding at the end, so that a vector that begins inside the map
/// may end beyond it.
pub struct Padded {
    pub stride: usize,
    pub width: usize,
    pub height: usize,
    pub data: Vec<f32>,
    boundary: Boundary,
}

impl Padded {
    pub fn new(grid: &Grid<f32>, boundary: Boundary) -> Self {
        let mut this = Self::filled(grid.size(), boundary, WALL);
        for row in 0..this.height {
            let start = (row + 1) * this.stride + 1;
            this.data[start..start + this.width].copy_from_slice(grid.row(row));
        }
        this.refresh();
        this
    }

    /// A map with the same number everywhere, including the padding.
    pub fn filled((width, height): (usize, usize), boundary: Boundary, value: f32) -> Self {
        let stride = width + 2 + LANES;
        Self { stride, width, height, data: vec![value; stride * (height + 2)], boundary }
    }

    /// On a torus, copies the rows and columns at the border into the padding at the opposite border.
    pub fn refresh(&mut self) {
        if self.boundary == Boundary::Open || self.data.is_empty() {
            return;
        }
        let (stride, w, h) = (self.stride, self.width, self.height);
        for row in 1..=h {
            let start = row * stride;
            self.data[start] = self.data[start + w];
            self.data[start + w + 1] = self.data[start + 1];
        }
        self.data.copy_within(h * stride..(h + 1) * stride, 0);
        self.data.copy_within(stride..2 * stride, (h + 1) * stride);
    }

    /// Sets the whole padding to one number.
    pub fn ring(&mut self, value: f32) {
        let (stride, w, h) = (self.stride, self.width, self.height);
        self.data[..stride].fill(value);
        self.data[stride * (h + 1)..].fill(value);
        for row in self.data.chunks_mut(stride) {
            row[0] = value;
            row[w + 1] = value;
        }
    }

    /// The samples of a row, without padding.
    pub fn row(&self, row: usize) -> &[f32] {
        let start = (row + 1) * self.stride + 1;
        &self.data[start..start + self.width]
    }

    pub fn grid(&self) -> Grid<f32> {
        let mut samples = Vec::with_capacity(self.width * self.height);
        for row in 0..self.height {
            samples.extend_from_slice(self.row(row));
        }
        Grid::from_vec(self.width, self.height, samples)
    }
}
