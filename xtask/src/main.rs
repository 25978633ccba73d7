//! The maintainers' tasks: `cargo xtask --help` lists them.

mod book;
mod browser;
mod cases;
mod chain;
mod crash;
mod docs;
mod editor;
mod files;
mod fuzz;
mod gallery;
mod kernels;
mod llms;
mod memory;
mod neovim;
mod neovim_types;
mod outputs;
mod overhead;
mod pages;
mod picture;
mod placed_outputs;
mod python;
mod readback;
mod roads;
mod schemes;
mod sizes;
mod soak;
mod stops;
mod strangers;
mod tasks;
mod vscode;
mod water;
mod written_by_others;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};
use pages::pages;
use picture::Renderer;

#[global_allocator]
static HEAP: terrane_compute::LargePages = terrane_compute::LargePages;

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
    /// Do what `docs`, `gallery` and `book` do, in one process.
    Pages {
        /// Change nothing; fail when a page is stale.
        #[arg(long)]
        check: bool,
    },
    /// Write a page per node into nodes-docs/, llms.txt, and the generated Python sources.
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
    /// Run Criterion's benchmarks.
    Bench {
        /// Run only benchmarks whose names contain this.
        filter: Option<String>,
    },
    /// Drive the language server from Neovim.
    Neovim,
    /// Build the extension for VS Code into editors/vscode/dist/terrane.vsix, and test it.
    Vscode,
    /// Measure how soon the language server answers.
    Editor {
        /// Nodes of a large graph.
        #[arg(long, default_value_t = 10_000)]
        nodes: usize,
    },
    /// Cancel the example of every node type while it runs, and print how soon it stops.
    Stops {
        /// Only this node type.
        only: Option<String>,
        /// Samples along a side.
        #[arg(long, default_value_t = 1025)]
        side: usize,
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
    /// Compare the earth that roads move over random ground with the optimum and with sweeps.
    Roads {
        /// Number of grounds.
        #[arg(long, default_value_t = 200)]
        grounds: u64,
        /// Seed of the first ground.
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
    /// Measure the cost of writing files of each format, beside other libraries (Linux).
    Files {
        /// The number of columns and of rows.
        #[arg(long, default_value_t = 4097)]
        side: usize,
        /// A Python with numpy and any of rasterio, tifffile, OpenEXR, OpenCV, Pillow, imagecodecs, orjson,
        /// pyogrio and trimesh.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Time a chain of 24 nodes of arithmetic and comparison, beside numpy.
    Chain {
        /// The number of columns and of rows.
        #[arg(long, default_value_t = 4097)]
        side: usize,
        /// A Python with numpy.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Remove the hollows of random and real ground, and drain it while it erodes, beside topotoolbox.
    Water {
        /// The number of random grounds.
        #[arg(long, default_value_t = 20)]
        grounds: u64,
        /// A Python with numpy, tifffile, topotoolbox, fastscapelib and, if possible, landlab.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Trace and carve the rivers of random and real ground, and check that they fall, end in water, and stay
    /// between their banks.
    Rivers {
        /// The number of random grounds.
        #[arg(long, default_value_t = 9)]
        grounds: u64,
        /// A Python with numpy and tifffile.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Erode random ground at three spacings, and compare how much is eroded, where, and the rivers.
    Scale {
        /// The number of random grounds.
        #[arg(long, default_value_t = 20)]
        grounds: u64,
        /// A Python with numpy and scipy.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Measure everyday nodes, on one thread and on two, beside the memory's bandwidth and the fastest of
    /// the libraries that Python has.
    Kernels {
        /// Only nodes whose names contain this.
        #[arg(default_value = "")]
        filter: String,
        /// Samples along a side.
        #[arg(long, value_delimiter = ',', default_values_t = [1025, 4097])]
        sides: Vec<usize>,
        /// A Python with numpy and any of scipy, OpenCV, Pillow, contourpy and matplotlib.
        #[arg(long, default_value = "python3")]
        python: String,
    },
    /// Measure how long nodes take on maps of several sizes, and write the table into the book.
    Sizes {
        /// Samples along a side, in increasing order.
        #[arg(long, value_delimiter = ',', default_values_t = [513, 1025, 2049, 4097])]
        sides: Vec<usize>,
        /// Print the table instead.
        #[arg(long)]
        print: bool,
    },
    /// Write files of every format and read them back with other libraries; read random files that other
    /// libraries wrote; and compare places and values of outputs with those of the ground that other
    /// libraries made.
    Readback {
        /// A Python with numpy and any of rasterio, tifffile, Pillow, OpenEXR and trimesh; for `--outputs`
        /// with rasterio, Pillow, pyproj, xarray and zarr.
        #[arg(long, default_value = "python3")]
        python: String,
        /// Number of files of other libraries.
        #[arg(long, default_value_t = 1000)]
        others: u64,
        /// Number of graphs and worlds on random ground whose outputs other libraries read.
        #[arg(long, default_value_t = 100)]
        outputs: u64,
        /// Seed of the files and of the ground.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Leave the files of `--outputs` in this folder.
        #[arg(long)]
        keep: Option<PathBuf>,
        /// A `terrane` with stores for `--outputs`. Default: it is built.
        #[arg(long)]
        program: Option<PathBuf>,
    },
    /// Run cases made by hand: files and graphs that are easily misread, with what other libraries say.
    Cases {
        /// Only those of these kinds or names.
        wanted: Vec<String>,
        /// A Python with numpy, rasterio, tifffile, OpenEXR, Pillow, pyproj, xarray and zarr.
        #[arg(long, default_value = "python3")]
        python: String,
        /// A `terrane` with stores. Default: it is built.
        #[arg(long)]
        program: Option<PathBuf>,
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
    /// Copy CodeMirror into the repository from the npm registry.
    VendorCodemirror,
    /// Kill runs, watches, sweeps and worlds at random moments and check for broken outputs and cache
    /// entries.
    Crash {
        /// Number of kills of each command.
        #[arg(long, default_value_t = 200)]
        kills: u32,
    },
    /// Solve tasks over `terrane mcp`: graphs with seeded faults and gaps are mended by a fixed search,
    /// until an output has the digest of the true graph.
    Tasks {
        /// Number of tasks.
        #[arg(long, default_value_t = 100)]
        tasks: usize,
        /// Seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// A `terrane`. Default: the one in target/debug.
        #[arg(long)]
        program: Option<PathBuf>,
        /// Print the texts of the tasks that were not solved.
        #[arg(long)]
        failures: bool,
    },
    /// Feed mutated inputs to every reader of external data, and look for panics, hangs, excessive memory
    /// and wrong values.
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Pages { check } => pages(&[docs, gallery::gallery, book::book], check),
        Task::Docs { check } => pages(&[docs], check),
        Task::Wheel { python } => python::wheel(&python, false).map(drop),
        Task::Dask { filter, python } => python::dask(&python, filter.as_deref()),
        Task::Python { python, options } => python::test(&python, options),
        Task::Gallery { check } => pages(&[gallery::gallery], check),
        Task::Book { check } => pages(&[book::book], check),
        Task::Bench { filter } => bench(filter.as_deref()),
        Task::Neovim => neovim::neovim(),
        Task::Vscode => vscode::vscode(),
        Task::Editor { nodes } => editor::editor(nodes),
        Task::Stops { only, side } => stops::stops(only.as_deref(), side),
        Task::Strangers { graphs, seed } => strangers::strangers(graphs, seed),
        Task::Roads { grounds, seed } => roads::roads(grounds, seed),
        Task::Overhead => overhead::overhead(),
        Task::Memory => memory::memory(),
        Task::Outputs { rounds } => outputs::outputs(rounds),
        Task::Files { side, python } => files::files(side, &python),
        Task::Water { grounds, python } => water::water(grounds, &python),
        Task::Rivers { grounds, python } => water::rivers(grounds, &python),
        Task::Scale { grounds, python } => water::scale(grounds, &python),
        Task::Chain { side, python } => chain::chain(side, &python),
        Task::Kernels { filter, sides, python } => kernels::kernels(&sides, &filter, &python),
        Task::Sizes { sides, print } => sizes::sizes(&sides, print),
        Task::Readback { python, others, outputs, seed, keep, program } => {
            written_by_others::written_by_others(&python, others, seed)
                .and_then(|()| readback::readback(&python))
                .and_then(|()| {
                    placed_outputs::placed_outputs(&python, (outputs, seed), keep.as_deref(), program)
                })
        }
        Task::Cases { wanted, python, program } => cases::cases(&python, program, &wanted),
        Task::Soak { saves } => soak::soak(saves),
        Task::Browser { pictures: true, debug, .. } => browser::pictures(debug),
        Task::Browser { soak, debug, .. } => browser::browser(soak, debug),
        Task::VendorThree => browser::vendor_three(),
        Task::VendorCodemirror => browser::vendor_codemirror(),
        Task::Crash { kills } => crash::crash(kills),
        Task::Tasks { tasks, seed, program, failures } => solved(tasks, seed, program, failures),
        Task::Fuzz(options) => fuzz::fuzz(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _unheard = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes or checks what is generated from the declarations of nodes.
fn docs(renderer: &Renderer, check: bool) -> Result<()> {
    docs::docs(renderer, check)?;
    llms::llms(renderer, check)?;
    python::stub(check)
}

/// Runs Criterion's benchmarks, of whatever crate.
fn bench(filter: Option<&str>) -> Result<()> {
    let benches = [("xtask", "noise"), ("terrane-io", "formats"), ("terrane-flow", "language")];
    for (package, name) in benches {
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
    built(&[])
}

/// The `terrane` command, built with more options of Cargo.
fn built(options: &[&str]) -> Result<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--release", "--package", "terrane-cli"]).args(options);
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

/// Prints a line to standard output.
fn say(text: &str) {
    let _unheard = writeln!(std::io::stdout(), "{text}");
}

/// Solves tasks over `terrane mcp`, and prints how many.
fn solved(count: usize, seed: u64, program: Option<PathBuf>, shows: bool) -> Result<()> {
    let program = program.unwrap_or_else(|| root().join("target/debug/terrane"));
    let wanted = (count, seed, usize::MAX);
    let report = tasks::run(&program, &root().join("graphs"), &terrane::registry(), wanted, &mut say)?;
    say(report.to_text().trim_end());
    if shows {
        report.failures.iter().for_each(|failure| say(failure));
    }
    let is_enough = 100 * report.solved >= 95 * report.tasks && report.empty == 0;
    if is_enough { Ok(()) } else { Err("fewer than 95 of 100 tasks were solved".into()) }
}
