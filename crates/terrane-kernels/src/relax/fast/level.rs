//! The ground and the bounds on its slopes, at one resolution.

use crate::relax::constraint::{Constraint, SlopeBound};
use crate::relax::field::Field;

/// Ground and bounds.
pub struct Level {
    pub width: usize,
    pub height: usize,
    /// Heights in spacings, so that differences are slopes.
    pub heights: Vec<f64>,
    /// What binds each sample.
    pub bounds: Vec<Option<SlopeBound>>,
    /// Whether a sample's height is given, and so stays what it is.
    pub given: Vec<bool>,
}

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
    /// The whole of a field, which has the heights that are given; bounds on other things than slopes are left out. Where both kinds of
    /// bounds bind a sample that on all directions stands here: the other is most often the looser one, and is seen to in the end.
    pub fn new(field: &Field, constraints: &[Box<dyn Constraint>], given: &[Option<f64>]) -> Self {
        let mut bounds: Vec<Option<SlopeBound>> = vec![None; field.heights.len()];
        for constraint in constraints {
            for (index, &at) in constraint.samples().iter().enumerate() {
                let Some(bound) = constraint.slope_bound(index) else { continue };
                let place = &mut bounds[at as usize];
                if place.is_none() || bound.direction.is_none() {
                    *place = Some(bound);
                }
            }
        }
        let ((width, height), spacing) = (field.domain.size, field.domain.spacing);
        let heights = field.heights.iter().map(|height| height / spacing).collect();
        Self { width, height, heights, bounds, given: given.iter().map(Option::is_some).collect() }
    }

    /// Half as many samples along each side, each with its own bound and the mean of the heights around it, or its own height if that is
    /// given. Then nothing binds its slopes: those to the next given heights, twice as far away, may well be too steep, and a force against
    /// that would grow for ever.
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
        let heights = heights.collect();
        let bound = |((x, y), source): ((usize, usize), &Option<usize>)| match source {
            Some(_) => None,
            None => self.bounds[y * self.width + x],
        };
        let bounds = places().zip(&sources).map(bound).collect();
        let given = sources.iter().map(Option::is_some).collect();
        Some(Self { width, height, heights, bounds, given })
    }

    /// Where the height of a coarser sample is given: at its place, or on the last column or row next to it if the number of those is even,
    /// since then that border has no place of its own on coarser ground.
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

    /// In which quadrants around a sample its bound can be met: right and down, left and down, right and up, left and up. Some do not exist; where
    /// given heights alone exceed a bound nothing helps.
    pub fn quadrants(&self, at: usize, bound: &SlopeBound) -> [bool; 4] {
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
    fn can_bend(&self, at: usize, sides: [usize; 2], bound: &SlopeBound) -> bool {
        let rise = |from: usize, to: usize| (self.heights[to] - self.heights[from]).abs();
        let steepest = match (self.given[at], sides.map(|side| self.given[side])) {
            (true, [true, true]) => return false,
            (true, [true, false]) => rise(at, sides[0]),
            (true, [false, true]) => rise(at, sides[1]),
            // In the midst of both, along the diagonal.
            (false, [true, true]) => rise(sides[0], sides[1]) / std::f64::consts::SQRT_2,
            _ => return true,
        };
        bound.direction.is_some() || steepest <= bound.slope
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
