//! The wheel, and its tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root, say, target};

/// What makes the wheel and what tests it, beside Python itself.
const TOOLS: &[&str] =
    &["maturin>=1.12,<2", "pytest", "hypothesis", "mypy", "pandas-stubs", "types-tqdm", "pandas", "xarray"];

/// Makes the wheel into `target/wheels` with a Python that has maturin; gives its path. One for debugging
/// takes what tests built.
pub fn wheel(python: &Path, debug: bool) -> Result<PathBuf> {
    let folder = target().join("wheels");
    let status = Command::new(python)
        .args([
            "-m",
            "maturin",
            "build",
            "--profile",
            if debug { "dev" } else { "release" },
            "--locked",
            "--quiet",
            "--generate-stubs",
            "--out",
        ])
        .arg(&folder)
        // What stores over the network need takes minutes to compile; tests of the wheel need none.
        .args(if debug { &[][..] } else { &["--features", "cloud"] })
        .current_dir(root().join("python"))
        .env("CARGO_TARGET_DIR", target())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        let python = python.display();
        return Err(
            format!("no wheel was made: `{python} -m pip install maturin` brings what makes it").into()
        );
    }
    // Names tell of the oldest system that a wheel runs on, so there may be several.
    let newest = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
    let wheel = newest.ok_or("maturin made no wheel")?;
    say(&wheel.display().to_string());
    Ok(wheel)
}

/// What else is done with the wheel.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Options {
    /// Take what `cargo build` makes: quicker to build, slower to evaluate.
    #[arg(long, conflicts_with_all = ["speed", "interrupt"])]
    debug: bool,
    /// Also install other libraries and time them beside Terrane.
    #[arg(long)]
    speed: bool,
    /// Also run the notebooks.
    #[arg(long)]
    notebooks: bool,
    /// Also stop every node at 4096 x 4096 samples, and print how soon it gives back control.
    #[arg(long)]
    interrupt: bool,
}

/// Libraries beside which Terrane is timed. Releases of `requireit`, which landlab needs, from 0.3 on take
/// Python 3.12.
const PEERS: &[&str] = &[
    "noise",
    "opensimplex",
    "numba",
    "pyfastnoiselite",
    "fastscapelib",
    "landlab",
    "pysheds",
    "requireit<0.3",
];

/// What runs notebooks, and what they use.
const NOTEBOOKS: &[&str] = &["nbclient", "nbformat", "ipykernel", "matplotlib", "tqdm"];

/// Makes the wheel with Python 3.11 or newer, installs it into an environment of its own, and runs its tests
/// and the checks of its types.
pub fn test(python: &Path, options: Options) -> Result<()> {
    let folder = target().join("python");
    let own = folder.join("bin/python");
    run(Command::new(python).args(["-m", "venv"]).arg(&folder), "a virtual environment")?;
    run(pip(&own).args(TOOLS), "the tools")?;
    let wheel = wheel(&own, options.debug)?;
    run(pip(&own).args(["--force-reinstall", "--no-deps"]).arg(&wheel), "the wheel")?;
    run(pip(&own).arg(&wheel), "what the wheel needs")?;
    let terrane = if options.debug { crate::browser::built_for_debugging()? } else { crate::program()? };
    let tests = root().join("python");
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    run(Command::new(&own).args(pytest).current_dir(&tests).env("TERRANE", terrane), "pytest")?;
    run(Command::new(&own).args(["-m", "mypy", "-p", "pyterrane"]).current_dir(&tests), "mypy")?;
    let stubs = ["-m", "mypy.stubtest", "pyterrane._pyterrane"];
    run(Command::new(&own).args(stubs).current_dir(&folder), "stubtest")?;
    if options.notebooks {
        run(pip(&own).args(NOTEBOOKS), "what runs notebooks")?;
        run(Command::new(&own).arg(tests.join("notebooks/run.py")), "a notebook")?;
    }
    if options.interrupt {
        run(Command::new(&own).arg(tests.join("benchmarks/interrupt.py")), "stopping every node in time")?;
    }
    if options.speed {
        run(pip(&own).args(PEERS), "other libraries")?;
        run(Command::new(&own).arg(tests.join("benchmarks/peers.py")), "the speed that is asked for")?;
    }
    Ok(())
}

/// Clusters, what reads stores and GeoTIFFs, and a server that speaks S3.
const CLUSTER: &[&str] =
    &["distributed>=2025.1", "zarr>=3", "xarray", "rasterio", "rio-cogeo", "moto[server]", "boto3"];

/// Worlds on a cluster of three processes whose workers and clients are killed, in a bucket whose connections
/// are dropped, and what it costs; and stores as other programs read them. Only those checks whose names hold
/// `filter`.
pub fn dask(python: &Path, filter: Option<&str>) -> Result<()> {
    let folder = target().join("python");
    let own = folder.join("bin/python");
    run(Command::new(python).args(["-m", "venv"]).arg(&folder), "a virtual environment")?;
    run(pip(&own).args(["maturin>=1.12,<2", "numpy"]).args(CLUSTER), "Dask and what reads stores")?;
    let wheel = wheel(&own, false)?;
    run(pip(&own).args(["--force-reinstall", "--no-deps"]).arg(&wheel), "the wheel")?;
    let command = ["build", "--release", "--package", "terrane", "--features", "cloud"];
    run(Command::new("cargo").args(command).current_dir(root()), "the command with stores")?;
    let terrane = target().join("release/terrane");
    for check in ["readers", "kills", "bucket", "overhead"] {
        if filter.is_none_or(|filter| check.contains(filter)) {
            say(&format!("{check}:"));
            let script = root().join("python/cluster").join(format!("{check}.py"));
            run(Command::new(&own).arg(script).env("TERRANE", &terrane), check)?;
        }
    }
    Ok(())
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().map_err(|error| format!("{what}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed").into()) }
}
