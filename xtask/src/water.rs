//! Hollows, drainage and rivers on random and real ground, beside other programs.

use std::process::Command;

use crate::{Result, root, say};

/// Removes the hollows of `grounds` random grounds and of real elevation models, drains them while they
/// erode, and compares with topotoolbox and fastscapelib.
pub fn water(grounds: u64, python: &str) -> Result<()> {
    measured("water.py", grounds, python)
}

/// Traces and carves the rivers of `grounds` random grounds and of real elevation models, and checks that
/// they fall, end in water, and stay between their banks.
pub fn rivers(grounds: u64, python: &str) -> Result<()> {
    measured("rivers.py", grounds, python)
}

/// Erodes `grounds` random grounds at three spacings, and compares the results.
pub fn scale(grounds: u64, python: &str) -> Result<()> {
    measured("scale.py", grounds, python)
}

/// Runs a script with the command, the folder of elevation models and a number of grounds.
fn measured(script: &str, grounds: u64, python: &str) -> Result<()> {
    let program = std::env::current_exe()?.with_file_name("terrane");
    if !program.exists() {
        return Err(format!("build the command first: {} does not exist", program.display()).into());
    }
    let output = Command::new(python)
        .arg(root().join("xtask/src").join(script))
        .args([&program, &root().join("graphs/data")])
        .arg(grounds.to_string())
        .output()
        .map_err(|error| format!("{python} does not start: {error}"))?;
    say(String::from_utf8_lossy(&output.stdout).trim_end());
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{script} fails: {}", String::from_utf8_lossy(&output.stderr)).into())
}
