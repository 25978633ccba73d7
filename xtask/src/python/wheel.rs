//! The wheel, and its tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root, say, target};

/// Packages that build and test the wheel.
const TOOLS: &[&str] = &[
    "maturin>=1.12,<2",
    "pytest",
    "hypothesis",
    "mypy",
    "pandas-stubs",
    "types-tqdm",
    "pandas",
    "xarray",
    "rioxarray",
    "scipy",
    "zarr>=3",
];

/// Builds the wheel into `target/wheels` with a Python that has maturin; returns its path. A debug wheel
/// reuses the tests' build.
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
        // The network stores take minutes to compile; tests of the wheel do not need them.
        .args(if debug { &[][..] } else { &["--features", "cloud"] })
        .current_dir(root().join("python"))
        .env("CARGO_TARGET_DIR", target())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        let python = python.display();
        return Err(
            format!("no wheel was built: install maturin with `{python} -m pip install maturin`").into()
        );
    }
    // File names contain the oldest supported system, so there may be several wheels.
    let newest = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .max_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
    let wheel = newest.ok_or("maturin built no wheel")?;
    say(&wheel.display().to_string());
    Ok(wheel)
}

/// Additional work with the wheel.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Options {
    /// Use the debug build: quicker to build, slower to evaluate.
    #[arg(long, conflicts_with_all = ["speed", "interrupt"])]
    debug: bool,
    /// Also install other libraries and compare their times with Terrane's.
    #[arg(long)]
    speed: bool,
    /// Also run the notebooks.
    #[arg(long)]
    notebooks: bool,
    /// Also stop every node at 4096 x 4096 samples, and print how soon it returns control.
    #[arg(long)]
    interrupt: bool,
}

/// Libraries that Terrane's times are compared with. Landlab needs `requireit`, which requires Python 3.12
/// from version 0.3 on.
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

/// Packages that run notebooks, and packages that notebooks use.
const NOTEBOOKS: &[&str] = &["nbclient", "nbformat", "ipykernel", "matplotlib", "tqdm"];

/// Builds the wheel with Python 3.11 or newer, installs it into a separate environment, and runs its tests
/// and type checks.
pub fn test(python: &Path, options: Options) -> Result<()> {
    let folder = target().join("python");
    let own = folder.join("bin/python");
    run(Command::new(python).args(["-m", "venv"]).arg(&folder), "a virtual environment")?;
    run(pip(&own).args(TOOLS), "the tools")?;
    let wheel = wheel(&own, options.debug)?;
    run(pip(&own).args(["--force-reinstall", "--no-deps"]).arg(&wheel), "the wheel")?;
    run(pip(&own).arg(&wheel), "the packages that the wheel needs")?;
    let terrane = if options.debug { crate::browser::built_for_debugging()? } else { crate::program()? };
    let tests = root().join("python");
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    run(Command::new(&own).args(pytest).current_dir(&tests).env("TERRANE", terrane), "pytest")?;
    run(Command::new(&own).args(["-m", "mypy", "-p", "pyterrane"]).current_dir(&tests), "mypy")?;
    let stubs = ["-m", "mypy.stubtest", "pyterrane._pyterrane", "pyterrane._nodes"];
    run(Command::new(&own).args(stubs).current_dir(&folder), "stubtest")?;
    if options.notebooks {
        run(pip(&own).args(NOTEBOOKS), "the packages that run notebooks")?;
        run(Command::new(&own).arg(tests.join("notebooks/run.py")), "a notebook")?;
    }
    if options.interrupt {
        run(Command::new(&own).arg(tests.join("benchmarks/interrupt.py")), "stopping every node in time")?;
    }
    if options.speed {
        run(pip(&own).args(PEERS), "other libraries")?;
        run(Command::new(&own).arg(tests.join("benchmarks/peers.py")), "the required speed")?;
        run(Command::new(&own).arg(tests.join("benchmarks/holes.py")), "drainage with holes")?;
    }
    Ok(())
}

/// Packages for clusters, for reading stores and GeoTIFFs, and a server that speaks S3.
const CLUSTER: &[&str] =
    &["distributed>=2025.1", "zarr>=3", "xarray", "rasterio", "rio-cogeo", "moto[server]", "boto3"];

/// Runs worlds on a cluster of three processes whose workers and clients are killed, and in a bucket whose
/// connections are dropped. Measures the overhead, and reads stores with other programs. Runs only checks
/// whose names contain `filter`.
pub fn dask(python: &Path, filter: Option<&str>) -> Result<()> {
    let folder = target().join("python");
    let own = folder.join("bin/python");
    run(Command::new(python).args(["-m", "venv"]).arg(&folder), "a virtual environment")?;
    run(
        pip(&own).args(["maturin>=1.12,<2", "numpy"]).args(CLUSTER),
        "Dask and the packages that read stores",
    )?;
    let wheel = wheel(&own, false)?;
    run(pip(&own).args(["--force-reinstall", "--no-deps"]).arg(&wheel), "the wheel")?;
    let command = ["build", "--release", "--package", "terrane-cli", "--features", "cloud"];
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
