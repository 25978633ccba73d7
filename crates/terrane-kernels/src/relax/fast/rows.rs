//! The unknowns, row by row, and a step of the primal-dual method.

use rayon::prelude::*;

use super::Work;
use super::level::Level;
use super::scale::{Scale, Sizes};
use crate::Cancelled;
use crate::relax::field::Field;

/// By how much more than itself each move is made.
const RELAX: f64 = 1.8;

/// Rounds of steps on the coarsest ground, after each of which the scale is measured anew.
const ROUNDS: u64 = 8;

/// Rows that one thread takes at a time.
const ROWS: usize = 8;

/// Ground of fewer samples is not worth a second thread.
const SMALL: usize = 1 << 13;

/// Heights and flows of a row with a margin of one sample. `_next` is as far ahead as the step went once more: what the other half of the
/// step looks at.
pub struct Primal {
    pub heights: Vec<f64>,
    heights_next: Vec<f64>,
    /// Flows to the next sample along x.
    pub right: Vec<f64>,
    right_next: Vec<f64>,
    /// Flows to the next sample along y.
    pub down: Vec<f64>,
    down_next: Vec<f64>,
    /// Ranges of samples where anything moves: elsewhere the ground stays.
    spans: Vec<(usize, usize)>,
}

/// Prices and forces of a row.
pub struct Dual {
    pub prices: Vec<f64>,
    /// 1 where a bound's slopes depend on the sample; else 0: earth has no price there, since any amount may lie.
    pub weights: Vec<f64>,
    /// Heights before.
    before: Vec<f64>,
    pub bounds: Vec<Bound>,
    /// Along x and y, for each quadrant.
    pub forces: Vec<[f64; 8]>,
    /// The forces of each sample's quadrants on the slopes to the right, left, below and above, added up.
    on: [Vec<f64>; 4],
}

/// What binds a sample.
#[derive(Clone, Copy)]
pub struct Bound {
    pub x: usize,
    /// The bound to aim at.
    slope: f64,
    /// The bound, and what it may be exceeded by.
    given: (f64, f64),
    pub direction: Option<[f64; 2]>,
    /// Which quadrants exist: right and down, left and down, right and up, left and up.
    quadrants: [bool; 4],
}

impl Bound {
    /// Forces where quadrants exist, along the direction if there is one.
    pub fn allowed(&self, mut forces: [f64; 8]) -> [f64; 8] {
        for (force, exists) in forces.chunks_exact_mut(2).zip(self.quadrants) {
            let [dx, dy] = self.direction.unwrap_or_default();
            let along = force[0] * dx + force[1] * dy;
            match self.direction {
                _ if !exists => force.fill(0.0),
                Some(_) => force.copy_from_slice(&[along * dx, along * dy]),
                None => {}
            }
        }
        forces
    }

    /// What of a force is left when what the bound bears is taken from it: nothing where the slope is within the bound.
    #[inline]
    fn beyond(&self, [x, y]: [f64; 2], size: f64) -> [f64; 2] {
        let most = size * self.slope;
        if let Some([dx, dy]) = self.direction {
            let along = x * dx + y * dy;
            let left = along - along.max(-most).min(most);
            [left * dx, left * dy]
        } else {
            let length = (x * x + y * y).sqrt();
            let part = if length > most { 1.0 - most / length } else { 0.0 };
            [x * part, y * part]
        }
    }
}

impl Primal {
    /// Whether earth can move from the sample to the next ones.
    pub fn moves(&self, x: usize) -> bool {
        self.spans.iter().any(|&(from, to)| (from..to).contains(&x))
    }

