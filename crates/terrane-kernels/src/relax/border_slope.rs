//! A band along the border that slopes as given, so that patches meet without an edge.

use super::constraint::Constraint;
use super::field::{Field, Moves};

/// From one sample to the next across the border the height differs by as much as is given, within a
/// tolerance: what section 6.1 of the thesis asks for in the place of fixed heights further inside.
#[derive(Clone, Debug)]
pub struct BorderSlope {
    samples: Vec<u32>,
    /// Per sample, the next one inwards, and how much higher that is to stand.
    goals: Vec<(u32, f64)>,
    tolerance: f64,
}

impl BorderSlope {
    /// Samples, in their order and each once; the sample that each is compared with, and how much higher that
    /// is to be; the tolerance, rise over run.
    #[must_use]
    pub fn new(samples: Vec<u32>, goals: Vec<(u32, f64)>, tolerance: f64) -> Self {
        Self { samples, goals, tolerance }
    }

    /// What the sample gains, and the other loses.
    fn step(&self, field: &Field, index: usize) -> f64 {
        let (at, (next, goal)) = (self.samples[index] as usize, self.goals[index]);
        let off = field.heights[next as usize] - field.heights[at] - goal;
        if off.abs() > self.tolerance * field.domain.spacing { off / 2.0 } else { 0.0 }
    }
}

impl Constraint for BorderSlope {
    fn name(&self) -> &'static str {
        "border slope"
    }

    fn samples(&self) -> &[u32] {
        &self.samples
    }

    fn reach(&self) -> usize {
        1
    }

    fn moves(&self) -> u32 {
        // Its own pair, and that of a sample nearer to the border; on a diagonal of two such.
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
