//! What solvers that go from iteration to iteration have in common.

use super::field::Field;

/// A solver's iterations.
pub trait Sweeps {
    /// One iteration; how many bounds were missed in it.
    fn sweep(&mut self, field: &mut Field) -> u64;
}
