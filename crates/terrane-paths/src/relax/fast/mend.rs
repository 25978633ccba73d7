//! Local sweeps where bounds are missed.

use super::flows::Flows;
use crate::Cancelled;
use crate::relax::constraint::{Constraint, SlopeBound};
use crate::relax::field::Field;

/// How mending ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mended {
    /// No bound is missed any more.
    All,
    /// Some bounds are missed, and the budget is used up.
    Some,
}

/// The bounds on each sample's slopes, for local sweeps.
pub struct Mender<'a> {
    constraints: &'a [Box<dyn Constraint>],
    /// Bound samples, with constraint and index in it, sorted.
    order: Vec<(u32, u32, u32)>,
    /// Number of bounds that require flatter ground than before.
    flattening: usize,
    /// Per sample, its start in `order`.
    first: Vec<u32>,
    given: &'a [Option<f64>],
}

/// The budget of sweeps that meet all bounds at once, in samples for each bound that requires flatter ground.
const BUDGET: usize = 3000;

/// The maximum of this budget.
const MOST: usize = 1_000_000;

/// Slopes that miss a bound are moved this many tolerances inside it.
const INSIDE: f64 = 2.0;

/// Slopes are moved to at least this part of a bound.
const LEAST: f64 = 29.0 / 30.0;

/// The samples that affect a sample's slopes, and those that affect its neighbours' slopes: two samples away
/// along the axes, one along diagonals.
const AROUND: [(isize, isize); 13] = [
    (0, -2),
    (-1, -1),
    (0, -1),
    (1, -1),
    (-2, 0),
    (-1, 0),
    (0, 0),
    (1, 0),
    (2, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (0, 2),
];

/// A set of samples: cheaper than a sorted list where most samples are marked many times.
struct Marks {
    words: Vec<u64>,
    /// The range of words that may have marks.
    range: (usize, usize),
}

impl Marks {
    fn new(samples: usize) -> Self {
        Self { words: vec![0; samples.div_ceil(64)], range: (usize::MAX, 0) }
    }

    fn mark(&mut self, at: usize) {
        let word = at / 64;
        self.words[word] |= 1 << (at % 64);
        self.range = (self.range.0.min(word), self.range.1.max(word));
    }

    /// Moves all samples to a list, sorted.
    fn take(&mut self, samples: &mut Vec<u32>) {
        samples.clear();
        for word in self.range.0..=self.range.1 {
            let mut marks = std::mem::take(&mut self.words[word]);
            while marks != 0 {
                samples.push((64 * word) as u32 + marks.trailing_zeros());
                marks &= marks - 1;
            }
        }
        self.range = (usize::MAX, 0);
    }
}

impl<'a> Mender<'a> {
    /// A mender for a field that already has the prescribed heights.
    pub fn new(constraints: &'a [Box<dyn Constraint>], given: &'a [Option<f64>]) -> Self {
        let (mut order, mut flattening) = (Vec::new(), 0);
        for (number, constraint) in constraints.iter().enumerate() {
            let samples = constraint.samples().iter().enumerate();
            for (index, &at) in samples {
                if let Some(bound) = constraint.slope_bound(index) {
                    order.push((at, number as u32, index as u32));
                    flattening += usize::from(!bound.keeps);
                }
            }
        }
        order.sort_unstable();
        let mut first = vec![0; given.len() + 1];
        order.iter().for_each(|&(at, ..)| first[at as usize + 1] += 1);
        for at in 0..given.len() {
            first[at + 1] += first[at];
        }
        Self { constraints, order, flattening, first, given }
    }

    /// The number of bounds that require flatter ground than before.
    pub fn flattening(&self) -> usize {
        self.flattening
    }

    /// The budget of sweeps that meet all bounds at once, in samples. They take about as long as the steps
    /// that they replace.
    pub fn budget(&self) -> usize {
        (BUDGET * self.flattening).min(MOST)
    }

    /// The samples where a bound is missed, sorted, and the sum of excesses.
    pub fn missed(&self, field: &Field) -> (Vec<u32>, f64) {
        let (mut samples, mut sum) = (Vec::new(), 0.0);
        for &(at, constraint, index) in &self.order {
            let excess = self.constraints[constraint as usize].excess(field, index as usize);
            if excess > 0.0 {
                samples.push(at);
                sum += excess;
            }
        }
        samples.dedup();
        (samples, sum)
    }

    /// Sweeps over the given samples, then over those around moved ones, until nothing moves or `budget`
    /// samples have been visited.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn mend(
        &self,
        (field, flows): (&mut Field, &mut Flows),
        mut samples: Vec<u32>,
        mut budget: usize,
        progress: &mut dyn FnMut() -> Result<(), Cancelled>,
    ) -> Result<Mended, Cancelled> {
        let shape = field.shape();
        let mut next = Marks::new(field.heights.len());
        while !samples.is_empty() {
            if budget < samples.len() {
                return Ok(Mended::Some);
            }
            progress()?;
            budget -= samples.len();
            for &at in samples.iter().filter(|&&at| self.relax(field, flows, at as usize)) {
                let position = shape.position(at as usize);
                AROUND.iter().filter_map(|&by| shape.inside(position, by)).for_each(|at| next.mark(at));
            }
            next.take(&mut samples);
        }
        Ok(Mended::All)
    }

    /// Moves a sample within its bounds. Returns whether it was outside them. Prescribed heights are
    /// restored, so a slope to a prescribed height approaches its bound only half as fast as others. It still
    /// reaches the bound, since the sample is visited again.
    fn relax(&self, field: &mut Field, flows: &mut Flows, at: usize) -> bool {
        let bounds = &self.order[self.first[at] as usize..self.first[at + 1] as usize];
        let mut moved = false;
        for &(_, constraint, index) in bounds {
            let (constraint, index) = (&self.constraints[constraint as usize], index as usize);
            let Some(bound) = constraint.slope_bound(index) else { continue };
            if constraint.excess(field, index) > 0.0 {
                bend(field, flows, at, &bound);
                moved = true;
            }
        }
        if moved {
            let (shape, sides) = (field.shape(), [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]);
            let position = shape.position(at);
            for at in sides.into_iter().filter_map(|by| shape.inside(position, by)) {
                if let Some(height) = self.given[at] {
                    field.heights[at] = height;
                }
            }
        }
        moved
    }
}