    /// Heights go against the price and the forces on them; flows from cheap to dear as soon as that pays for the way.
    fn step(&mut self, sizes: &Sizes, [above, here, below]: [&Dual; 3], is_last: bool) {
        for &(from, to) in &self.spans {
            let count = to - from;
            let prices = &here.prices[from..=to];
            let [right, left, down, up] = &here.on;
            let (right, left) = (&right[from - 1..to], &left[from..=to]);
            let (down, up) = (&down[from..to], &up[from..to]);
            let (above_down, below_up) = (&above.on[2][from..to], &below.on[3][from..to]);
            let (heights, next) = (&mut self.heights[from..to], &mut self.heights_next[from..to]);
            for x in 0..count {
                let along_x = right[x] - right[x + 1] + (left[x] - left[x + 1]);
                let along_y = above_down[x] - down[x] + (up[x] - below_up[x]);
                let by = -sizes.heights * (prices[x] + along_x + along_y);
                next[x] = heights[x] + 2.0 * by;
                heights[x] += RELAX * by;
            }
            let width = here.prices.len() - 2;
            let inner = to.min(width) - from;
            let (flows, next) = (&mut self.right[from..to], &mut self.right_next[from..to]);
            shift(&mut flows[..inner], &mut next[..inner], &prices[..inner], &prices[1..], sizes.flows);
            if !is_last {
                let (flows, next) = (&mut self.down[from..to], &mut self.down_next[from..to]);
                shift(flows, next, prices, &below.prices[from..to], sizes.flows);
            }
        }
    }
}

/// Flows along one axis.
#[inline]
fn shift(flows: &mut [f64], next: &mut [f64], here: &[f64], there: &[f64], size: f64) {
    for (((flow, next), here), there) in flows.iter_mut().zip(next).zip(here).zip(there) {
        let pushed = *flow - size * (here - there);
        let by = pushed - pushed.max(-size).min(size) - *flow;
        *next = *flow + 2.0 * by;
        *flow += RELAX * by;
    }
}

impl Dual {
    /// Prices rise where there is too much earth; forces where it is too steep.
    fn step(&mut self, sizes: &Sizes, spans: &[(usize, usize)], [above, here, below]: [&Primal; 3]) {
        let size = RELAX * sizes.prices;
        for &(from, to) in spans {
            let (prices, weights) = (&mut self.prices[from..to], &self.weights[from..to]);
            let (heights, before) = (&here.heights_next[from..to], &self.before[from..to]);
            let (right, down) = (&here.right_next[from - 1..to], &here.down_next[from..to]);
            let above_down = &above.down_next[from..to];
            for x in 0..to - from {
                let out = right[x + 1] - right[x] + (down[x] - above_down[x]);
                prices[x] += size * weights[x] * (heights[x] - before[x] + out);
            }
        }
        for index in 0..self.bounds.len() {
            let (bound, forces) = (&self.bounds[index], &mut self.forces[index]);
            let (x, height) = (bound.x, here.heights_next[bound.x]);
            let (right, left) = (here.heights_next[x + 1] - height, height - here.heights_next[x - 1]);
            let (down, up) = (below.heights_next[x] - height, height - above.heights_next[x]);
            let slopes = [[right, down], [left, down], [right, up], [left, up]];
            for quadrant in (0..4).filter(|&quadrant| bound.quadrants[quadrant]) {
                let (old, slope) = ([forces[2 * quadrant], forces[2 * quadrant + 1]], slopes[quadrant]);
                let pushed = [old[0] + sizes.forces * slope[0], old[1] + sizes.forces * slope[1]];
                let new = bound.beyond(pushed, sizes.forces);
                forces[2 * quadrant] = old[0] + RELAX * (new[0] - old[0]);
                forces[2 * quadrant + 1] = old[1] + RELAX * (new[1] - old[1]);
            }
            self.gather(index);
        }
    }

