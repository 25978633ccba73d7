//! Where ground may move: around what moved on coarser ground, and where bounds ask for flatter ground than there is.

use super::level::Level;
use super::state::State;

/// Samples of coarser ground by which the region reaches beyond what moved there.
const MARGIN: usize = 4;

/// Samples that may move, row by row; all others stay, and no earth comes to them.
pub struct Region(Vec<bool>);

impl Region {
    /// All of a level.
    pub fn whole(level: &Level) -> Self {
        Self(vec![true; level.heights.len()])
    }

    /// The part of a level around what moved on ground of twice the spacing.
    pub fn around(coarse: &State, level: &Level) -> Self {
        let size = (coarse.width, coarse.height);
        let moved = widened(coarse.moved(), size, MARGIN);
        let asks = level.bounds.iter().map(|limits| limits.is_some_and(|limits| !limits.keeps()));
        let asks = widened(asks.collect(), (level.width, level.height), 2 * MARGIN);
        let near = |at: usize| {
            let (x, y) = ((at % level.width) / 2, (at / level.width) / 2);
            moved[y.min(size.1 - 1) * size.0 + x.min(size.0 - 1)]
        };
        Self(asks.iter().enumerate().map(|(at, asks)| *asks || near(at)).collect())
    }

    /// Which samples may move, row by row.
    pub fn samples(&self) -> &[bool] {
        &self.0
    }

    /// Whether a sample may move.
    pub fn has(&self, at: usize) -> bool {
        self.0[at]
    }
}

/// A mask with the squares of so many samples around each of its own.
fn widened(mask: Vec<bool>, (width, height): (usize, usize), by: usize) -> Vec<bool> {
    let along = |mask: &[bool], count: usize, place: &dyn Fn(usize) -> usize, out: &mut [bool]| {
        let mut last: Option<usize> = None;
        let mut next = 0;
        for at in 0..count {
            while next < count && next <= at + by {
                if mask[place(next)] {
                    last = Some(next);
                }
                next += 1;
            }
            out[place(at)] = last.is_some_and(|last| last + by >= at);
        }
    };
    let (mut rows, mut all) = (mask.clone(), mask.clone());
    for y in 0..height {
        along(&mask, width, &|x| y * width + x, &mut rows);
    }
    for x in 0..width {
        along(&rows, height, &|y| y * width + x, &mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_widened_by_squares() {
        let mask = (0..63).map(|at| at == 9 * 3 + 4).collect();
        let wide = widened(mask, (9, 7), 2);
        for (at, &wide) in wide.iter().enumerate() {
            let (x, y) = (at % 9, at / 9);
            assert_eq!(wide, x.abs_diff(4) <= 2 && y.abs_diff(3) <= 2);
        }
    }
}
