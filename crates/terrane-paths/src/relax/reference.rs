//! The thesis's sweeps: all samples in order, in place.

use super::constraint::Constraint;
use super::field::Field;
use super::sweeps::Sweeps;

/// Constraints sorted by sample.
pub struct Reference<'a> {
    constraints: &'a [Box<dyn Constraint>],
    /// Constraint and index in it, by sample.
    order: Vec<(u32, u32)>,
    /// Constraint and index for the constraints that come last.
    last: Vec<(u32, u32)>,
}

impl<'a> Reference<'a> {
    pub fn new(constraints: &'a [Box<dyn Constraint>]) -> Self {
        let of = |last: bool| {
            let mut order: Vec<(u32, (u32, u32))> = Vec::new();
            for (number, constraint) in constraints.iter().enumerate().filter(|(_, c)| c.last() == last) {
                let samples = constraint.samples().iter().enumerate();
                order.extend(samples.map(|(index, &at)| (at, (number as u32, index as u32))));
            }
            // A stable sort: constraints on the same sample keep their order.
            order.sort_by_key(|&(at, _)| at);
            order.into_iter().map(|(_, bound)| bound).collect::<Vec<_>>()
        };
        Self { constraints, order: of(false), last: of(true) }
    }
}

impl Sweeps for Reference<'_> {
    fn sweep(&mut self, field: &mut Field) -> u64 {
        let mut missed = 0;
        for &(constraint, index) in self.order.iter().chain(&self.last) {
            missed += u64::from(self.constraints[constraint as usize].relax(field, index as usize));
        }
        missed
    }
}
