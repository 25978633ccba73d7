//! Ground that is bent, as little as may be, until a path can be walked: iterative relaxation (Velzel, section 4.1.1).
//!
//! What binds the ground is a [`Constraint`]: the thesis's four are here, and two of those that it would like to see. A solver knows nothing
//! else of them.

mod border_slope;
mod bounds;
mod constraint;
mod fast;
mod field;
#[cfg(test)]
mod more_tests;
mod optimum;
mod parallel;
mod position;
mod reference;
mod roughness;
mod slope;
mod solve;
mod survey;
#[cfg(test)]
mod tests;
mod watch;

pub use border_slope::BorderSlope;
pub use bounds::{Given, bounds};
pub use constraint::{Constraint, SlopeBound};
pub use field::{Field, Moves};
pub use optimum::{Optimum, OptimumError, optimum};
pub use position::Position;
pub use roughness::Roughness;
pub use slope::{Directional, Gradient};
pub use solve::{Outcome, Relaxation, Relaxed, Solver, Sweep, relax};
pub use survey::{Survey, survey};
