//! The state of the primal-dual method: all variables, and its steps.

use crate::parallel::{elements, for_each, try_collect};
use rayon::prelude::*;

use super::balance::level_out;
use super::dual::Dual;
use super::flows::Flows;
use super::layout::Layout;
use super::level::Level;
use super::primal::Primal;
use super::region::Region;
use super::scale::{Scale, Sizes};
use super::work::Work;
use crate::path::widened;
use crate::relax::field::Field;
use crate::{Cancelled, Progress};

/// Earth is created or removed where its price is at least this part of the price of creating it.
const MADE: f64 = 0.999;

/// Rounds of steps on the coarsest ground, after each of which the scale is measured again.
const ROUNDS: u64 = 8;

/// Changes up to the maximum change divided by this are ignored.
const SIGNIFICANT: f64 = 500.0;

/// Steps between two checks whether the ground has settled.
const CHECK_INTERVAL: u64 = 50;

/// The relative excess of slopes over their bounds below which the ground has settled.
const SETTLED: f64 = 0.02;

/// Rows that a thread processes at once.
const ROWS: usize = 8;

/// Ground of fewer samples is processed on one thread.
const SMALL: usize = 1 << 13;

/// Samples around those that flows reach where heights may be those of the state.
const BESIDE_FLOWS: usize = 2;

/// Where the ground is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Off the flows.
    Flows,
    /// Off the heights, near flows.
    Heights,
}

/// All rows, with a margin of one.
pub struct State {
    pub width: usize,
    pub height: usize,
    pub primal: Vec<Primal>,
    pub dual: Vec<Dual>,
    sizes: Sizes,
    /// The minimum and maximum of heights.
    range: (f64, f64),
    /// The maximum price of earth.
    max_price: f64,
}

