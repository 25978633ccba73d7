//! Lowers a map to a maximum slope, by blocks.

use terrane_compute::parallel::{elements, try_for_each_with};
use terrane_compute::{Alive, Cancelled};
use terrane_grid::Shape;

use super::block::{Block, COLUMNS, Place, ROWS};

/// Blocks that are lowered before any of them is written. The number does not depend on the number of
/// threads, as the order decides how heights are rounded.
const AT_ONCE: usize = 128;

/// The blocks of a map.
struct Blocks {
    shape: Shape,
    /// Blocks along a row, and rows of blocks.
    count: (usize, usize),
    /// Blocks to visit: samples around them moved.
    due: Vec<bool>,
}

/// Lowers all samples to the limits that their neighbours set, with how much each may `rise` above a
/// neighbour along an axis, until nothing moves.
pub fn lower(
    shape: Shape,
    heights: &mut [f32],
    rise: impl Fn(usize) -> f32 + Sync,
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    let count = (shape.width.div_ceil(COLUMNS), shape.height.div_ceil(ROWS));
    let mut blocks = Blocks { shape, count, due: vec![true; count.0 * count.1] };
    let mut lowered: Vec<Option<Vec<f32>>> = Vec::new();
    while blocks.due.contains(&true) {
        // Neighbours are of different groups, so that a block is lowered with what those beside it have
        // become.
        for group in 0..4 {
            for part in blocks.take(group).chunks(AT_ONCE) {
                lowered.clear();
                lowered.resize(part.len(), None);
                let before = &*heights;
                try_for_each_with(elements(&mut lowered), 1, Block::new, |block, index, to| {
                    alive()?;
                    let place = blocks.place(part[index]);
                    block.load(shape, before, place, &rise);
                    *to = block.lower().then(|| {
                        let rows = (0..place.size.1).map(|row| &block.row(row)[..place.size.0]);
                        rows.collect::<Vec<_>>().concat()
                    });
                    Ok(())
                })?;
                for (&index, lowered) in part.iter().zip(&lowered) {
                    if let Some(lowered) = lowered {
                        blocks.write(index, lowered, heights);
                    }
                }
            }
        }
    }
    Ok(())
}

impl Blocks {
    /// The blocks of a group that are due, which they are no more.
    fn take(&mut self, group: usize) -> Vec<usize> {
        let across = self.count.0;
        let of_group = |index: &usize| index % across % 2 + 2 * (index / across % 2) == group;
        let due: Vec<usize> = (0..self.due.len()).filter(of_group).filter(|&index| self.due[index]).collect();
        due.iter().for_each(|&index| self.due[index] = false);
        due
    }

    fn place(&self, index: usize) -> Place {
        let Shape { width, height, .. } = self.shape;
        let (left, top) = (index % self.count.0 * COLUMNS, index / self.count.0 * ROWS);
        Place { first: (left, top), size: (COLUMNS.min(width - left), ROWS.min(height - top)) }
    }

    /// Writes the heights of a block. The blocks beside samples that moved are due.
    fn write(&mut self, index: usize, lowered: &[f32], heights: &mut [f32]) {
        let Place { first: (left, top), size: (columns, rows) } = self.place(index);
        let width = self.shape.width;
        for (row, lowered) in lowered.chunks_exact(columns).enumerate() {
            let to = &mut heights[(top + row) * width + left..][..columns];
            let (first, last) = (lowered[0] != to[0], lowered[columns - 1] != to[columns - 1]);
            let (above, below) = (row == 0, row + 1 == rows);
            let any = (above || below) && lowered != &*to;
            to.copy_from_slice(lowered);
            let sides = [(first, above, -1, -1), (first, true, -1, 0), (first, below, -1, 1)];
            let middle = [(any, above, 0, -1), (any, below, 0, 1)];
            let other = [(last, above, 1, -1), (last, true, 1, 0), (last, below, 1, 1)];
            for (_, _, x, y) in sides.into_iter().chain(middle).chain(other).filter(|side| side.0 && side.1) {
                self.beside(index, x, y).into_iter().for_each(|index| self.due[index] = true);
            }
        }
    }

    /// The block beside another one.
    fn beside(&self, index: usize, x: isize, y: isize) -> Option<usize> {
        let at = |index: usize, by: isize, count: usize| {
            let to = index.checked_add_signed(by).filter(|&to| to < count);
            to.or(self.shape.wrap.then_some(if by < 0 { count - 1 } else { 0 }))
        };
        let (across, down) = self.count;
        Some(at(index / across, y, down)? * across + at(index % across, x, across)?)
    }
}
