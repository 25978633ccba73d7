//! The ground and the bounds on its slopes, at one resolution.

use crate::relax::constraint::Constraint;
use crate::relax::field::{Field, steepest};

/// Slope limits at a sample, rise over run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// In any direction.
    pub any: f64,
    /// Along a direction: the direction as a unit vector, and the limit.
    pub along: Option<([f64; 2], f64)>,
    /// The accepted excess.
    pub tolerance: f64,
    /// The original slope, where ground may keep it: aiming inside the limit does not go below this.
    pub before: Option<f64>,
}

/// Ground and bounds.
pub struct Level {
    pub width: usize,
    pub height: usize,
    /// Heights in spacings, so that differences are slopes.
    pub heights: Vec<f64>,
    /// The bounds of each sample.
    pub bounds: Vec<Option<Limits>>,
    /// The minimum and maximum of heights.
    pub range: (f64, f64),
    /// The maximum price of earth, in spacings: at this price it is created or removed.
    pub max_price: f64,
    /// Whether a sample's height is prescribed and so fixed.
    pub given: Vec<bool>,
    /// On coarser ground, the slope limits in any direction at samples with prescribed heights; infinite at
    /// others.
    pub beside_given: Option<Vec<f64>>,
}

/// The minimum of the price at which earth is created or removed, in spacings. At this price earth is hardly
/// ever moved: to create and to remove it costs no more than to move it by twice this many samples. A lower
/// price would change little, but take many more steps to find.
const CHEAPEST: f64 = 2.0;

/// Ground whose shorter side has at most this many samples is not made coarser.
const SMALLEST: usize = 16;

/// The prescribed height of each sample, if any.
pub fn given_heights(samples: usize, constraints: &[Box<dyn Constraint>]) -> Vec<Option<f64>> {
    let mut given = vec![None; samples];
    for constraint in constraints {
        for (index, &at) in constraint.samples().iter().enumerate() {
            if let Some(height) = constraint.given_height(index) {
                given[at as usize] = Some(height);
            }
        }
    }
    given
}

