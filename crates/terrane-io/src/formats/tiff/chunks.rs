//! The chunks of a TIFF: strips of rows, or tiles if rows are long.

use super::predict::{Line, difference_bytes, difference_words};
use crate::{Sample, codec::Heights, codes::encode_row};

/// The bytes of a strip before compression: enough for deflate to adapt, few enough for many threads.
const STRIP_BYTES: usize = 1 << 17;
/// The minimum number of rows per strip. If fewer rows fit into a strip, the map is divided into tiles, so
/// that neither memory nor the cost of reading a window grows with the row length. Otherwise strips are used,
/// because they leave fewer bytes.
const MIN_ROWS: usize = 2;
/// The samples along a tile's side, as in other programs.
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
        let tiled = rows < MIN_ROWS.min(height);
        // The format requires that tile sides are multiples of sixteen.
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

    /// The bytes of all chunks before compression.
    pub fn bytes(&self) -> u64 {
        (self.count() * self.size.0 * self.size.1 * self.heights.sample.bytes()) as u64
    }

    /// Appends the samples of a chunk, each minus a prediction from its neighbour.
    ///
    /// The last strip has only the remaining rows. Tiles are always whole: beyond the map its last column and
    /// row are repeated, which deflate compresses to almost nothing.
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
                    let start = out.len();
                    encode_row(coding, sample, false, &line.samples, out);
                    match sample {
                        Sample::U8 => difference_bytes(&mut out[start..], 1),
                        _ => difference_words(&mut out[start..]),
                    }
                }
                None => line.push_reals(out),
            }
        }
    }
}
