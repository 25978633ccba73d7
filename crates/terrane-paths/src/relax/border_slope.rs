//! A band along the border with prescribed slopes, so that patches meet without a crease.

use super::constraint::{BoundKind, Constraint};
use super::field::{Field, Moves};

/// The height difference from one sample to the next across the border is prescribed, within a tolerance.
/// Section 6.1 of the thesis uses this instead of fixed heights further inside.
#[derive(Clone, Debug)]
pub struct BorderSlope {
    samples: Vec<u32>,
    /// Per sample, the next sample inwards, and how much higher that sample should be.
    goals: Vec<(u32, f64)>,
    tolerance: f64,
}

impl BorderSlope {
    /// A constraint on samples, sorted and without duplicates. For each, `goals` holds the sample that it is
    /// compared with, and how much higher that other sample should be. The tolerance is rise over run.
    #[must_use]
    pub fn new(samples: Vec<u32>, goals: Vec<(u32, f64)>, tolerance: f64) -> Self {
        Self { samples, goals, tolerance }
    }

    /// The height that the sample gains and the other one loses.
    fn step(&self, field: &Field, index: usize) -> f64 {
        let (at, (next, goal)) = (self.samples[index] as usize, self.goals[index]);
        let off = field.heights[next as usize] - field.heights[at] - goal;
        if off.abs() > self.tolerance * field.domain.spacing { off / 2.0 } else { 0.0 }
    }
}

impl Constraint for BorderSlope {
    fn kind(&self) -> BoundKind {
        BoundKind::BorderSlope
    }

    fn samples(&self) -> &[u32] {
        &self.samples
    }

    fn reach(&self) -> usize {
        1
    }

    fn moves(&self) -> u32 {
        // A sample's own pair, and the pair of the sample next to it nearer to the border. On a diagonal
        // there are two such samples, but no own pair.
        2
    }

    fn excess(&self, field: &Field, index: usize) -> f64 {
        2.0 * self.step(field, index).abs() / field.domain.spacing
    }

    fn relax(&self, field: &mut Field, index: usize) -> bool {
        let by = self.step(field, index);
        field.heights[self.samples[index] as usize] += by;
        field.heights[self.goals[index].0 as usize] -= by;
        by != 0.0
    }

    fn gather(&self, field: &Field, index: usize, moves: &mut Moves<'_>) -> bool {
        let by = self.step(field, index);
        moves.add(self.samples[index] as usize, by);
        moves.add(self.goals[index].0 as usize, -by);
        by != 0.0
    }
}
