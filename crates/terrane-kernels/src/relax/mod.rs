//! Ground that is bent, as little as may be, until a path can be walked: iterative relaxation (Velzel,
//! section 4.1.1).
//!
//! What binds the ground is a [`Constraint`]: the thesis's four are here, two of those that it would like to
//! see, and banks, without which the least earth lies in walls. A solver knows nothing else of them.

#[cfg(test)]
mod bank_tests;
mod border_slope;
mod bounds;
mod constraint;
mod earthworks;
mod fast;
mod field;
mod loosen;
#[cfg(test)]
mod more_tests;
mod optimum;
mod parallel;
mod parameters;
mod position;
mod reference;
mod roughness;
mod slope;
mod solve;
mod survey;
mod sweeps;
#[cfg(test)]
mod tests;
mod watch;

pub use border_slope::BorderSlope;
pub use bounds::{BANK_TOLERANCE, Given, bounds, bounds_to_round};
pub use constraint::{Constraint, SlopeBound};
pub use earthworks::{Earthworks, earthworks};
pub use field::{Field, Moves};
pub use loosen::relax_loosening;
pub use optimum::{Allowed, Optimum, OptimumError, optimum};
pub use parameters::{Relaxation, Solver};
pub use position::Position;
pub use roughness::Roughness;
pub use slope::{Bank, Directional, Gradient};
pub use solve::{Outcome, Relaxed, Sweep, relax};
pub use survey::{Survey, survey};
