//! A block of a map, lowered to its limits.

use terrane_compute::dispatch;
use terrane_compute::simd::Simd;
use terrane_grid::Shape;

/// Rows of a block. They are swept side by side, in vectors.
pub const ROWS: usize = 32;
/// Columns of a block.
pub const COLUMNS: usize = 64;

/// Rows and columns with the samples around the block.
const PADDED_ROWS: usize = ROWS + 2;
const PADDED_COLUMNS: usize = COLUMNS + 2;
/// Diagonals of a padded block.
const DIAGONALS: usize = PADDED_COLUMNS + PADDED_ROWS - 1;

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

/// Where a block lies in its map: its first column and row, and how many it has.
#[derive(Clone, Copy)]
pub struct Place {
    pub first: (usize, usize),
    pub size: (usize, usize),
}

/// A block and the samples around it.
pub struct Block {
    heights: [[f32; PADDED_COLUMNS]; PADDED_ROWS],
    /// How much each sample may rise above a neighbour along an axis; infinite where heights are fixed and
    /// outside of the map.
    rises: [[f32; COLUMNS]; ROWS],
    /// The heights and rises of each diagonal, from the top right to the bottom left, one for each row.
    /// Samples of a diagonal do not bear on each other, so that a diagonal is lowered at once.
    diagonals: [[f32; PADDED_ROWS]; DIAGONALS],
    diagonal_rises: [[f32; PADDED_ROWS]; DIAGONALS],
}

impl Block {
    /// A block without heights.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            heights: [[f32::INFINITY; _]; _],
            rises: [[f32::INFINITY; _]; _],
            diagonals: [[f32::INFINITY; _]; _],
            diagonal_rises: [[f32::INFINITY; _]; _],
        })
    }

    /// Takes the heights and rises of a place. Outside of a map that does not wrap the ground is infinitely
    /// high.
    pub fn load(&mut self, shape: Shape, heights: &[f32], place: Place, rise: impl Fn(usize) -> f32) {
        let Shape { width, height, wrap } = shape;
        let Place { first: (left, top), size: (columns, rows) } = place;
        // The positions one before the first, and one behind the last, of `size` samples.
        let ends = |first: usize, size: usize, count: usize| {
            let before = first.checked_sub(1).or(wrap.then_some(count - 1));
            let after = Some(first + size).filter(|&after| after < count).or(wrap.then_some(0));
            (before, after)
        };
        let (above, below) = ends(top, rows, height);
        let (before, after) = ends(left, columns, width);
        for (index, to) in self.heights.iter_mut().enumerate() {
            let row = match index {
                0 => above,
                _ if index == rows + 1 => below,
                _ => (index <= rows).then(|| top + index - 1),
            };
            to.fill(f32::INFINITY);
            if let Some(row) = row {
                let from = &heights[row * width..][..width];
                to[1..=columns].copy_from_slice(&from[left..left + columns]);
                before.inspect(|&column| to[0] = from[column]);
                after.inspect(|&column| to[columns + 1] = from[column]);
            }
        }
        for (row, to) in self.rises.iter_mut().enumerate() {
            let start = (top + row) * width + left;
            let count = if row < rows { columns } else { 0 };
            to[..count].iter_mut().enumerate().for_each(|(column, to)| *to = rise(start + column));
            to[count..].fill(f32::INFINITY);
        }
    }

    /// The heights of a row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.heights[row + 1][1..=COLUMNS]
    }

    /// Lowers the samples to their limits: the highest ground below theirs that the samples around the block
    /// support. Returns whether a sample moved.
    pub fn lower(&mut self) -> bool {
        dispatch!(simd => lower(simd, self))
    }

    /// Arranges heights and rises by diagonals; of the block upside down, if it is `turned`.
    #[inline(always)]
    fn arrange(&mut self, turned: bool) {
        for row in 0..PADDED_ROWS {
            let lane = if turned { PADDED_ROWS - 1 - row } else { row };
            for (column, &height) in self.heights[row].iter().enumerate() {
                self.diagonals[column + lane][lane] = height;
            }
        }
        for row in 0..ROWS {
            let lane = if turned { ROWS - row } else { row + 1 };
            for (column, &rise) in self.rises[row].iter().enumerate() {
                self.diagonal_rises[column + 1 + lane][lane] = rise;
            }
        }
    }

    /// Takes the heights from the diagonals.
    #[inline(always)]
    fn gather(&mut self, turned: bool) {
        for row in 1..=ROWS {
            let lane = if turned { PADDED_ROWS - 1 - row } else { row };
            for column in 1..=COLUMNS {
                self.heights[row][column] = self.diagonals[column + lane][lane];
            }
        }
    }
}

/// Whether all samples are at most at their limits. Most blocks are left after this.
#[inline(always)]
fn stands(block: &Block) -> bool {
    let mut any = 0;
    for (rows, rises) in block.heights.windows(3).zip(&block.rises) {
        for column in 0..COLUMNS {
            let [above, here, below] = [0, 1, 2].map(|row| &rows[row][column..column + 3]);
            let along_x = least(here[0], here[2]);
            let along_y = least(above[1], below[1]);
            let diagonal = least(least(above[0], above[2]), least(below[0], below[2]));
            any |= u32::from(limit(rises[column], along_x, along_y, diagonal) < here[1]);
        }
    }
    any == 0
}

/// Sweeps go from each corner to the opposite one. A sweep in which nothing moves is the last.
#[inline(always)]
fn lower<S: Simd>(_: S, block: &mut Block) -> bool {
    if stands(block) {
        return false;
    }
    let mut turned = false;
    loop {
        block.arrange(turned);
        let moves = sweep(block, false) && sweep(block, true);
        block.gather(turned);
        if !moves {
            return true;
        }
        turned = !turned;
    }
}

/// Lowers the diagonals, one after the other, to the limits that those before and behind it set. Returns
/// whether a sample moved.
#[inline(always)]
fn sweep(block: &mut Block, backward: bool) -> bool {
    let (mut any, last) = (0, DIAGONALS - 3);
    for index in 2..=last {
        let at = if backward { last + 2 - index } else { index };
        let [before_2, before, here, after, after_2] =
            [0, 1, 2, 3, 4].map(|by| &block.diagonals[at + by - 2]);
        let rises = &block.diagonal_rises[at];
        let mut limits = [0.0; ROWS];
        for (row, to) in limits.iter_mut().enumerate() {
            // A row above is one lane earlier, and a column to the right one diagonal later.
            let lane = row + 1;
            let along_x = least(before[lane], after[lane]);
            let along_y = least(before[lane - 1], after[lane + 1]);
            let above = least(before_2[lane - 1], here[lane - 1]);
            let diagonal = least(above, least(here[lane + 1], after_2[lane + 1]));
            let limit = limit(rises[lane], along_x, along_y, diagonal);
            any |= u32::from(limit < here[lane]);
            *to = least(limit, here[lane]);
        }
        block.diagonals[at][1..=ROWS].copy_from_slice(&limits);
    }
    any != 0
}
