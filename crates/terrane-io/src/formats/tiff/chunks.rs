//! What a TIFF is divided into: strips of rows, or tiles where rows are long.

use super::predict::{Line, difference_bytes, difference_words};
use crate::{Sample, codec::Heights, codes::encode_row};

/// Bytes of a strip before compression: enough for deflate to learn, few enough for many threads.
const STRIP_BYTES: usize = 1 << 17;
/// Where a strip had fewer rows there are tiles, so that neither memory nor what readers of a window take
/// grows with rows. Where it has as many, strips leave fewer bytes.
const LEAST_ROWS: usize = 2;
/// Samples of a tile's side, as other writers have it.
const TILE: usize = 256;

/// The chunks of a map.
pub(super) struct Chunks<'a> {
    heights: &'a Heights<'a>,
    /// Columns and rows of a chunk.
    pub size: (usize, usize),
    pub tiled: bool,
}

impl<'a> Chunks<'a> {
    pub fn new(heights: &'a Heights<'a>) -> Self {
        let (width, height) = heights.grid.size();
        let rows = STRIP_BYTES / (width * heights.sample.bytes());
        let tiled = rows < LEAST_ROWS.min(height);
        // The format has sides of tiles in sixteens.
        let tile = (TILE, TILE.min(height.next_multiple_of(16)));
        let size = if tiled { tile } else { (width, rows.min(height)) };
        Self { heights, size, tiled }
    }

    fn across(&self) -> usize {
        self.heights.grid.width().div_ceil(self.size.0)
    }

    pub fn count(&self) -> usize {
        self.across() * self.heights.grid.height().div_ceil(self.size.1)
    }

    /// Bytes of all chunks before compression.
    pub fn bytes(&self) -> u64 {
        (self.count() * self.size.0 * self.size.1 * self.heights.sample.bytes()) as u64
    }

    /// Appends the samples of a chunk, each less what its neighbour foretells.
    ///
    /// The last strip is as high as the rows that are left. Tiles are whole: beyond the map its last column
    /// and row go on, which deflate makes next to nothing of.
    pub fn push(&self, number: usize, line: &mut Line, out: &mut Vec<u8>) {
        let &Heights { grid, sample, coding, .. } = self.heights;
        let (width, height) = grid.size();
        let (column, row) = (number % self.across() * self.size.0, number / self.across() * self.size.1);
        let end = if self.tiled { row + self.size.1 } else { height.min(row + self.size.1) };
        for y in row..end {
            let heights = &grid.row(y.min(height - 1))[column..width.min(column + self.size.0)];
            line.samples.clear();
            line.samples.extend_from_slice(heights);
            line.samples.resize(self.size.0, heights[heights.len() - 1]);
            match coding {
                Some(coding) => {
                    let begin = out.len();
                    encode_row(coding, sample, false, &line.samples, out);
                    match sample {
                        Sample::U8 => difference_bytes(&mut out[begin..], 1),
                        _ => difference_words(&mut out[begin..]),
                    }
                }
                None => line.push_reals(out),
            }
        }
    }
}
