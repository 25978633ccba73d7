//! Constraints on the ground.

use std::fmt;

use super::field::{Field, Moves};

/// The kind of a constraint, in the order of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundKind {
    /// The slope of ground off the path.
    Bank,
    /// The slope across the patch's border.
    BorderSlope,
    /// The slope away from the path.
    Directional,
    /// The gradient on the path.
    Gradient,
    /// A prescribed height.
    Position,
    /// Roughness between adjacent samples.
    Roughness,
    /// Roughness between samples that are farther apart.
    RoughnessAtScale,
}

impl fmt::Display for BoundKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bank => "bank",
            Self::BorderSlope => "border slope",
            Self::Directional => "directional",
            Self::Gradient => "gradient",
            Self::Position => "position",
            Self::Roughness => "roughness",
            Self::RoughnessAtScale => "roughness at a scale",
        })
    }
}

/// A bound on the slopes at a sample, in each quadrant around it that has both neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeBound {
    /// The bound, rise over run.
    pub slope: f64,
    /// The accepted excess over the bound.
    pub tolerance: f64,
    /// The direction in which slopes count, as a unit vector; `None` for all directions.
    pub direction: Option<[f64; 2]>,
    /// Whether the bound is at least the slope that the ground had, so that unchanged ground satisfies it.
    pub keeps: bool,
}

/// A constraint on samples, each of which can be relaxed separately. To add a constraint, implement this
/// trait for a new type, with a kind of its own: solvers accept any constraint.
pub trait Constraint: Sync {
    /// The kind, for reports.
    fn kind(&self) -> BoundKind;

    /// The constrained samples, sorted and without duplicates.
    fn samples(&self) -> &[u32];

    /// The maximum distance in rows of samples that are read or moved.
    fn reach(&self) -> usize;

    /// The maximum number of moves that [`Constraint::gather`] makes to one sample, including those of
    /// samples around it.
    fn moves(&self) -> u32;

    /// How far the sample at `index` in [`Constraint::samples`] is from its goal, in the constraint's own
    /// unit; 0 if it is within tolerance.
    fn excess(&self, field: &Field, index: usize) -> f64;

    /// Moves the sample at `index` to its goal in place. Returns whether it was not at its goal. Moves
    /// material without creating any, except in constraints that come last.
    fn relax(&self, field: &mut Field, index: usize) -> bool;

    /// Collects the moves that would bring the sample at `index` to its goal, computed from the current
    /// heights. Returns whether it was not at its goal.
    fn gather(&self, field: &Field, index: usize, moves: &mut Moves<'_>) -> bool;

    /// Whether this constraint comes after all others in an iteration, and so is met exactly.
    fn last(&self) -> bool {
        false
    }

    /// The bound on the sample at `index`, if the constraint is only a bound on slopes: fast solvers handle
    /// those.
    fn slope_bound(&self, _index: usize) -> Option<SlopeBound> {
        None
    }

    /// The height of the sample at `index`, if the constraint only prescribes it: fast solvers hold such
    /// samples.
    fn given_height(&self, _index: usize) -> Option<f64> {
        None
    }
}
