//! One sweep at a time writes a table.

use std::path::Path;

use crate::Failure;
use crate::lock::Lock;

/// Takes a table: another sweep to the same one would write over what this one adds.
///
/// # Errors
/// When another sweep has it, or no file can be made beside it.
pub fn take(table: &Path) -> Result<Lock, Failure> {
    let lock = Lock::take(table).map_err(|error| {
        Failure::usage(
            format!("cannot make {}.lock: {error}", table.display()),
            "choose another file with -o",
        )
    })?;
    lock.ok_or_else(|| {
        Failure::usage(
            format!("another sweep is writing {}", table.display()),
            "wait for its end, or choose another file with -o",
        )
    })
}