impl State {
    /// The state for the current heights, of which those of a region may move, without flows and with prices
    /// of 0.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn new(level: &Level, region: &Region, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let (width, height, layout) = (level.width, level.height, Layout::new(level, region));
        let heights = |y: usize| {
            let mut row = vec![0.0; width + 2];
            if (1..=height).contains(&y) {
                row[1..=width].copy_from_slice(&level.heights[(y - 1) * width..y * width]);
            }
            row
        };
        progress.check()?;
        // Most of the time goes into writing to fresh memory.
        let primal = try_collect(height + 2, ROWS, |y| {
            progress.check()?;
            Ok(Primal::new(y, &heights(y), level.range, &layout))
        })?;
        let dual = try_collect(height + 2, ROWS, |y| {
            progress.check()?;
            Ok(Dual::new(y, heights(y), level, &layout))
        })?;
        Ok(Self {
            width,
            height,
            primal,
            dual,
            sizes: Sizes { heights: 0.0, flows: 0.0, prices: 0.0, forces: 0.0 },
            range: level.range,
            max_price: level.max_price,
        })
    }

    /// Aims `inside.0` tolerances inside the bounds, or the part `inside.1` of them if that is more.
    pub fn aim(&mut self, inside: (f64, f64)) {
        self.dual.iter_mut().flat_map(|row| &mut row.bounds).for_each(|bound| bound.aim(inside));
    }

    /// Sets the sizes of the following steps.
    pub fn size(&mut self, sizes: &Sizes) {
        self.sizes = *sizes;
    }

    /// Takes steps towards the cheapest ground, and measures the scale at the end of each round.
    pub fn cheapen(&mut self, scale: &mut Scale, steps: u64, work: &mut Work<'_>) -> Result<(), Cancelled> {
        let rounds = if scale.measured { 1 } else { ROUNDS };
        for _ in 0..rounds {
            self.size(&scale.cheapening());
            for _ in 0..steps.div_ceil(rounds.min(4)) {
                self.step();
                work.step(self.width * self.height)?;
            }
            scale.measure(self.norms());
        }
        Ok(())
    }

    /// Takes more steps like [`Self::cheapen`], without changing the scale. So forces grow where paths are
    /// steep over a long distance, while steps are still cheap.
    pub fn settle(&mut self, scale: &Scale, steps: u64, work: &mut Work<'_>) -> Result<(), Cancelled> {
        self.size(&scale.cheapening());
        for step in 0..steps {
            if step % CHECK_INTERVAL == 0 && self.excess() <= SETTLED {
                break;
            }
            self.step();
            work.step(self.width * self.height)?;
        }
        Ok(())
    }

    /// Takes one step. Rows are independent, each computed from itself and its neighbours: the same bits on
    /// any number of threads.
    pub fn step(&mut self) {
        let (height, sizes) = (self.height, &self.sizes);
        let (primal, dual) = (&mut self.primal[1..=height], &self.dual);
        let step = |(above, row): (usize, &mut Primal)| {
            row.step(sizes, [&dual[above], &dual[above + 1], &dual[above + 2]], above + 1 == height);
        };
        let is_small = self.width * height < SMALL;
        if is_small {
            primal.iter_mut().enumerate().for_each(step);
        } else {
            for_each(elements(primal), ROWS, |row, primal| step((row, primal)));
        }
        let (primal, dual) = (&self.primal, &mut self.dual[1..=height]);
        let step = |(above, row): (usize, &mut Dual)| {
            let around = [&primal[above], &primal[above + 1], &primal[above + 2]];
            row.step(sizes, &around[1].spans, around);
        };
        if is_small {
            dual.iter_mut().enumerate().for_each(step);
        } else {
            for_each(elements(dual), ROWS, |row, dual| step((row, dual)));
        }
    }

    /// The Euclidean norms of changes of heights, of flows, prices and forces.
    pub fn norms(&self) -> [f64; 4] {
        let mut out = [0.0; 4];
        for (primal, dual) in self.primal.iter().zip(&self.dual) {
            for x in 0..self.width + 2 {
                let moved = dual.weights[x] * (primal.heights[x] - dual.before[x]);
                out[0] += moved * moved;
                out[1] += primal.right[x] * primal.right[x] + primal.down[x] * primal.down[x];
                out[2] += dual.prices[x] * dual.prices[x];
            }
            out[3] += dual.forces.iter().flatten().map(|force| force * force).sum::<f64>();
        }
        out.map(f64::sqrt)
    }

    /// The samples that moved by more than a small part of the maximum, or where ground must become flatter
    /// than before.
    pub fn moved(&self) -> Vec<bool> {
        let positions = || (0..self.width * self.height).map(|at| (at % self.width + 1, at / self.width + 1));
        let by = |(x, y): (usize, usize)| (self.primal[y].heights[x] - self.dual[y].before[x]).abs();
        let least = positions().map(by).fold(0.0, f64::max) / SIGNIFICANT;
        positions().map(|(x, y)| !self.dual[y].keeps[x] || by((x, y)) > least).collect()
    }

    /// The maximum relative excess of quadrants over the bounds that are aimed at.
    pub fn excess(&self) -> f64 {
        let row = |y: usize| {
            let (above, here, below) = (&self.primal[y - 1], &self.primal[y], &self.primal[y + 1]);
            self.dual[y].excess([above, here, below])
        };
        (1..=self.height).into_par_iter().map(row).reduce(|| 0.0, f64::max)
    }

    /// The flows out of a sample towards larger and smaller x and y, at the end of a step before it is
    /// over-relaxed: exactly 0 where it does not pay to move earth.
    fn flows(&self, x: usize, y: usize) -> [f64; 4] {
        let (row, above) = (&self.primal[y], &self.primal[y - 1]);
        [row.flow_right(x), -row.flow_right(x - 1), row.flow_down(x), -above.flow_down(x)]
    }

    /// The range of heights within which earth is balanced, in world units. `None` if earth can be created or
    /// heights are prescribed.
    pub fn balanced(&self, spacing: f64) -> Option<(f64, f64)> {
        let is_given = self.primal.iter().any(|row| row.given().next().is_some());
        let is_free = self.max_price.is_infinite() && !is_given;
        is_free.then_some((self.range.0 * spacing, self.range.1 * spacing))
    }

    /// Samples that flows reach, and where ground must become flatter.
    fn reached(&self) -> Vec<bool> {
        let positions = (0..self.width * self.height).map(|at| (at % self.width + 1, at / self.width + 1));
        positions.map(|(x, y)| !self.dual[y].keeps[x] || self.flows(x, y) != [0.0; 4]).collect()
    }

    /// Writes the ground. What no flow reaches does not change. Elsewhere, the ground is the one that the
    /// flows leave, so that earth is conserved. But while slopes matter most, flows are behind the heights:
    /// then heights are those of the state ([`Reading::Heights`]) near flows, and what that leaves as a
    /// deficit or a surplus is levelled out. Heights are those of the state, too, where the price of earth is
    /// as high as that of creating it.
    pub fn write(&self, before: &Field, field: &mut Field, reading: Reading) -> Flows {
        let spacing = before.domain.spacing;
        let near = match reading {
            Reading::Flows => Vec::new(),
            Reading::Heights => widened(self.reached(), (self.width, self.height), BESIDE_FLOWS),
        };
        for (at, height) in field.heights.iter_mut().enumerate() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            let [right, left, down, up] = self.flows(x, y);
            let out = right + left + (down + up);
            let dual = &self.dual[y];
            let is_made = dual.prices[x].abs() >= MADE * self.max_price;
            let is_read = dual.weights[x] > 0.0 && (is_made || near.get(at) == Some(&true));
            let free = match (is_read, out == 0.0) {
                (true, _) => self.primal[y].heights[x] * spacing,
                (false, true) => before.heights[at],
                (false, false) => before.heights[at] - out * spacing,
            };
            *height = if dual.weights[x] > 0.0 && free != before.heights[at] {
                free.max(self.range.0 * spacing).min(self.range.1 * spacing)
            } else {
                free
            };
        }
        for (y, row) in self.primal.iter().enumerate() {
            for at in row.given().map(|x| (y - 1) * self.width + x - 1) {
                field.heights[at] = before.heights[at];
            }
        }
        if let Some(range) = self.balanced(spacing) {
            level_out(range, before, field);
        }
        let mut flows = Flows::none((self.width, self.height));
        for at in 0..field.heights.len() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            flows.right[at] = self.primal[y].flow_right(x) * spacing;
            flows.down[at] = self.primal[y].flow_down(x) * spacing;
        }
        flows
    }
}
