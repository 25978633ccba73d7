//! The ground and the bounds on its slopes, at one resolution.

use crate::relax::constraint::Constraint;
use crate::relax::field::{Field, steepest};

/// How steep the ground may be at a sample, rise over run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// In any direction.
    pub any: f64,
    /// Along a direction, a unit vector.
    pub along: Option<([f64; 2], f64)>,
    /// How much steeper is near enough.
    pub tolerance: f64,
    /// How steep the ground was, where it may stay so: aiming inside the limit does not ask for less.
    pub before: Option<f64>,
}

/// Ground and bounds.
pub struct Level {
    pub width: usize,
    pub height: usize,
    /// Heights in spacings, so that differences are slopes.
    pub heights: Vec<f64>,
    /// What binds each sample.
    pub bounds: Vec<Option<Limits>>,
    /// The lowest and the highest that heights may be.
    pub range: (f64, f64),
    /// The most that earth can cost, in spacings: for so much it is made or taken away.
    pub dearest: f64,
    /// Whether a sample's height is given, and so stays what it is.
    pub given: Vec<bool>,
    /// On coarser ground, how steep the ground may be in any direction at samples whose height is given;
    /// infinite at others.
    pub beside_given: Option<Vec<f64>>,
}

/// Earth that costs less than moving it by so many samples twice is seldom moved at all, so that it may as
/// well cost as much: prices that are smaller yet are found in many more steps.
const CHEAPEST: f64 = 2.0;

/// Ground whose shorter side has no more samples is not made coarser.
const SMALLEST: usize = 16;

/// The height of each sample where one is given.
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
    /// The whole of a field, which has the heights that are given; bounds on other things than slopes are
    /// left out.
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
            let least_most = |(low, high): (f64, f64), &h: &f64| (low.min(h), high.max(h));
            heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), least_most)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        };
        let given: Vec<bool> = given.iter().map(Option::is_some).collect();
        let cost = creation_cost.or_else(|| {
            // Where heights are given earth is made and taken: else the few samples that nothing binds would
            // take all that these make or take.
            given.contains(&true).then(|| 2.0 * spacing * width.max(height) as f64)
        });
        let dearest = cost.map_or(f64::INFINITY, |cost| (cost / spacing).max(CHEAPEST));
        Self { width, height, heights, bounds, range, dearest, given, beside_given: None }
    }

    /// Half as many samples along each side, each with its own bound and the mean of the heights around it,
    /// or its own height if that is given. Then nothing binds its slopes: those to the next given heights,
    /// twice as far away, may well be too steep, and a force against that would grow for ever.
    pub fn coarser(&self) -> Option<Self> {
        if self.width.min(self.height) <= SMALLEST {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let places = || (0..height).flat_map(|y| (0..width).map(move |x| (2 * x, 2 * y)));
        let sources: Vec<Option<usize>> = places().map(|place| self.given_at(place)).collect();
        let heights = places().zip(&sources).map(|(place, source)| {
            let height = source.map_or_else(|| self.mean_around(place), |at| self.heights[at]);
            height / 2.0
        });
        let heights: Vec<f64> = heights.collect();
        let bound = |(at, ((x, y), source)): (usize, ((usize, usize), &Option<usize>))| match source {
            Some(_) => None,
            None => {
                self.bounds[y * self.width + x].map(|limits| limits.coarser(&heights, (width, height), at))
            }
        };
        let bounds = places().zip(&sources).enumerate().map(bound).collect();
        let given = sources.iter().map(Option::is_some).collect();
        let range = (self.range.0 / 2.0, self.range.1 / 2.0);
        let dearest = (self.dearest / 2.0).max(CHEAPEST);
        let beside = |source: &Option<usize>| source.map_or(f64::INFINITY, |at| self.limit_at(at));
        let beside_given = Some(sources.iter().map(beside).collect());
        Some(Self { width, height, heights, bounds, range, dearest, given, beside_given })
    }

    /// Where the height of a coarser sample is given: at its place, or on the last column or row next to it
    /// if the number of those is even, since then that border has no place of its own on coarser ground.
    fn given_at(&self, (x, y): (usize, usize)) -> Option<usize> {
        let last_x = if x + 2 == self.width { x + 1 } else { x };
        let last_y = if y + 2 == self.height { y + 1 } else { y };
        let near = [(x, y), (last_x, y), (x, last_y), (last_x, last_y)];
        near.into_iter().map(|(x, y)| y * self.width + x).find(|&at| self.given[at])
    }

    /// The mean of nine heights, nearer ones for more, or of those that there are.
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

    /// In which quadrants around a sample its bound can be met: right and down, left and down, right and up,
    /// left and up. Some do not exist; where given heights alone exceed a bound nothing helps. On coarser
    /// ground a given height that is not bound as strictly lies beyond what is: there ground may be steeper
    /// on the way to it.
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

    /// Whether heights that are not given can bring a quadrant within its bound.
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
            // In the midst of both, along the diagonal.
            (false, [true, true]) => rise(sides[0], sides[1]) / std::f64::consts::SQRT_2,
            _ => return true,
        };
        bound.along.is_some() || steepest <= bound.any
    }

    /// How steep the ground may be in any direction at a sample.
    fn limit_at(&self, at: usize) -> f64 {
        match &self.beside_given {
            Some(beside) => beside[at],
            None => self.bounds[at].map_or(f64::INFINITY, |limits| limits.any),
        }
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
    /// The same for ground of twice the spacing: where ground may stay as steep as it was, that holds for the
    /// coarser ground too.
    fn coarser(mut self, heights: &[f64], size: (usize, usize), at: usize) -> Self {
        if self.before.is_some() {
            let before = steepest(heights, size, at);
            self.before = Some(before);
            self.any = self.any.max(before);
        }
        self
    }

    /// Whether they ask for nothing flatter than the ground was.
    pub fn keeps(&self) -> bool {
        self.before.is_some() && self.along.is_none()
    }
}
