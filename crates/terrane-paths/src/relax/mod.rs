//! Reshapes the ground along paths until their slopes are within bounds, moving as little earth as it can:
//! iterative relaxation (Velzel, section 4.1.1).
//!
//! Each requirement on the ground is a [`Constraint`]: the four of the thesis, two that it proposes, and
//! banks, without which the minimum of earthworks has walls. Solvers depend only on that trait.

#[cfg(test)]
mod bank_tests;
mod border_slope;
mod bounds;
mod carry;
mod constraint;
#[cfg(test)]
mod earth_tests;
mod earthworks;
mod fast;
mod field;
mod given;
mod loosen;
#[cfg(feature = "optimum")]
mod optimum;
mod parallel;
mod parameters;
mod position;
#[cfg(test)]
mod proposal_tests;
mod reference;
mod reshape;
#[cfg(test)]
mod reshape_tests;
mod roughness;
mod slope;
mod solve;
mod survey;
mod sweeps;
#[cfg(test)]
mod tests;
mod watch;

pub use border_slope::BorderSlope;
pub use bounds::{BANK_TOLERANCE, bounds, bounds_to_round};
pub use carry::carried;
pub use constraint::{BoundKind, Constraint, SlopeBound};
pub use earthworks::{Earthworks, earthworks};
pub use field::{Field, Moves};
pub use given::Given;
#[cfg(feature = "optimum")]
pub use optimum::{Allowed, Optimum, OptimumError, optimum};
pub use parameters::{Relaxation, Solver};
pub use position::Position;
pub use reshape::{Reshaped, reshape};
pub use roughness::Roughness;
pub use slope::{Bank, Directional, Gradient};
pub use solve::{Outcome, Relaxed, Sweep, relax};
pub use survey::{Survey, survey};
