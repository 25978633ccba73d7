//! What binds the ground.

use super::field::{Field, Moves};

/// A bound on slopes at a sample: in each quadrant around it that has both neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeBound {
    /// The bound, rise over run.
    pub slope: f64,
    /// How much steeper is near enough.
    pub tolerance: f64,
    /// The direction that counts, as a unit vector; all do where there is none.
    pub direction: Option<[f64; 2]>,
    /// Whether the bound is never below the slope that the ground had, so that ground that stays is within
    /// it.
    pub keeps: bool,
}

/// Something that binds samples, each by itself. A new one is a type of its own: solvers and reports take
/// any.
pub trait Constraint: Sync {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// The samples that it binds, in their order, each once.
    fn samples(&self) -> &[u32];

    /// How many rows away the samples lie that it looks at and moves.
    fn reach(&self) -> usize;

    /// By how many moves at most a sample is changed in [`Constraint::gather`], those of samples around
    /// counted.
    fn moves(&self) -> u32;

    /// How far the sample at `index` in [`Constraint::samples`] is from its goal, in the constraint's own
    /// unit; 0 where it is near enough.
    fn excess(&self, field: &Field, index: usize) -> f64;

    /// Brings the sample at `index` to its goal in place; whether it was not there. Moves material, never
    /// makes any, but for constraints that come last.
    fn relax(&self, field: &mut Field, index: usize) -> bool;

    /// The moves that would bring the sample at `index` to its goal, all from the heights as they are;
    /// whether it was not there.
    fn gather(&self, field: &Field, index: usize, moves: &mut Moves<'_>) -> bool;

    /// Whether it comes after all others in an iteration, and is then met exactly.
    fn last(&self) -> bool {
        false
    }

    /// What binds the sample at `index`, if that is a bound on slopes and nothing else: fast solvers know
    /// what to do with those.
    fn slope_bound(&self, _index: usize) -> Option<SlopeBound> {
        None
    }

    /// The height of the sample at `index`, if that is given and nothing else is asked of it: fast solvers
    /// hold such samples.
    fn given_height(&self, _index: usize) -> Option<f64> {
        None
    }
}
