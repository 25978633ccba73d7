//! A row-major raster.

/// A raster of `width` columns and `height` rows, stored row after row without padding.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    data: Vec<T>,
}

impl<T> Grid<T> {
    /// A grid over samples already laid out row by row.
    ///
    /// # Panics
    /// If `data` does not hold exactly `width * height` samples. The caller must ensure this for any input.
    #[must_use]
    pub fn from_vec(width: usize, height: usize, data: Vec<T>) -> Self {
        assert_eq!(data.len(), width * height, "a {width} x {height} grid needs {} samples", width * height);
        Self { width, height, data }
    }

    /// A grid whose sample at (column, row) is `f(column, row)`.
    #[must_use]
    pub fn from_fn(width: usize, height: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                data.push(f(column, row));
            }
        }
        Self { width, height, data }
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Number of samples.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether the grid has no samples.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// All samples, row by row.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All samples as a mutable slice, row by row.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The samples as a vector, row by row.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// One row of samples.
    #[must_use]
    pub fn row(&self, row: usize) -> &[T] {
        &self.data[row * self.width..(row + 1) * self.width]
    }

    /// One row of samples as a mutable slice.
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.data[row * self.width..(row + 1) * self.width]
    }

    /// A grid of the same size, with `f` applied to every sample.
    #[must_use]
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { width: self.width, height: self.height, data: self.data.iter().map(f).collect() }
    }
}

impl<T: Clone> Grid<T> {
    /// A grid with the same value everywhere.
    #[must_use]
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self { width, height, data: vec![value; width * height] }
    }

    /// The part of this size that begins at sample (column, row).
    ///
    /// # Panics
    /// If the part is not within the grid.
    #[must_use]
    pub fn part(&self, (column, row): (usize, usize), (width, height): (usize, usize)) -> Self {
        let mut data = Vec::with_capacity(width * height);
        for row in row..row + height {
            data.extend_from_slice(&self.row(row)[column..column + width]);
        }
        Self { width, height, data }
    }
}

/// `grid[(column, row)]`.
impl<T> std::ops::Index<(usize, usize)> for Grid<T> {
    type Output = T;

    fn index(&self, (column, row): (usize, usize)) -> &T {
        assert!(column < self.width, "column {column} of {}", self.width);
        &self.data[row * self.width + column]
    }
}

impl<T> std::ops::IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (column, row): (usize, usize)) -> &mut T {
        assert!(column < self.width, "column {column} of {}", self.width);
        &mut self.data[row * self.width + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_row_major() {
        let grid = Grid::from_fn(3, 2, |column, row| 10 * row + column);
        assert_eq!(grid.as_slice(), [0, 1, 2, 10, 11, 12]);
        assert_eq!(grid.row(1), [10, 11, 12]);
        assert_eq!(grid[(2, 1)], 12);
        assert_eq!(grid.map(|v| v * 2)[(1, 1)], 22);
    }

    #[test]
    #[should_panic(expected = "column 3 of 3")]
    fn a_column_outside_is_not_the_next_row() {
        let grid = Grid::filled(3, 2, 0);
        let _ = grid[(3, 0)];
    }
}
