//! Where earth has a price, and where it moves.

use super::level::Level;
use super::region::Region;

/// Masks of samples and of the connections between them, on a grid with a margin of one sample.
///
/// Samples that affect a bound's slopes are priced: their earth must come from somewhere. Other samples may
/// hold any amount. Where a height is prescribed earth is created and removed without a price, and does not
/// flow in or out. Otherwise the ground beside it would be dug away or heaped up with earth that only the
/// prescribed height needs, and prescribed heights would absorb a path's surplus. There is one exception:
/// earth flows to and from prescribed samples where prescribed heights cut priced samples off from all ground
/// that may hold any amount.
pub struct Layout {
    /// Samples in a row, including the margin's two.
    stride: usize,
    priced: Vec<bool>,
    moves: Vec<bool>,
    given: Vec<bool>,
    /// Whether a sample has no bounds that require flatter ground than before.
    keeps: Vec<bool>,
    /// Whether earth can reach a sample from unpriced ones without crossing prescribed heights.
    open: Vec<bool>,
    /// Whether a sample may move.
    region: Vec<bool>,
}

impl Layout {
    pub fn new(level: &Level, region: &Region) -> Self {
        let (width, height, stride) = (level.width, level.height, level.width + 2);
        let with_margin = |holds: &dyn Fn(usize) -> bool| {
            let mut mask = vec![false; stride * (height + 2)];
            for y in 0..height {
                for x in 0..width {
                    mask[(y + 1) * stride + x + 1] = holds(y * width + x);
                }
            }
            mask
        };
        let (bound, given) =
            (with_margin(&|at| level.bounds[at].is_some()), with_margin(&|at| level.given[at]));
        let (inside, region) = (with_margin(&|_| true), with_margin(&|at| region.has(at)));
        let here = |at: usize| inside[at];
        let touched = |at: usize| here(at) && around(at, stride).into_iter().any(|at| bound[at]);
        let touched: Vec<bool> = (0..inside.len()).map(touched).collect();
        let moves = |at: usize| region[at] && (touched[at] || touched[at + 1] || touched[at + stride]);
        let moves = (0..inside.len()).map(moves).collect();
        let priced: Vec<bool> = (0..inside.len()).map(|at| touched[at] & region[at] & !given[at]).collect();
        let keeps = with_margin(&|at| level.bounds[at].is_none_or(|limits| limits.keeps()));
        let mut out = Self { stride, priced, moves, given, keeps, open: Vec::new(), region };
        out.open = if level.max_price.is_finite() { inside } else { out.reached(&inside) };
        out
    }

    /// Samples that earth can reach from unpriced ones, or all if no height is prescribed.
    fn reached(&self, inside: &[bool]) -> Vec<bool> {
        if !self.given.contains(&true) {
            return inside.to_vec();
        }
        let is_passable = |at: usize| inside[at] && !self.given[at];
        let mut reached: Vec<bool> =
            (0..inside.len()).map(|at| is_passable(at) && !self.priced[at]).collect();
        let mut front: Vec<usize> = (0..inside.len()).filter(|&at| reached[at]).collect();
        while let Some(at) = front.pop() {
            for next in around(at, self.stride).into_iter().filter(|&next| is_passable(next)) {
                if !std::mem::replace(&mut reached[next], true) {
                    front.push(next);
                }
            }
        }
        reached
    }

    /// The number of rows without the margin.
    pub fn rows(&self) -> usize {
        self.priced.len() / self.stride - 2
    }

    /// Whether earth has a price at a sample.
    pub fn is_priced(&self, x: usize, y: usize) -> bool {
        self.priced[y * self.stride + x]
    }

    /// Whether ground at a sample may stay as steep as it was.
    pub fn keeps(&self, x: usize, y: usize) -> bool {
        self.keeps[y * self.stride + x]
    }

    /// Whether a sample's height is prescribed.
    pub fn is_given(&self, x: usize, y: usize) -> bool {
        self.given[y * self.stride + x]
    }

    /// Whether anything moves at a sample or from there to the next ones.
    pub fn moves(&self, x: usize, y: usize) -> bool {
        self.moves[y * self.stride + x]
    }

    /// Whether no earth flows from a sample to the next one along x, or along y.
    pub fn is_shut(&self, x: usize, y: usize) -> [bool; 2] {
        let at = y * self.stride + x;
        [at + 1, at + self.stride].map(|next| {
            let one = |a: usize, b: usize| self.given[a] && self.open[b];
            one(at, next) || one(next, at) || self.region[at] != self.region[next]
        })
    }

    /// Whether a sample or one of its neighbours may move.
    pub fn is_near(&self, x: usize, y: usize) -> bool {
        around(y * self.stride + x, self.stride).into_iter().any(|at| self.region[at])
    }
}

/// A sample and its four neighbours.
fn around(at: usize, stride: usize) -> [usize; 5] {
    [at, at.wrapping_sub(1), at + 1, at.wrapping_sub(stride), at + stride]
}