impl Level {
    /// The finest level of a field that already has the prescribed heights; constraints other than slope
    /// bounds are ignored.
    pub fn new(
        field: &Field,
        constraints: &[Box<dyn Constraint>],
        given: &[Option<f64>],
        creation_cost: Option<f64>,
    ) -> Self {
        let ((width, height), spacing) = (field.domain.size, field.domain.spacing);
        let heights: Vec<f64> = field.heights.iter().map(|height| height / spacing).collect();
        let mut bounds: Vec<Option<Limits>> = vec![None; heights.len()];
        for constraint in constraints {
            for (index, &at) in constraint.samples().iter().enumerate() {
                let Some(bound) = constraint.slope_bound(index) else { continue };
                let limits = bounds[at as usize].get_or_insert(Limits {
                    any: f64::INFINITY,
                    along: None,
                    tolerance: bound.tolerance,
                    before: None,
                });
                match bound.direction {
                    Some(direction) => limits.along = Some((direction, bound.slope)),
                    None => {
                        limits.any = limits.any.min(bound.slope);
                        if bound.keeps {
                            limits.before = Some(steepest(&heights, (width, height), at as usize));
                        }
                    }
                }
            }
        }
        let range = if bounds.iter().flatten().any(|limits| limits.before.is_some()) {
            let extremes = |(low, high): (f64, f64), &h: &f64| (low.min(h), high.max(h));
            heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), extremes)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        };
        let given: Vec<bool> = given.iter().map(Option::is_some).collect();
        let cost = creation_cost.or_else(|| {
            // If heights are prescribed, earth is created and removed: otherwise the few samples without
            // bounds would absorb the whole surplus or deficit.
            given.contains(&true).then(|| 2.0 * spacing * width.max(height) as f64)
        });
        let max_price = cost.map_or(f64::INFINITY, |cost| (cost / spacing).max(CHEAPEST));
        Self { width, height, heights, bounds, range, max_price, given, beside_given: None }
    }

    /// The level with half as many samples along each side. Each sample has its own bound and the weighted
    /// mean of the heights around it, or its own height if that is prescribed. A sample with a prescribed
    /// height has no bound. Slopes to the next prescribed heights, twice as far away, may be too steep, and a
    /// force against them would grow forever.
    pub fn coarser(&self) -> Option<Self> {
        if self.width.min(self.height) <= SMALLEST {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let positions = || (0..height).flat_map(|y| (0..width).map(move |x| (2 * x, 2 * y)));
        let sources: Vec<Option<usize>> = positions().map(|position| self.given_at(position)).collect();
        let heights = positions().zip(&sources).map(|(position, source)| {
            let height = source.map_or_else(|| self.mean_around(position), |at| self.heights[at]);
            height / 2.0
        });
        let heights: Vec<f64> = heights.collect();
        let bound = |(at, ((x, y), source)): (usize, ((usize, usize), &Option<usize>))| match source {
            Some(_) => None,
            None => {
                self.bounds[y * self.width + x].map(|limits| limits.coarser(&heights, (width, height), at))
            }
        };
        let bounds = positions().zip(&sources).enumerate().map(bound).collect();
        let given = sources.iter().map(Option::is_some).collect();
        let range = (self.range.0 / 2.0, self.range.1 / 2.0);
        let max_price = (self.max_price / 2.0).max(CHEAPEST);
        let beside = |source: &Option<usize>| source.map_or(f64::INFINITY, |at| self.limit_at(at));
        let beside_given = Some(sources.iter().map(beside).collect());
        Some(Self { width, height, heights, bounds, range, max_price, given, beside_given })
    }

    /// The sample whose prescribed height a coarser sample takes: usually the one at its position. If the
    /// number of columns or rows is even, the last column or row has no sample on coarser ground. Then the
    /// coarser sample next to it may also take a height prescribed there.
    fn given_at(&self, (x, y): (usize, usize)) -> Option<usize> {
        let last_x = if x + 2 == self.width { x + 1 } else { x };
        let last_y = if y + 2 == self.height { y + 1 } else { y };
        let near = [(x, y), (last_x, y), (x, last_y), (last_x, last_y)];
        near.into_iter().map(|(x, y)| y * self.width + x).find(|&at| self.given[at])
    }

    /// The mean of up to nine heights, with larger weights for nearer ones.
    fn mean_around(&self, (x, y): (usize, usize)) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for row in y.saturating_sub(1)..(y + 2).min(self.height) {
            for column in x.saturating_sub(1)..(x + 2).min(self.width) {
                let weight = if row == y { 2.0 } else { 1.0 } * if column == x { 2.0 } else { 1.0 };
                sum += weight * self.heights[row * self.width + column];
                weights += weight;
            }
        }
        sum / weights
    }

    /// The quadrants around a sample in which its bound can be met: right and down, left and down, right and
    /// up, left and up. Some quadrants do not exist. Where prescribed heights alone exceed a bound, no move
    /// can meet the bound. On coarser ground, quadrants with a prescribed height whose own bound is weaker
    /// are excluded: the ground on the way to it may be steeper.
    pub fn quadrants(&self, at: usize, bound: &Limits) -> [bool; 4] {
        let (x, y) = (at % self.width, at / self.width);
        let right = (x + 1 < self.width).then_some(at + 1);
        let left = (x > 0).then(|| at - 1);
        let down = (y + 1 < self.height).then_some(at + self.width);
        let up = (y > 0).then(|| at - self.width);
        [(right, down), (left, down), (right, up), (left, up)].map(|sides| match sides {
            (Some(beside), Some(below)) => self.can_bend(at, [beside, below], bound),
            _ => false,
        })
    }

    /// Whether moving free heights can bring a quadrant within its bound.
    fn can_bend(&self, at: usize, sides: [usize; 2], bound: &Limits) -> bool {
        if let Some(beside) = &self.beside_given {
            let is_farther = |at: usize| self.given[at] && beside[at] > bound.any;
            if is_farther(at) || sides.into_iter().any(is_farther) {
                return false;
            }
        }
        let rise = |from: usize, to: usize| (self.heights[to] - self.heights[from]).abs();
        let steepest = match (self.given[at], sides.map(|side| self.given[side])) {
            (true, [true, true]) => return false,
            (true, [true, false]) => rise(at, sides[0]),
            (true, [false, true]) => rise(at, sides[1]),
            // The slope is smallest if the free height is midway between the two prescribed ones.
            (false, [true, true]) => rise(sides[0], sides[1]) / std::f64::consts::SQRT_2,
            _ => return true,
        };
        bound.along.is_some() || steepest <= bound.any
    }

    /// The slope limit in any direction at a sample.
    fn limit_at(&self, at: usize) -> f64 {
        match &self.beside_given {
            Some(beside) => beside[at],
            None => self.bounds[at].map_or(f64::INFINITY, |limits| limits.any),
        }
    }

    /// Whether there are banks: whether ground may not leave the range that it has.
    pub fn has_banks(&self) -> bool {
        self.range.0.is_finite()
    }

    /// The mean slope along x and y where the ground is bound.
    pub fn mean_slope(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for at in (0..self.heights.len()).filter(|&at| self.bounds[at].is_some()) {
            let here = self.heights[at];
            let right = (at % self.width + 1 < self.width).then(|| at + 1);
            let below = (at + self.width < self.heights.len()).then_some(at + self.width);
            for next in right.into_iter().chain(below) {
                sum += (self.heights[next] - here).abs();
                count += 1.0;
            }
        }
        sum / f64::max(count, 1.0)
    }
}

impl Limits {
    /// The limits for ground of twice the spacing: where ground may stay as steep as it was, the same holds
    /// on the coarser ground.
    fn coarser(mut self, heights: &[f64], size: (usize, usize), at: usize) -> Self {
        if self.before.is_some() {
            let before = steepest(heights, size, at);
            self.before = Some(before);
            self.any = self.any.max(before);
        }
        self
    }

    /// Whether these limits do not require flatter ground than before.
    pub fn keeps(&self) -> bool {
        self.before.is_some() && self.along.is_none()
    }
}
