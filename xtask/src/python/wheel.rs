//! The wheel.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root, say, target};

/// Makes the wheel into `target/wheels` with the Python at `python`, which needs maturin; gives its path.
pub fn wheel(python: &Path) -> Result<PathBuf> {
    let folder = target().join("wheels");
    let status = Command::new(python)
        .args(["-m", "maturin", "build", "--release", "--locked", "--quiet", "--out"])
        .arg(&folder)
        .current_dir(root().join("python"))
        .env("CARGO_TARGET_DIR", target())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        let python = python.display();
        return Err(
            format!("no wheel was made: `{python} -m pip install maturin` brings what makes it").into()
        );
    }
    let newest = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
    let wheel = newest.ok_or("maturin made no wheel")?;
    say(&wheel.display().to_string());
    Ok(wheel)
}
