//! Tests of the live preview in headless Chromium, and the library that draws its terrain.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{Result, root, say};

/// The version of three.js in the repository.
const THREE: &str = "0.187.0";
/// The version of esbuild that bundles it.
const ESBUILD: &str = "0.28.2";

/// Runs the tests in `crates/terrane-view/browser`.
pub fn browser(soak: Option<u32>, debug: bool) -> Result<()> {
    let tests: &[&str] = if soak.is_some() {
        &["soak.mjs"]
    } else {
        &[
            "view.test.mjs",
            "frame.test.mjs",
            "params.test.mjs",
            "scene.test.mjs",
            "build.test.mjs",
            "steps.test.mjs",
            "places.test.mjs",
            "live.test.mjs",
        ]
    };
    let mut node = node(debug)?;
    node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(tests);
    if let Some(saves) = soak {
        node.env("SAVES", saves.to_string());
    }
    run(&mut node, "the browser tests")
}

/// Milliseconds for which the film shows a frame.
const FRAME: u32 = 110;

/// Takes the book's screenshot of the page and makes its film of a graph that is edited and saved.
pub fn pictures(debug: bool) -> Result<()> {
    let work = tempfile::tempdir()?;
    run(node(debug)?.arg("pictures.mjs").env("FRAMES", work.path()), "pictures.mjs")?;
    let mut names: Vec<_> = fs::read_dir(&work)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    names.sort();
    let mut film = Vec::new();
    for name in &names {
        let picture = terrane_io::read_picture(name, 1 << 24)?;
        let stem = name.file_stem().unwrap_or_default().to_string_lossy();
        match stem.split_once('-') {
            Some((_, frames)) => film.extend(std::iter::repeat_n(picture, frames.parse()?)),
            None => {
                let page = root().join("book/src/preview").join(format!("{stem}.png"));
                terrane_io::write_picture(&page, &picture, terrane_io::Effort::Small)?;
            }
        }
    }
    terrane_io::write_animation(&root().join("book/src/preview/save.gif"), &film, FRAME)?;
    say(&format!("book/src/preview has the page, and a film of {} frames", film.len()));
    Ok(())
}

/// Node.js in the folder of the browser tests, with what they need installed.
fn node(debug: bool) -> Result<Command> {
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
    let mut node = Command::new("node");
    node.current_dir(&folder).env("TERRANE", terrane).env("CHROMIUM", chromium);
    Ok(node)
}

/// The command that the environment variable `TERRANE` names, or else as built by `cargo build`.
pub fn built_for_debugging() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("TERRANE") {
        return Ok(given.into());
    }
    run(
        Command::new(env!("CARGO")).current_dir(root()).args(["build", "--package", "terrane-cli"]),
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

/// Bundles what the page uses of three.js, from the npm registry, into the repository. `three.entry.js` lists
/// it.
pub fn vendor_three() -> Result<()> {
    let folder = root().join("crates/terrane-view/assets/vendor/three");
    let work = tempfile::tempdir()?;
    let packages = [format!("three@{THREE}"), format!("esbuild@{ESBUILD}")];
    run(
        Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .args(packages)
            .current_dir(&work),
        "npm install",
    )?;
    fs::copy(folder.join("three.entry.js"), work.path().join("three.entry.js"))?;
    let out = format!("--outfile={}", folder.join("three.min.js").display());
    let how = ["three.entry.js", "--bundle", "--minify", "--format=esm", "--legal-comments=none", &out];
    run(Command::new(work.path().join("node_modules/.bin/esbuild")).args(how).current_dir(&work), "esbuild")?;
    fs::copy(work.path().join("node_modules/three/LICENSE"), folder.join("LICENSE"))?;
    fs::write(
        folder.join("VERSION"),
        format!(
            "three {THREE}, from the npm registry, bundled with esbuild {ESBUILD} by `cargo xtask \
            vendor-three`; MIT licence, see LICENSE\n"
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
