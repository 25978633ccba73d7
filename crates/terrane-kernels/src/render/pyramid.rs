//! The highest corner of each cell of a map, and of blocks of 2 × 2, 4 × 4, … cells.

/// Value of an empty block.
const NOTHING: f32 = f32::NEG_INFINITY;

/// The highest corners, from single cells to one block for the whole map.
#[derive(Debug)]
pub struct Pyramid {
    levels: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    columns: usize,
    highest: Vec<f32>,
}

impl Pyramid {
    /// The blocks over a map of at least 2 × 2 samples, row by row.
    pub fn new(samples: &[f32], columns: usize) -> Self {
        let rows = samples.len() / columns;
        let at = |column: usize, row: usize| samples[row * columns + column];
        let mut cells =
            Level { columns: columns - 1, highest: Vec::with_capacity((columns - 1) * (rows - 1)) };
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let above = at(column, row).max(at(column + 1, row));
                cells.highest.push(above.max(at(column, row + 1)).max(at(column + 1, row + 1)));
            }
        }
        let mut levels = vec![cells];
        while let Some(finer) = levels.last().filter(|level| level.highest.len() > 1) {
            let coarser = finer.coarser();
            levels.push(coarser);
        }
        Self { levels }
    }

    /// The level whose single block is the whole map.
    pub const fn top(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    /// The highest corner of the block of 2^`level` × 2^`level` cells that contains a cell.
    #[inline]
    pub fn highest(&self, level: u32, [column, row]: [usize; 2]) -> f32 {
        let blocks = &self.levels[level as usize];
        blocks.highest[(row >> level) * blocks.columns + (column >> level)]
    }
}

impl Level {
    fn coarser(&self) -> Self {
        let rows = self.highest.len() / self.columns;
        let columns = self.columns.div_ceil(2);
        let at = |column: usize, row: usize| {
            let inside = column < self.columns && row < rows;
            if inside { self.highest[row * self.columns + column] } else { NOTHING }
        };
        let mut highest = Vec::with_capacity(columns * rows.div_ceil(2));
        for row in 0..rows.div_ceil(2) {
            for column in 0..columns {
                let (x, y) = (2 * column, 2 * row);
                highest.push(at(x, y).max(at(x + 1, y)).max(at(x, y + 1)).max(at(x + 1, y + 1)));
            }
        }
        Self { columns, highest }
    }
}
