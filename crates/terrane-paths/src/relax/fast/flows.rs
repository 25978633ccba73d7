//! Flows of earth between neighbouring samples.

use crate::relax::field::Field;

/// Flows in world units of height, from each sample to the next one along x and along y.
#[derive(Clone, Debug)]
pub struct Flows {
    width: usize,
    pub right: Vec<f64>,
    pub down: Vec<f64>,
}

impl Flows {
    pub fn none((width, height): (usize, usize)) -> Self {
        Self { width, right: vec![0.0; width * height], down: vec![0.0; width * height] }
    }

    /// Adds a flow from a sample to one beside it.
    pub fn add(&mut self, from: usize, to: usize, by: f64) {
        let (first, by) = if from < to { (from, by) } else { (to, -by) };
        let is_along_x = from.abs_diff(to) == 1 && self.width > 1;
        let flows = if is_along_x { &mut self.right } else { &mut self.down };
        flows[first] += by;
    }

    /// The amount of earth times the distance, in samples, that it moves from one field to another: along
    /// these flows, and at `price` for what is created or removed in all.
    pub fn cost(&self, before: &Field, after: &Field, price: f64) -> f64 {
        let moved: f64 = self.right.iter().chain(&self.down).map(|flow| flow.abs()).sum();
        let made: f64 = after.heights.iter().zip(&before.heights).map(|(now, then)| now - then).sum();
        if price.is_finite() { moved + price * made.abs() } else { moved }
    }

    /// The Euclidean norm.
    pub fn norm(&self) -> f64 {
        self.right.iter().chain(&self.down).map(|flow| flow * flow).sum::<f64>().sqrt()
    }
}
