//! A bound on slopes, as the primal-dual method sees it.

use crate::relax::constraint::SlopeBound;

/// What binds a sample.
#[derive(Clone, Copy)]
pub struct Bound {
    pub x: usize,
    /// The bound to aim at.
    slope: f64,
    /// The bound, and what it may be exceeded by.
    given: (f64, f64),
    pub direction: Option<[f64; 2]>,
    /// In which quadrants it binds: right and down, left and down, right and up, left and up.
    pub quadrants: [bool; 4],
}

impl Bound {
    /// At a column counted from 1, in some quadrants.
    pub fn new(x: usize, given: SlopeBound, quadrants: [bool; 4]) -> Self {
        let tolerated = (given.slope, given.tolerance);
        Self { x, slope: given.slope, given: tolerated, direction: given.direction, quadrants }
    }

    /// Aims so many tolerances inside the bound, but for a thirtieth of it at most.
    pub fn aim(&mut self, inside: f64) {
        let (slope, tolerance) = self.given;
        self.slope = (slope - inside * tolerance).max(slope * (1.0 - 1.0 / 30.0));
    }

    /// Forces in the quadrants where it binds, along the direction if there is one.
    pub fn allowed(&self, mut forces: [f64; 8]) -> [f64; 8] {
        for (force, binds) in forces.chunks_exact_mut(2).zip(self.quadrants) {
            let [dx, dy] = self.direction.unwrap_or_default();
            let along = force[0] * dx + force[1] * dy;
            match self.direction {
                _ if !binds => force.fill(0.0),
                Some(_) => force.copy_from_slice(&[along * dx, along * dy]),
                None => {}
            }
        }
        forces
    }

    /// What of a force is left when what the bound bears is taken from it: nothing where the slope is within the bound.
    #[inline]
    pub fn beyond(&self, [x, y]: [f64; 2], size: f64) -> [f64; 2] {
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
