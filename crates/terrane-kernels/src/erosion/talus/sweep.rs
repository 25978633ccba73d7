//! Sweeps that lower a map to a maximum slope.

use terrane_compute::{Alive, Cancelled};
use terrane_grid::Shape;

/// A map with a ring of padding, and how much each sample may rise above a neighbour along an axis.
pub struct Sweep {
    shape: Shape,
    /// Heights, `width + 2` in each of `height + 2` rows.
    heights: Vec<f32>,
    /// Maximum rises, `width` in each of `height` rows, and those of the transposed map; infinite where
    /// heights are fixed.
    rises: [Vec<f32>; 2],
    /// Rows to visit, and rows of the transposed map: they or rows beside them moved since their last visit.
    due: [Vec<bool>; 2],
}

/// The maximum height of a sample between neighbours whose lowest along x, along y and on the diagonals have
/// these heights.
#[inline(always)]
pub fn limit(rise: f32, along_x: f32, along_y: f32, diagonal: f32) -> f32 {
    let apart = along_x - along_y;
    let lower = least(along_x, along_y);
    let both = 0.5 * (along_x + along_y + (2.0 * rise * rise - apart * apart).sqrt());
    let on_axes = if apart.abs() < rise { both } else { lower + rise };
    least(on_axes, diagonal + rise * std::f32::consts::SQRT_2)
}

/// The smaller of two numbers; the second if one is NaN. This is one instruction.
#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

impl Sweep {
    /// A map of these heights and rises.
    pub fn new(shape: Shape, height: impl Fn(usize) -> f32, rise: impl Fn(usize) -> f32) -> Self {
        let Shape { width, height: rows, .. } = shape;
        let mut heights = vec![f32::INFINITY; (width + 2) * (rows + 2)];
        for row in 0..rows {
            let inside = &mut heights[(row + 1) * (width + 2) + 1..][..width];
            inside.iter_mut().enumerate().for_each(|(column, to)| *to = height(row * width + column));
        }
        let rises: Vec<f32> = (0..width * rows).map(rise).collect();
        let turned = transposed(&rises, width, rows);
        let mut this = Self {
            shape,
            heights,
            rises: [rises, turned],
            due: [rows, width].map(|count| vec![true; count]),
        };
        (0..rows).for_each(|row| this.wrap(row));
        this
    }

    /// The height of a sample.
    pub fn height(&self, at: usize) -> f32 {
        let width = self.shape.width;
        self.heights[(at / width + 1) * (width + 2) + at % width + 1]
    }

    /// Lowers all samples to their limits. Sweeps go down and up, then to the right and to the left, until
    /// nothing moves.
    pub fn run(mut self, alive: &Alive<'_>) -> Result<Self, Cancelled> {
        let mut turned = false;
        while self.due[0].contains(&true) || turned {
            self.down_and_up(alive)?;
            // Sweeps along columns are sweeps along rows of the transposed map.
            self.transpose();
            turned = !turned;
        }
        Ok(self)
    }

    /// Visits all rows that are due on the way down, then on the way up.
    fn down_and_up(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Shape { width, height, .. } = self.shape;
        let (mut limits, mut columns) = (vec![0.0; width], vec![0; width]);
        for row in (0..height).chain((0..height).rev()) {
            if row.is_multiple_of(64) {
                alive()?;
            }
            if std::mem::take(&mut self.due[0][row]) && self.settle(row, &mut limits, &mut columns) {
                around(row, height).for_each(|row| self.due[0][row] = true);
                self.wrap(row);
            }
        }
        for column in (0..width).filter(|&column| columns[column] != 0) {
            around(column, width).for_each(|column| self.due[1][column] = true);
        }
        Ok(())
    }

    /// Lowers a row to the limits that its neighbours and the row itself set. Returns whether anything moved,
    /// and sets the entries of the `columns` that moved to 1.
    fn settle(&mut self, row: usize, limits: &mut [f32], columns: &mut [u32]) -> bool {
        let width = self.shape.width;
        let stride = width + 2;
        let (above, rest) = self.heights[row * stride..(row + 3) * stride].split_at_mut(stride);
        let (here, below) = rest.split_at_mut(stride);
        let (above, here, below) = (&above[..width + 2], &mut here[..width + 2], &below[..width + 2]);
        let rises = &self.rises[0][row * width..][..width];
        let (limits, columns) = (&mut limits[..width], &mut columns[..width]);
        let mut any = 0;
        for column in 0..width {
            let (own, along_x) = (here[column + 1], least(here[column], here[column + 2]));
            let along_y = least(above[column + 1], below[column + 1]);
            let diagonal_above = least(above[column], above[column + 2]);
            let diagonal = least(diagonal_above, least(below[column], below[column + 2]));
            let limit = limit(rises[column], along_x, along_y, diagonal);
            let moved = u32::from(limit < own);
            any |= moved;
            columns[column] |= moved;
            limits[column] = least(limit, own);
        }
        if any != 0 {
            here[1..=width].copy_from_slice(limits);
        }
        any != 0
    }

    /// On a torus, copies a row and its ends into the padding.
    fn wrap(&mut self, row: usize) {
        let Shape { width, height, wrap } = self.shape;
        if !wrap {
            return;
        }
        let stride = width + 2;
        let start = (row + 1) * stride;
        self.heights[start] = self.heights[start + width];
        self.heights[start + width + 1] = self.heights[start + 1];
        if row == 0 {
            self.heights.copy_within(start..start + stride, (height + 1) * stride);
        }
        if row + 1 == height {
            self.heights.copy_within(start..start + stride, 0);
        }
    }

    fn transpose(&mut self) {
        let Shape { width, height, wrap } = self.shape;
        self.shape = Shape { width: height, height: width, wrap };
        self.heights = transposed(&self.heights, width + 2, height + 2);
        self.rises.swap(0, 1);
        self.due.swap(0, 1);
    }
}

/// A row and those beside it, across the seam of a torus too.
fn around(row: usize, rows: usize) -> impl Iterator<Item = usize> {
    [row + rows - 1, row, row + 1].into_iter().map(move |row| row % rows)
}

/// The transpose of a matrix, in blocks that stay in the cache.
fn transposed(from: &[f32], width: usize, height: usize) -> Vec<f32> {
    const BLOCK: usize = 32;
    let mut to = vec![0.0; from.len()];
    for top in (0..height).step_by(BLOCK) {
        for left in (0..width).step_by(BLOCK) {
            for row in top..(top + BLOCK).min(height) {
                for column in left..(left + BLOCK).min(width) {
                    to[column * height + row] = from[row * width + column];
                }
            }
        }
    }
    to
}
