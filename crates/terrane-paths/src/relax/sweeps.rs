//! The interface of iterative solvers.

use super::field::Field;

/// The iterations of a solver.
pub trait Sweeps {
    /// Runs one iteration. Returns the number of bounds that were missed in it.
    fn sweep(&mut self, field: &mut Field) -> u64;
}
