//! The levels of a pyramid, and their division into tiles.

use std::{io, iter::successors};

use crate::{CogSamples, Levels};

/// The samples along a tile's side.
pub(super) const TILE: usize = 512;

/// One level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub number: u32,
    pub size: (usize, usize),
}

impl Level {
    /// The map and all smaller levels. The last level, and no other, fits into one tile.
    pub fn all(size: (usize, usize)) -> Vec<Self> {
        let halved = |level: &Self| {
            let (width, height) = level.size;
            let size = (width.div_ceil(2), height.div_ceil(2));
            (width.max(height) > TILE).then_some(Self { number: level.number + 1, size })
        };
        successors(Some(Self { number: 0, size }), halved).collect()
    }

    /// The number of tiles in a row.
    pub fn across(self) -> usize {
        self.size.0.div_ceil(TILE)
    }

    /// The number of rows of tiles.
    pub fn down(self) -> usize {
        self.size.1.div_ceil(TILE)
    }

    pub fn tiles(self) -> usize {
        self.across() * self.down()
    }
}

/// A row of tiles of a level: its samples, without padding.
pub(super) struct Band {
    pub level: Level,
    /// The number of sample rows.
    pub rows: usize,
    pub bytes: Vec<u8>,
}

impl Band {
    pub fn read(levels: &dyn Levels, samples: CogSamples, level: Level, row: usize) -> io::Result<Self> {
        let (width, height) = level.size;
        let first = row * TILE;
        let rows = TILE.min(height - first);
        let bytes = levels.read(level.number, (0, first), (width, rows)).map_err(io::Error::other)?;
        let (wanted, found) = (width * rows * samples.bytes(), bytes.len());
        if found != wanted {
            let text =
                format!("{wanted} bytes of level {} were requested, but {found} were received", level.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(Self { level, rows, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_level_fits_into_one_tile() {
        let sizes = |size| Level::all(size).into_iter().map(|level| level.size).collect::<Vec<_>>();
        assert_eq!(sizes((1, 1)), [(1, 1)]);
        assert_eq!(sizes((512, 512)), [(512, 512)]);
        assert_eq!(sizes((513, 1)), [(513, 1), (257, 1)]);
        assert_eq!(sizes((700, 1300)), [(700, 1300), (350, 650), (175, 325)]);
        let large = Level::all((65_537, 65_537));
        assert_eq!(
            large.iter().map(|level| level.tiles()).sum::<usize>(),
            129 * 129 + 65 * 65 + 33 * 33 + 17 * 17 + 81 + 25 + 9 + 4 + 1
        );
        assert_eq!(large.last().unwrap().size, (257, 257));
    }
}
