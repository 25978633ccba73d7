//! Experiments with the papers that Terrane's techniques come from: `cargo experiments --help` lists them.
//! The README beside each paper's graphs has their results.

mod lim;
mod mijailovic;
mod rivers;
mod roads;
mod thorimbert;
mod velzel;
mod world;
mod world_grids;
mod world_roads;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use terrane_charts::{Curve, line_chart};

/// The result of an experiment. An error ends the experiment with its message.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Parser)]
#[command(about = "Experiments with the papers that Terrane's techniques come from")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Draw the convergence of Velzel's parallel form, compared with sweeps, into `graphs/velzel`.
    Velzel {
        /// Instead, draw figures 4, 6 and 8 to 11 from the tables in that folder.
        #[arg(long)]
        figures: bool,
        /// Samples along a side.
        #[arg(long, default_value_t = 33)]
        side: usize,
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
    /// Compare a world of patches with shared borders with borders stitched as in the thesis.
    World {
        /// Number of patches along a side.
        #[arg(long, default_value_t = 4)]
        side: i64,
        /// Maximum number of sweeps for the thesis's method.
        #[arg(long, default_value_t = 3000)]
        sweeps: u64,
    },
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
    /// Compute Lim, Tan & Bhojan's figure 4 in numbers, over many seeds.
    Lim {
        /// Number of seeds.
        #[arg(long, default_value_t = 8)]
        seeds: u64,
    },
    /// Measure erosion by rivers, compared with the papers and, if installed, fastscapelib.
    Rivers {
        /// A Python that has fastscapelib and numpy.
        #[arg(long, default_value = "python3")]
        python: String,
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
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Velzel { figures: true, .. } => velzel::figures(),
        Task::Velzel { side, .. } => velzel::convergence(side),
        Task::Roads { costs: true, .. } => roads::costs(),
        Task::Roads { ground, optimum, cases, case, out, .. } => {
            roads::roads((ground.as_deref(), optimum), (cases, case), &out)
        }
        Task::Mijailovic => mijailovic::table(),
        Task::World { side, sweeps } => world::run(side, sweeps),
        Task::WorldGrids { worlds, seeds, out } => world_grids::run(worlds, seeds, out.as_deref()),
        Task::WorldRoads { edges, high, out } => world_roads::run(edges, high, &out),
        Task::Lim { seeds } => lim::lim(seeds),
        Task::Rivers { python } => rivers::rivers(&python),
        Task::Thorimbert { seeds, out } => thorimbert::thorimbert(seeds, &out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _unheard = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
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
