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
}

/// Ground whose shorter side has no more samples is not made coarser.
const SMALLEST: usize = 16;

impl Level {
    /// The whole of a field's; nothing where something else than slopes is bound. Where both kinds of bounds bind a sample that on all
    /// directions stands here: the other is most often the looser one, and is seen to in the end.
    pub fn new(field: &Field, constraints: &[Box<dyn Constraint>]) -> Option<Self> {
        let mut bounds: Vec<Option<SlopeBound>> = vec![None; field.heights.len()];
        for constraint in constraints {
            for (index, &at) in constraint.samples().iter().enumerate() {
                let bound = constraint.slope_bound(index)?;
                let place = &mut bounds[at as usize];
                if place.is_none() || bound.direction.is_none() {
                    *place = Some(bound);
                }
            }
        }
        let ((width, height), spacing) = (field.domain.size, field.domain.spacing);
        let heights = field.heights.iter().map(|height| height / spacing).collect();
        Some(Self { width, height, heights, bounds })
    }

    /// How many samples are bound.
    pub fn bound(&self) -> usize {
        self.bounds.iter().flatten().count()
    }

    /// Half as many samples along each side, each with the mean of the heights around it and its own bound.
    pub fn coarser(&self) -> Option<Self> {
        if self.width.min(self.height) <= SMALLEST {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let places = || (0..height).flat_map(|y| (0..width).map(move |x| (2 * x, 2 * y)));
        let heights = places().map(|place| self.mean_around(place) / 2.0).collect();
        let bounds = places().map(|(x, y)| self.bounds[y * self.width + x]).collect();
        Some(Self { width, height, heights, bounds })
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
