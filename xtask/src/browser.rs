//! Tests of the live preview in headless Chromium, and the library that draws its terrain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Result, root, say};

/// The version of three.js in the repository.
const THREE: &str = "0.180.0";

/// Runs the tests in `crates/terrane-view/browser`.
pub fn browser(soak: Option<u32>, debug: bool) -> Result<()> {
    let folder = root().join("crates/terrane-view/browser");
    for tool in ["node", "npm"] {
        let found = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return Err(format!("`{tool}` was not found: install Node.js 20 or newer, with npm").into());
        }
    }
    let chromium = chromium()?;
    let terrane = if debug { built_for_debugging()? } else { crate::program()? };
    run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder), "npm ci")?;
    let tests: &[&str] = if soak.is_some() { &["soak.mjs"] } else { &["view.test.mjs", "params.test.mjs"] };
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(tests).current_dir(&folder);
    node.env("TERRANE", terrane).env("CHROMIUM", chromium);
    if let Some(saves) = soak {
        node.env("SAVES", saves.to_string());
    }
    run(&mut node, "the browser tests")
}

/// The command, as built by `cargo build`.
pub fn built_for_debugging() -> Result<PathBuf> {
    run(
        Command::new(env!("CARGO")).current_dir(root()).args(["build", "--package", "terrane"]),
        "cargo build",
    )?;
    Ok(crate::target().join("debug/terrane"))
}

/// A Chromium executable: `CHROMIUM`, or a usual location.
fn chromium() -> Result<PathBuf> {
    let given = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    given.into_iter().chain(usual).find(|path| path.exists()).ok_or_else(|| {
        "Chromium was not found: install it (`apt install chromium`), or set the variable CHROMIUM".into()
    })
}

/// Copies three.js into the repository from the npm registry: the minified module and its camera controls.
pub fn vendor_three() -> Result<()> {
    let folder = root().join("crates/terrane-view/assets/vendor/three");
    let work = tempfile::tempdir()?;
    run(
        Command::new("npm")
            .args(["pack", "--silent", &format!("three@{THREE}")])
            .current_dir(&work)
            .stdout(Stdio::null()),
        "npm pack",
    )?;
    let archive = format!("three-{THREE}.tgz");
    run(Command::new("tar").args(["xzf", &archive]).current_dir(&work), "tar")?;
    let package = work.path().join("package");
    fs::create_dir_all(&folder)?;
    for file in ["build/three.core.min.js", "build/three.module.min.js", "LICENSE"] {
        let name = Path::new(file).file_name().ok_or("a file without a name")?;
        fs::copy(package.join(file), folder.join(name))?;
    }
    // Pages have no import map: the controls import the module by its file name.
    let controls = fs::read_to_string(package.join("examples/jsm/controls/OrbitControls.js"))?;
    fs::write(
        folder.join("OrbitControls.js"),
        controls.replace("from 'three'", "from './three.module.min.js'"),
    )?;
    fs::write(
        folder.join("VERSION"),
        format!(
            "three {THREE}, from the npm registry, by `cargo xtask vendor-three`; MIT licence, see LICENSE\n"
        ),
    )?;
    say(&format!("three {THREE} is in {}", folder.display()));
    Ok(())
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed").into()),
        Err(error) => Err(format!("{what} cannot be run: {error}").into()),
    }
}
