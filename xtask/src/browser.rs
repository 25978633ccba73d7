//! Tests of the live preview in headless Chromium, and the libraries that draw its terrain and edit its text.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{Result, root, say};

/// The version of three.js in the repository.
const THREE: &str = "0.187.0";
/// The version of esbuild that bundles it.
const ESBUILD: &str = "0.28.2";

/// The packages of `CodeMirror` in the repository.
const CODEMIRROR: [(&str, &str); 12] = [
    ("@codemirror/autocomplete", "6.20.4"),
    ("@codemirror/commands", "6.11.1"),
    ("@codemirror/language", "6.13.1"),
    ("@codemirror/lint", "6.9.8"),
    ("@codemirror/lsp-client", "6.3.0"),
    ("@codemirror/merge", "6.12.3"),
    ("@codemirror/search", "6.7.2"),
    ("@codemirror/state", "6.7.6"),
    ("@codemirror/view", "6.43.15"),
    ("@lezer/common", "1.5.5"),
    ("@lezer/highlight", "1.2.5"),
    ("@lezer/lr", "1.4.12"),
];
/// Packages that those need and that are bundled too.
const BROUGHT: [&str; 6] =
    ["@codemirror/streamparser", "@marijn/find-cluster-break", "crelt", "marked", "style-mod", "w3c-keyname"];

/// Runs the tests in `crates/terrane-view/browser`.
pub fn browser(soak: Option<u32>, debug: bool) -> Result<()> {
    let tests: &[&str] = if soak.is_some() {
        &["soak.mjs"]
    } else {
        &[
            "view.test.mjs",
            "frame.test.mjs",
            "keep.test.mjs",
            "params.test.mjs",
            "scene.test.mjs",
            "build.test.mjs",
            "steps.test.mjs",
            "places.test.mjs",
            "live.test.mjs",
            "text.test.mjs",
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
    let work = tempfile::tempdir()?;
    bundle("three", "three", &[("three", THREE)], &work)?;
    fs::copy(work.path().join("node_modules/three/LICENSE"), vendored("three").join("LICENSE"))?;
    fs::write(
        vendored("three").join("VERSION"),
        format!(
            "three {THREE}, from the npm registry, bundled with esbuild {ESBUILD} by `cargo xtask \
            vendor-three`; MIT licence, see LICENSE\n"
        ),
    )?;
    say(&format!("three {THREE} is in {}", vendored("three").display()));
    Ok(())
}

/// Bundles what the page uses of `CodeMirror`, as [`vendor_three`] does for three.js.
pub fn vendor_codemirror() -> Result<()> {
    let work = tempfile::tempdir()?;
    bundle("codemirror", "codemirror", &CODEMIRROR, &work)?;
    let folder = vendored("codemirror");
    let mut licence = String::new();
    // Packages that these bring have licences of their own.
    let mut names: Vec<String> = CODEMIRROR.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.extend(BROUGHT.map(str::to_owned));
    for name in &names {
        let own = work.path().join("node_modules").join(name);
        let file =
            ["LICENSE", "LICENSE.md"].map(|file| own.join(file)).into_iter().find(|file| file.exists());
        let text = fs::read_to_string(file.ok_or_else(|| format!("{name} has no licence file"))?)?;
        licence += &format!("{name}\n\n{}\n\n", text.trim());
    }
    fs::write(folder.join("LICENSE"), licence.trim_end().to_owned() + "\n")?;
    let versions: Vec<String> =
        CODEMIRROR.iter().map(|(name, version)| format!("{name} {version}\n")).collect();
    let how = format!(
        "from the npm registry, bundled with esbuild {ESBUILD} by `cargo xtask vendor-codemirror`; MIT \
        licences, see LICENSE\n"
    );
    fs::write(folder.join("VERSION"), versions.concat() + &how)?;
    say(&format!("CodeMirror is in {}", folder.display()));
    Ok(())
}

/// The folder of a library in the page's assets.
fn vendored(name: &str) -> PathBuf {
    root().join("crates/terrane-view/assets/vendor").join(name)
}

/// Installs packages in a folder and bundles what the entry file of a library lists.
fn bundle(folder: &str, name: &str, packages: &[(&str, &str)], work: &tempfile::TempDir) -> Result<()> {
    let packages =
        packages.iter().chain([&("esbuild", ESBUILD)]).map(|(name, version)| format!("{name}@{version}"));
    run(
        Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .args(packages)
            .current_dir(work),
        "npm install",
    )?;
    let entry = format!("{name}.entry.js");
    fs::copy(vendored(folder).join(&entry), work.path().join(&entry))?;
    let out = format!("--outfile={}", vendored(folder).join(format!("{name}.min.js")).display());
    let how = [&*entry, "--bundle", "--minify", "--format=esm", "--legal-comments=none", &out];
    run(Command::new(work.path().join("node_modules/.bin/esbuild")).args(how).current_dir(work), "esbuild")
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed").into()),
        Err(error) => Err(format!("{what} cannot be run: {error}").into()),
    }
}
