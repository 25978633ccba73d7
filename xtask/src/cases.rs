//! Cases made by hand: files and graphs that are easily misread, with what other programs say of them.

use std::path::PathBuf;
use std::process::Command;

use crate::{Result, built, root};

/// Runs the scripts of `cases/` with a command `terrane`, or only those of these kinds or names.
pub fn cases(python: &str, program: Option<PathBuf>, wanted: &[String]) -> Result<()> {
    let program = match program {
        Some(program) => program.canonicalize()?,
        None => built(&["--features", "stores"])?,
    };
    let status = Command::new(python)
        .arg(root().join("xtask/src/cases/run.py"))
        .arg(program)
        .args(wanted)
        .status()
        .map_err(|error| format!("{python} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err("cases are wrong".into()) }
}
