//! The extension for Visual Studio Code: builds it into an archive, and tests that.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Result, browser, root, say};

/// Installs what `editors/vscode` needs, checks its types, bundles and packages it, and runs its tests. Only
/// the installation needs a network, and it is left out if nothing has changed since the last one.
pub fn vscode() -> Result<()> {
    let folder = root().join("editors/vscode");
    for tool in ["node", "npm"] {
        let found = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return Err(format!("`{tool}` was not found: install Node.js 20 or newer, with npm").into());
        }
    }
    let terrane = browser::built_for_debugging()?;
    let npm = |words: &[&str]| {
        let mut command = Command::new("npm");
        command.args(words).current_dir(&folder).env("TERRANE", &terrane);
        run(&mut command, &format!("npm {}", words.join(" ")))
    };
    if !is_installed(&folder) {
        // No package's own script runs: none is needed.
        npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"])?;
        fs::copy(folder.join("package-lock.json"), folder.join(INSTALLED))?;
    }
    for step in ["check", "bundle", "package", "test"] {
        npm(&["run", "--silent", step])?;
    }
    say(&format!("the extension is {}", folder.join("dist/terrane.vsix").display()));
    Ok(())
}

/// The lock file of the last installation.
const INSTALLED: &str = "node_modules/installed-lock.json";

/// Whether the packages of the lock file are those that were installed.
fn is_installed(folder: &Path) -> bool {
    let read = |name: &str| fs::read(folder.join(name)).ok();
    read(INSTALLED).is_some_and(|installed| read("package-lock.json") == Some(installed))
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed").into()),
        Err(error) => Err(format!("{what} cannot be run: {error}").into()),
    }
}
