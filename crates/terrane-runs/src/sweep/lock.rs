//! The lock of a sweep's table.

use std::path::Path;

use crate::Failure;
use crate::lock::Lock;

/// Takes a table's lock: a second sweep to the same table would overwrite the rows of the first.
///
/// # Errors
/// Fails if another sweep holds the lock, or if the lock file cannot be created.
pub fn take(table: &Path) -> Result<Lock, Failure> {
    let lock = Lock::take(table).map_err(|error| {
        Failure::usage(
            format!("cannot create {}.lock: {error}", table.display()),
            "choose another file with -o",
        )
    })?;
    lock.ok_or_else(|| {
        Failure::usage(
            format!("another sweep is writing {}", table.display()),
            "wait for it to finish, or choose another file with -o",
        )
    })
}
