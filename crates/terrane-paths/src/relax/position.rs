//! Prescribed heights.

use super::constraint::{BoundKind, Constraint};
use super::field::{Field, Moves};

/// Prescribes the heights of samples (equation 8). It comes last and is met exactly; only this constraint
/// creates and removes material.
#[derive(Clone, Debug)]
pub struct Position {
    samples: Vec<u32>,
    heights: Vec<f64>,
}

impl Position {
    /// A constraint on samples, sorted and without duplicates, with their heights.
    #[must_use]
    pub fn new(samples: Vec<u32>, heights: Vec<f64>) -> Self {
        Self { samples, heights }
    }
}

impl Constraint for Position {
    fn kind(&self) -> BoundKind {
        BoundKind::Position
    }

    fn samples(&self) -> &[u32] {
        &self.samples
    }

    fn reach(&self) -> usize {
        0
    }

    fn moves(&self) -> u32 {
        0
    }

    fn excess(&self, field: &Field, index: usize) -> f64 {
        (field.heights[self.samples[index] as usize] - self.heights[index]).abs()
    }

    fn relax(&self, field: &mut Field, index: usize) -> bool {
        let height = &mut field.heights[self.samples[index] as usize];
        std::mem::replace(height, self.heights[index]) != self.heights[index]
    }

    fn gather(&self, _field: &Field, _index: usize, _moves: &mut Moves<'_>) -> bool {
        false
    }

    fn last(&self) -> bool {
        true
    }

    fn given_height(&self, index: usize) -> Option<f64> {
        Some(self.heights[index])
    }
}