/// Moves the slopes of each quadrant that exceeds the bound to some tolerances inside the bound. So fewer
/// samples around must be visited again.
fn bend(field: &mut Field, flows: &mut Flows, at: usize, bound: &SlopeBound) {
    let ((width, height), spacing) = (field.domain.size, field.domain.spacing);
    let (x, y) = (at % width, at / width);
    let aim = (bound.slope - INSIDE * bound.tolerance).max(bound.slope * LEAST);
    let across = [(x + 1 < width).then_some((at + 1, 1.0)), (x > 0).then(|| (at - 1, -1.0))];
    let along = [(y + 1 < height).then_some((at + width, 1.0)), (y > 0).then(|| (at - width, -1.0))];
    for (beside, sign) in along.into_iter().flatten() {
        for (side, turn) in across.into_iter().flatten() {
            let rises = [field.heights[side] - field.heights[at], field.heights[beside] - field.heights[at]];
            let slopes = [rises[0] * turn / spacing, rises[1] * sign / spacing];
            let steep = match bound.direction {
                Some([dx, dy]) => (slopes[0] * dx + slopes[1] * dy).abs(),
                None => (slopes[0] * slopes[0] + slopes[1] * slopes[1]).sqrt(),
            };
            if steep <= bound.slope {
                continue;
            }
            for (next, rise) in [side, beside].into_iter().zip(rises) {
                let by = (rise - rise * (aim / steep)) / 2.0;
                field.heights[at] += by;
                field.heights[next] -= by;
                flows.add(next, at, by);
            }
        }
    }
}
