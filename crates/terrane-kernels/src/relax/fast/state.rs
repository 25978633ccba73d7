//! All unknowns, and steps of the primal-dual method.

use rayon::prelude::*;

use super::Work;
use super::dual::Dual;
use super::layout::Layout;
use super::level::Level;
use super::primal::Primal;
use super::scale::{Scale, Sizes};
use crate::Cancelled;
use crate::relax::field::Field;

/// Rounds of steps on the coarsest ground, after each of which the scale is measured anew.
const ROUNDS: u64 = 8;

/// One sample takes what this many lack, at most.
const FEW: usize = 8;

/// Rows that one thread takes at a time.
const ROWS: usize = 8;

/// Ground of fewer samples is not worth a second thread.
const SMALL: usize = 1 << 13;

/// All rows, with a margin of one.
pub struct State {
    pub width: usize,
    pub height: usize,
    pub primal: Vec<Primal>,
    pub dual: Vec<Dual>,
    sizes: Sizes,
}

impl State {
    /// Heights as they are; nothing flows, nothing costs.
    pub fn new(level: &Level) -> Self {
        let (width, height, layout) = (level.width, level.height, Layout::new(level));
        let heights = |y: usize| {
            let mut row = vec![0.0; width + 2];
            if (1..=height).contains(&y) {
                row[1..=width].copy_from_slice(&level.heights[(y - 1) * width..y * width]);
            }
            row
        };
        Self {
            width,
            height,
            primal: (0..height + 2).map(|y| Primal::new(y, &heights(y), &layout)).collect(),
            dual: (0..height + 2).map(|y| Dual::new(y, heights(y), level, &layout)).collect(),
            sizes: Sizes { heights: 0.0, flows: 0.0, prices: 0.0, forces: 0.0 },
        }
    }

    /// Aims so many tolerances inside the bounds.
    pub fn aim(&mut self, inside: f64) {
        self.dual.iter_mut().flat_map(|row| &mut row.bounds).for_each(|bound| bound.aim(inside));
    }

    /// Steps of such sizes from here on.
    pub fn size(&mut self, sizes: &Sizes) {
        self.sizes = *sizes;
    }

    /// Steps towards the cheapest ground, by a scale that is measured in the end.
    pub fn cheapen(&mut self, scale: &mut Scale, steps: u64, work: &mut Work<'_>) -> Result<(), Cancelled> {
        let rounds = if scale.measured { 1 } else { ROUNDS };
        for _ in 0..rounds {
            self.size(&scale.cheapening());
            for _ in 0..steps.div_ceil(rounds.min(4)) {
                self.step();
                work.step(self.width * self.height)?;
            }
            scale.measure(self);
        }
        Ok(())
    }

    /// More steps of that kind, by the scale as it is: so forces grow where paths are steep for long while that costs little.
    pub fn settle(&mut self, scale: &Scale, steps: u64, work: &mut Work<'_>) -> Result<(), Cancelled> {
        self.size(&scale.cheapening());
        for _ in 0..steps {
            self.step();
            work.step(self.width * self.height)?;
        }
        Ok(())
    }

    /// A step. Rows by themselves, each from its own and those beside it: the same bits on any number of threads.
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
            primal.par_iter_mut().enumerate().with_min_len(ROWS).for_each(step);
        }
        let (primal, dual) = (&self.primal, &mut self.dual[1..=height]);
        let step = |(above, row): (usize, &mut Dual)| {
            let around = [&primal[above], &primal[above + 1], &primal[above + 2]];
            row.step(sizes, &around[1].spans, around);
        };
        if is_small {
            dual.iter_mut().enumerate().for_each(step);
        } else {
            dual.par_iter_mut().enumerate().with_min_len(ROWS).for_each(step);
        }
    }

    /// The roots of the sums of squares of what heights moved by, flows, prices and forces.
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

    /// Heights where earth has a price or the height is given; elsewhere what the flows leave. What the two lack or have too much of is spread
    /// over all samples, which leaves slopes as they are; with given heights over those whose slopes do not count, unless these are
    /// so few that the lack would be seen there.
    pub fn write(&self, before: &Field, field: &mut Field) {
        let spacing = before.domain.spacing;
        let (mut lack, mut loose) = (0.0, 0);
        for (at, height) in field.heights.iter_mut().enumerate() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            let (row, above) = (&self.primal[y], &self.primal[y - 1]);
            let out = row.right[x] - row.right[x - 1] + row.down[x] - above.down[x];
            let left = before.heights[at] - out * spacing;
            if self.dual[y].weights[x] > 0.0 {
                *height = row.heights[x] * spacing;
                lack += left - *height;
            } else {
                *height = left;
                loose += 1;
            }
        }
        let given: usize = self.primal.iter().map(|row| row.given().count()).sum();
        if given == 0 {
            let share = lack / field.heights.len() as f64;
            field.heights.iter_mut().for_each(|height| *height += share);
            return;
        }
        let (loose, priced) = (loose - given, field.heights.len() - loose);
        let share = if loose * FEW < priced { 0.0 } else { lack / loose as f64 };
        for (at, height) in field.heights.iter_mut().enumerate() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            if self.dual[y].weights[x] == 0.0 {
                *height += share;
            }
        }
        for (y, row) in self.primal.iter().enumerate() {
            for at in row.given().map(|x| (y - 1) * self.width + x - 1) {
                field.heights[at] = before.heights[at];
            }
        }
    }
}
