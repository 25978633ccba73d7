//! All unknowns, and steps of the primal-dual method.

use crate::parallel::{elements, for_each, try_collect};
use rayon::prelude::*;

use super::dual::Dual;
use super::layout::Layout;
use super::level::Level;
use super::primal::Primal;
use super::region::Region;
use super::scale::{Scale, Sizes};
use super::work::Work;
use crate::relax::field::Field;
use crate::{Cancelled, Progress};

/// One sample takes what this many lack, at most.
const FEW: usize = 8;

/// Rounds of steps on the coarsest ground, after each of which the scale is measured anew.
const ROUNDS: u64 = 8;

/// Of the most that ground moves, what is no more than this part counts as nothing.
const SIGNIFICANT: f64 = 500.0;

/// Steps between looks at whether the ground has settled.
const LOOK: u64 = 50;

/// What slopes may exceed their bounds by, over these, where the ground has settled.
const SETTLED: f64 = 0.02;

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
    /// The lowest and the highest that heights may be.
    range: (f64, f64),
    /// The most that earth can cost.
    dearest: f64,
    /// Samples that may move.
    region: Vec<bool>,
}

impl State {
    /// Heights as they are, of which those of a region may move; nothing flows, nothing costs.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    pub fn new(level: &Level, region: &Region, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let (width, height, layout) = (level.width, level.height, Layout::new(level, region));
        let heights = |y: usize| {
            let mut row = vec![0.0; width + 2];
            if (1..=height).contains(&y) {
                row[1..=width].copy_from_slice(&level.heights[(y - 1) * width..y * width]);
            }
            row
        };
        progress.report(0.0)?;
        // Most of this is memory that is written to for the first time.
        let primal = try_collect(height + 2, ROWS, |y| {
            progress.report(0.0)?;
            Ok(Primal::new(y, &heights(y), level.range, &layout))
        })?;
        let dual = try_collect(height + 2, ROWS, |y| {
            progress.report(0.0)?;
            Ok(Dual::new(y, heights(y), level, &layout))
        })?;
        Ok(Self {
            width,
            height,
            primal,
            dual,
            sizes: Sizes { heights: 0.0, flows: 0.0, prices: 0.0, forces: 0.0 },
            range: level.range,
            dearest: level.dearest,
            region: region.samples().to_vec(),
        })
    }

    /// Aims so many tolerances inside the bounds, or a part of them if that is more.
    pub fn aim(&mut self, inside: (f64, f64)) {
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
            scale.measure(self.norms());
        }
        Ok(())
    }

    /// More steps of that kind, by the scale as it is: so forces grow where paths are steep for long while
    /// that costs little.
    pub fn settle(&mut self, scale: &Scale, steps: u64, work: &mut Work<'_>) -> Result<(), Cancelled> {
        self.size(&scale.cheapening());
        for step in 0..steps {
            if step % LOOK == 0 && self.excess() <= SETTLED {
                break;
            }
            self.step();
            work.step(self.width * self.height)?;
        }
        Ok(())
    }

    /// A step. Rows by themselves, each from its own and those beside it: the same bits on any number of
    /// threads.
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

    /// Samples that moved by more than a small part of the most, or where ground must become flatter than it
    /// was.
    pub fn moved(&self) -> Vec<bool> {
        let places = || (0..self.width * self.height).map(|at| (at % self.width + 1, at / self.width + 1));
        let by = |(x, y): (usize, usize)| (self.primal[y].heights[x] - self.dual[y].before[x]).abs();
        let least = places().map(by).fold(0.0, f64::max) / SIGNIFICANT;
        places().map(|(x, y)| !self.dual[y].keeps[x] || by((x, y)) > least).collect()
    }

    /// How far quadrants exceed the bounds that are aimed at, over these bounds, at most.
    pub fn excess(&self) -> f64 {
        let row = |y: usize| {
            let (above, here, below) = (&self.primal[y - 1], &self.primal[y], &self.primal[y + 1]);
            self.dual[y].excess([above, here, below])
        };
        (1..=self.height).into_par_iter().map(row).reduce(|| 0.0, f64::max)
    }

    /// What flows out of a sample to larger and smaller x and y.
    fn flows(&self, x: usize, y: usize) -> [f64; 4] {
        let (row, above) = (&self.primal[y], &self.primal[y - 1]);
        [row.right[x], -row.right[x - 1], row.down[x], -above.down[x]]
    }

    /// Lays what all heights together lack, or have too much of, over the region, level at its edge, so that
    /// slopes stay nearly as they are; unless earth can be made, or heights are given.
    pub fn level_out(&self, before: &Field, field: &mut Field) {
        let is_given = self.primal.iter().any(|row| row.given().next().is_some());
        if self.dearest.is_finite() || is_given {
            return;
        }
        let spacing = before.domain.spacing;
        let (low, high) = (self.range.0 * spacing, self.range.1 * spacing);
        let depth = depths(&self.region, field.domain.size);
        // What comes to the end of the range leaves some, which is laid out again where there is room: as
        // Newton would, over a sum of lines with a bend each.
        let mut first = None;
        for _ in 0..TIMES {
            let lack: f64 = before.heights.iter().zip(&field.heights).map(|(then, now)| then - now).sum();
            let negligible = 1e-12 * *first.get_or_insert(lack.abs());
            let has_room = |height: f64| if lack > 0.0 { height < high } else { height > low };
            let heights = field.heights.iter().zip(&depth);
            let room: f64 =
                heights.filter(|(height, _)| has_room(**height)).map(|(_, &depth)| f64::from(depth)).sum();
            if room == 0.0 || lack.abs() <= negligible {
                return;
            }
            let share = lack / room;
            for (height, &depth) in field.heights.iter_mut().zip(&depth).filter(|(_, depth)| **depth > 0) {
                *height = (*height + share * f64::from(depth)).max(low).min(high);
            }
        }
    }

    /// Writes the ground: heights where it may move, elsewhere those before; where earth has no price, what
    /// flows leave. What all heights together lack or have too much of is laid over the region, level at its
    /// edge, so that slopes stay nearly as they are; with given heights over samples whose slopes do not
    /// count, unless these are so few that it would be seen there. Where earth can be made nothing lacks.
    pub fn write(&self, before: &Field, field: &mut Field) {
        let spacing = before.domain.spacing;
        let (mut lack, mut loose) = (0.0, 0);
        for (at, height) in field.heights.iter_mut().enumerate() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            let [right, left, down, up] = self.flows(x, y);
            let stays = before.heights[at] - (right + left + (down + up)) * spacing;
            let is_priced = self.dual[y].weights[x] > 0.0;
            *height = match is_priced {
                true => self.primal[y].heights[x].max(self.range.0).min(self.range.1) * spacing,
                false if self.region[at] => stays,
                false => before.heights[at],
            };
            loose += usize::from(!is_priced);
            lack += stays - *height;
        }
        let given: usize = self.primal.iter().map(|row| row.given().count()).sum();
        if given == 0 {
            self.level_out(before, field);
            return;
        }
        let (loose, priced) = (loose - given, field.heights.len() - loose);
        let share = if self.dearest.is_finite() || loose * FEW < priced { 0.0 } else { lack / loose as f64 };
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

/// How many samples from the edge of a region each of its samples lies, at most [`LEVEL`]; 0 outside.
fn depths(region: &[bool], (width, height): (usize, usize)) -> Vec<u32> {
    let mut depth: Vec<u32> = region.iter().map(|&inside| if inside { LEVEL } else { 0 }).collect();
    let nearer = |depth: &[u32], at: usize, by: [Option<usize>; 2]| {
        by.into_iter().flatten().fold(depth[at], |nearest, next| nearest.min(depth[next] + 1))
    };
    for at in 0..depth.len() {
        let (x, y) = (at % width, at / width);
        depth[at] = nearer(&depth, at, [(x > 0).then(|| at - 1), (y > 0).then(|| at - width)]);
    }
    for at in (0..depth.len()).rev() {
        let (x, y) = (at % width, at / width);
        let (right, below) = ((x + 1 < width).then_some(at + 1), (y + 1 < height).then_some(at + width));
        depth[at] = nearer(&depth, at, [right, below]);
    }
    depth
}

/// How often what all heights lack is laid out.
const TIMES: u32 = 24;

/// Samples from its edge at which what moved takes as much of a lack as any.
const LEVEL: u32 = 32;
