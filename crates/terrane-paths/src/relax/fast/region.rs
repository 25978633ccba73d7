//! The region where ground may move: around what moved on coarser ground, and where bounds require flatter
//! ground.

use super::level::Level;
use crate::path::widened;

/// Samples of coarser ground by which the region extends beyond what moved there.
const MARGIN: usize = 4;

/// Samples that may move, row by row; all others are fixed, and no earth flows to them.
#[derive(Clone)]
pub struct Region(Vec<bool>);

impl Region {
    /// All of a level.
    pub fn whole(level: &Level) -> Self {
        Self(vec![true; level.heights.len()])
    }

    /// The part of a level around samples of its own.
    pub fn near(moved: Vec<bool>, margin: usize, level: &Level) -> Self {
        Self(widened(moved, (level.width, level.height), margin))
    }

    /// The part of a level around the samples that `moved` on ground of twice the spacing, which has `size`
    /// samples along x and y.
    pub fn around(moved: Vec<bool>, size: (usize, usize), level: &Level) -> Self {
        let moved = widened(moved, size, MARGIN);
        let asks = level.bounds.iter().map(|limits| limits.is_some_and(|limits| !limits.keeps()));
        let asks = widened(asks.collect(), (level.width, level.height), 2 * MARGIN);
        let near = |at: usize| {
            let (x, y) = ((at % level.width) / 2, (at / level.width) / 2);
            moved[y.min(size.1 - 1) * size.0 + x.min(size.0 - 1)]
        };
        Self(asks.iter().enumerate().map(|(at, asks)| *asks || near(at)).collect())
    }

    /// The number of samples that may move.
    pub fn count(&self) -> usize {
        self.0.iter().filter(|moves| **moves).count()
    }

    /// Whether a sample may move.
    pub fn has(&self, at: usize) -> bool {
        self.0[at]
    }
}
