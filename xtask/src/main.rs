//! The maintainers' tasks:
//!
//! ```text
//! cargo xtask <
//!     docs|gallery|book|thorimbert|bench|outputs|overhead|memory|speed|readback|rivers|roads|lim|
//!     velzel|world|world-grids|world-roads|mijailovic|soak|crash|fuzz|strangers|browser|wheel|
//!     python|dask|vendor-three|words|sizes
//! >
//! ```

mod book;
mod browser;
mod crash;
mod docs;
mod fuzz;
mod gallery;
mod lim;
mod memory;
mod mijailovic;
mod outputs;
mod overhead;
mod picture;
mod python;
mod readback;
mod rivers;
mod roads;
mod schemes;
mod sizes;
mod soak;
mod speed;
mod strangers;
mod thorimbert;
mod velzel;
mod words;
mod world;
mod world_grids;
mod world_roads;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};
use terrane_charts::{Curve, line_chart};

/// The result of a task. An error ends the task with its message.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Parser)]
#[command(about = "Tasks for maintainers")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write a page per node into nodes-docs/.
    Docs {
        /// Change nothing; fail when a page is stale.
        #[arg(long)]
        check: bool,
    },
    /// Write the index of graphs, graphs/README.md, and its pictures.
    Gallery {
        /// Change nothing; fail when the index is stale or a picture is missing.
        #[arg(long)]
        check: bool,
    },
    /// Draw the pictures of the book, and build the book if mdbook is installed.
    Book {
        /// Change nothing; fail when a picture is stale.
        #[arg(long)]
        check: bool,
    },
    /// Compute spectra of noise, which reveal the streaks of a lattice, over many seeds.
    Thorimbert {
        /// Number of terrains.
        #[arg(long, default_value_t = 50)]
        seeds: u64,
        /// Folder for the table and pictures.
        #[arg(long, default_value = "out/thorimbert")]
        out: PathBuf,
    },
    /// Run Criterion's benchmarks.
    Bench {
        /// Run only benchmarks whose names contain this.
        filter: Option<String>,
    },
    /// Run random graphs as arbitrary users may write them, and check memory, time, and how soon they stop.
    Strangers {
        /// Number of graphs.
        #[arg(long, default_value_t = 200)]
        graphs: u64,
        /// Seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure the engine's own overhead: 10,000 trivial nodes.
    Overhead,
    /// Compare the forecast memory of whole runs with the memory used, on 1 to 32 threads. Needs `/proc`.
    Memory,
    /// Measure the cost of files compared with the nodes that compute them, at 8193²: wall and processor
    /// time (Linux).
    Outputs {
        /// Number of rounds. The best round counts.
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// Measure the kernels, on one thread and on two, compared with the memory's speed.
    Speed,
    /// Measure how long nodes take on maps of several sizes, and write the table into the book.
    Sizes {
        /// Samples along a side, in increasing order.
        #[arg(long, value_delimiter = ',', default_values_t = [513, 1025, 2049, 4097])]
        sides: Vec<usize>,
        /// Print the table instead.
        #[arg(long)]
        print: bool,
    },
    /// Write files of every format and read them back with other libraries.
    Readback {
        /// A Python with numpy and any of rasterio, tifffile, Pillow, OpenEXR and trimesh to read the files.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Measure erosion by rivers, compared with the papers and, if installed, fastscapelib.
    Rivers {
        /// A Python that has fastscapelib and numpy.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Build roads over hills and models of Earth, and report missed bounds, earth moved and heights.
    Roads {
        /// Show only ground whose name contains this.
        ground: Option<String>,
        /// Compare with the exact optimum, which takes up to a minute for each ground of 129 x 129 samples.
        #[arg(long)]
        optimum: bool,
        /// Instead of the table, build this many random roads and fail if one breaks a limit.
        #[arg(long, num_args = 0..=1, default_missing_value = "200", value_name = "ROADS")]
        cases: Option<u64>,
        /// Instead of the table, build the random road with this number and write the ground before and
        /// after.
        #[arg(long, value_name = "NUMBER")]
        case: Option<u64>,
        /// Instead of the table, compare routes over models of Earth for different costs: their length, and
        /// the earth that building them moves.
        #[arg(long)]
        costs: bool,
        /// Folder for the ground of one case.
        #[arg(long, default_value = "out/roads")]
        out: PathBuf,
    },
    /// Print Mijailovic's table of times for stitching.
    Mijailovic,
    /// Evaluate worlds of random roads over rough ground, and the repository's world on many seeds. Reports
    /// patches whose bounds conflict, borders that differ, and bends across borders.
    WorldGrids {
        /// Number of random worlds at each amplitude.
        #[arg(long, default_value_t = 17)]
        worlds: u64,
        /// Number of seeds of the repository's world.
        #[arg(long, default_value_t = 20)]
        seeds: u64,
        /// A folder for the random worlds and their heights.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Measure a world with many roads: the time from its file to a first patch.
    WorldRoads {
        /// Number of edges.
        #[arg(long, default_value_t = 100_000)]
        edges: usize,
        /// The maximum height of the ground. The higher, the farther away is the ground that a patch depends
        /// on.
        #[arg(long, default_value_t = 24.0)]
        high: f64,
        /// Folder for the world.
        #[arg(long, default_value = "out/world-roads")]
        out: PathBuf,
    },
    /// Compare a world of patches with shared borders with borders stitched as in the thesis.
    World {
        /// Number of patches along a side.
        #[arg(long, default_value_t = 4)]
        side: i64,
        /// Maximum number of sweeps for the thesis's method.
        #[arg(long, default_value_t = 3000)]
        sweeps: u64,
    },
    /// Compute Lim, Tan & Bhojan's figure 4 in numbers, over many seeds.
    Lim {
        /// Number of seeds.
        #[arg(long, default_value_t = 8)]
        seeds: u64,
    },
    /// Draw the convergence of Velzel's parallel form, compared with sweeps, into `graphs/velzel`.
    Velzel {
        /// Instead, draw figures 4, 6 and 8 to 11 from the tables in that folder.
        #[arg(long)]
        figures: bool,
        /// Samples along a side.
        #[arg(long, default_value_t = 33)]
        side: usize,
    },
    /// Save a watched graph many times in all ways, and measure latency, memory and the last state.
    Soak {
        /// Number of saves.
        #[arg(long, default_value_t = 1000)]
        saves: u32,
    },
    /// Test the live preview in headless Chromium.
    Browser {
        /// Instead, save a graph this many times and measure the memory of page and server.
        #[arg(long, num_args = 0..=1, default_missing_value = "1000", value_name = "SAVES")]
        soak: Option<u32>,
        /// Instead, take the book's screenshot of the page, and its film of an edited graph.
        #[arg(long, conflicts_with = "soak")]
        pictures: bool,
        /// Use the debug build: quicker to build, slower to evaluate.
        #[arg(long)]
        debug: bool,
    },
    /// Build the Python wheel into target/wheels.
    Wheel {
        /// A Python that has maturin.
        #[arg(long, default_value = "python3")]
        python: PathBuf,
    },
    /// Run worlds on a Dask cluster and in a bucket, while processes are killed and connections dropped;
    /// measure the overhead; and read stores with other programs. Missing packages are installed into an
    /// environment in target/python.
    Dask {
        /// Run only checks whose names contain this. Checks: readers, kills, bucket, overhead.
        filter: Option<String>,
        /// Python 3.11 or newer.
        #[arg(long, default_value = "python3")]
        python: PathBuf,
    },
    /// Build the Python wheel, install it into an environment in target/python, and test it there.
    Python {
        /// Python 3.11 or newer.
        #[arg(long, default_value = "python3")]
        python: PathBuf,
        #[command(flatten)]
        options: python::Options,
    },
    /// Copy three.js into the repository from the npm registry.
    VendorThree,
    /// Kill runs, watches, sweeps and worlds at random moments and check for broken outputs and cache
    /// entries.
    Crash {
        /// Number of kills of each command.
        #[arg(long, default_value_t = 200)]
        kills: u32,
    },
    /// Feed mutated inputs to every reader of external data, and look for panics, hangs, excessive memory
    /// and wrong values.
    Fuzz(fuzz::Options),
    /// Find words and phrases that are not allowed, and lines that are too long.
    Words,
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Docs { check } => docs::docs(check).and_then(|()| python::stub(check)),
        Task::Wheel { python } => python::wheel(&python, false).map(drop),
        Task::Dask { filter, python } => python::dask(&python, filter.as_deref()),
        Task::Python { python, options } => python::test(&python, options),
        Task::Gallery { check } => gallery::gallery(check),
        Task::Book { check } => book::book(check),
        Task::Thorimbert { seeds, out } => thorimbert::thorimbert(seeds, &out),
        Task::Bench { filter } => bench(filter.as_deref()),
        Task::Strangers { graphs, seed } => strangers::strangers(graphs, seed),
        Task::Overhead => overhead::overhead(),
        Task::Memory => memory::memory(),
        Task::Outputs { rounds } => outputs::outputs(rounds),
        Task::Speed => speed::speed(),
        Task::Sizes { sides, print } => sizes::sizes(&sides, print),
        Task::Readback { python } => readback::readback(&python),
        Task::Rivers { python } => rivers::rivers(&python),
        Task::Roads { costs: true, .. } => roads::costs(),
        Task::Roads { ground, optimum, cases, case, out, .. } => {
            roads::roads((ground.as_deref(), optimum), (cases, case), &out)
        }
        Task::Lim { seeds } => lim::lim(seeds),
        Task::Mijailovic => mijailovic::table(),
        Task::WorldGrids { worlds, seeds, out } => world_grids::run(worlds, seeds, out.as_deref()),
        Task::WorldRoads { edges, high, out } => world_roads::run(edges, high, &out),
        Task::World { side, sweeps } => world::run(side, sweeps),
        Task::Velzel { figures: true, .. } => velzel::figures(),
        Task::Velzel { side, .. } => velzel::convergence(side),
        Task::Soak { saves } => soak::soak(saves),
        Task::Browser { pictures: true, debug, .. } => browser::pictures(debug),
        Task::Browser { soak, debug, .. } => browser::browser(soak, debug),
        Task::VendorThree => browser::vendor_three(),
        Task::Crash { kills } => crash::crash(kills),
        Task::Fuzz(options) => fuzz::fuzz(&options),
        Task::Words => words::words(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _unheard = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs Criterion's benchmarks of this crate and of the crate for files.
fn bench(filter: Option<&str>) -> Result<()> {
    for (package, name) in [("xtask", "noise"), ("terrane-io", "formats")] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root()).args(["bench", "--package", package, "--bench", name]);
        if let Some(filter) = filter {
            cargo.args(["--", filter]);
        }
        if !cargo.status()?.success() {
            return Err(format!("the benchmark `{name}` failed").into());
        }
    }
    Ok(())
}

/// The `terrane` command, built.
fn program() -> Result<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--release", "--package", "terrane"]);
    if cargo.status()?.success() {
        Ok(target().join("release/terrane"))
    } else {
        Err("the command does not build".into())
    }
}

/// Cargo's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Draws curves, and single points for comparison, into a file.
fn plot(path: &Path, axes: [&str; 2], curves: &[Curve<'_>], points: (&str, &[(f64, f64)])) -> Result<()> {
    let chart = line_chart(axes, curves, points)?;
    terrane_io::write_atomic(path, false, |file| file.write_all(chart.as_bytes()))?;
    Ok(())
}

/// Prints a line to standard output.
fn say(text: &str) {
    let _unheard = writeln!(std::io::stdout(), "{text}");
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Args;

    /// Tests of documents parse the list at the top of this file, since they do not build this crate.
    #[test]
    fn the_first_lines_name_all_tasks() {
        let text = include_str!("main.rs");
        let command = Args::command();
        let mut tasks: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let list = text.split(['<', '>']).nth(1).unwrap();
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let mut named: Vec<&str> = list.split(|c| !letter(c)).filter(|name| !name.is_empty()).collect();
        tasks.sort_unstable();
        named.sort_unstable();
        assert_eq!(tasks, named);
    }
}