    /// Adds up a sample's forces by sides.
    #[inline]
    pub fn gather(&mut self, index: usize) {
        let ([a, b, c, d, e, f, g, h], x) = (self.forces[index], self.bounds[index].x);
        self.on[0][x] = a + e;
        self.on[1][x] = c + g;
        self.on[2][x] = b + d;
        self.on[3][x] = f + h;
    }
}

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
        let (width, height) = (level.width, level.height);
        let bound = |x: usize, y: usize| {
            let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
            if inside { level.bounds[(y - 1) * width + x - 1] } else { None }
        };
        let is_touched = |x: usize, y: usize| {
            let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
            let near = [(x, y), (x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            inside && near.into_iter().any(|(x, y)| bound(x, y).is_some())
        };
        let moves = |x: usize, y: usize| {
            let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
            inside && (is_touched(x, y) || is_touched(x + 1, y) || is_touched(x, y + 1))
        };
        let empty = || vec![0.0; width + 2];
        let heights = |y: usize| {
            let mut row = empty();
            if (1..=height).contains(&y) {
                row[1..=width].copy_from_slice(&level.heights[(y - 1) * width..y * width]);
            }
            row
        };
        let primal = |y: usize| Primal {
            heights: heights(y),
            heights_next: heights(y),
            right: empty(),
            right_next: empty(),
            down: empty(),
            down_next: empty(),
            spans: spans((0..width + 2).map(|x| moves(x, y))),
        };
        let dual = |y: usize| {
            let bounds: Vec<Bound> = (1..=width)
                .filter_map(|x| {
                    let given = bound(x, y)?;
                    let [right, left, down, up] = [x < width, x > 1, y < height, y > 1];
                    Some(Bound {
                        x,
                        slope: given.slope,
                        given: (given.slope, given.tolerance),
                        direction: given.direction,
                        quadrants: [right && down, left && down, right && up, left && up],
                    })
                })
                .collect();
            Dual {
                prices: empty(),
                weights: (0..width + 2).map(|x| f64::from(u8::from(is_touched(x, y)))).collect(),
                before: heights(y),
                forces: vec![[0.0; 8]; bounds.len()],
                bounds,
                on: [empty(), empty(), empty(), empty()],
            }
        };
        Self {
            width,
            height,
            primal: (0..height + 2).map(primal).collect(),
            dual: (0..height + 2).map(dual).collect(),
            sizes: Sizes { heights: 0.0, flows: 0.0, prices: 0.0, forces: 0.0 },
        }
    }

    /// Aims so many tolerances inside the bounds, but for a thirtieth of them at most.
    pub fn aim(&mut self, inside: f64) {
        for bound in self.dual.iter_mut().flat_map(|row| &mut row.bounds) {
            let (slope, tolerance) = bound.given;
            bound.slope = (slope - inside * tolerance).max(slope * (1.0 - 1.0 / 30.0));
        }
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

    /// Heights where slopes are bound; elsewhere what the flows leave. What the two lack or have too much of is spread over all samples,
    /// which leaves slopes as they are.
    pub fn write(&self, before: &Field, field: &mut Field) {
        let spacing = before.domain.spacing;
        for (at, height) in field.heights.iter_mut().enumerate() {
            let (x, y) = (at % self.width + 1, at / self.width + 1);
            let (row, above) = (&self.primal[y], &self.primal[y - 1]);
            let out = row.right[x] - row.right[x - 1] + row.down[x] - above.down[x];
            let is_bound = self.dual[y].weights[x] > 0.0;
            *height = if is_bound { row.heights[x] * spacing } else { before.heights[at] - out * spacing };
        }
        let lack: f64 = before.heights.iter().zip(&field.heights).map(|(before, now)| before - now).sum();
        let share = lack / field.heights.len() as f64;
        field.heights.iter_mut().for_each(|height| *height += share);
    }
}

/// Ranges where something holds.
fn spans(holds: impl Iterator<Item = bool>) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for x in holds.enumerate().filter_map(|(x, holds)| holds.then_some(x)) {
        match spans.last_mut() {
            Some((_, to)) if *to == x => *to = x + 1,
            _ => spans.push((x, x + 1)),
        }
    }
    spans
}
