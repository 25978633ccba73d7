//! The options of a sweep, and callbacks while it runs.

use std::path::{Path, PathBuf};

use terrane_flow::LoadOptions;

use super::summary_file::RowsOf;
use super::varied::Varied;

/// Many runs of a graph, and the files to write from them.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The file of the graph, or of a world.
    pub graph: PathBuf,
    /// For a world, the patch.
    pub patch: Option<OfWorld>,
    /// The options that all runs share.
    pub load: LoadOptions,
    /// Sizes instead of the graph's, such as `129x129`. Several sizes are swept.
    pub sizes: Vec<String>,
    /// Parameters with their values. All combinations run.
    pub varied: Vec<Varied>,
    /// Seeds. If empty, the graph's own.
    pub seeds: Vec<u64>,
    /// The metrics in the table: `NODE[.OUTPUT][.COLUMN][@ROW]`.
    pub metrics: Vec<String>,
    /// The table, .csv or .json. Existing rows are kept.
    pub table: PathBuf,
    /// Whether rows that lack a requested time run again.
    pub measure: bool,
    /// The summary over seeds: .md, .csv or .json.
    pub summary: Option<PathBuf>,
    /// The meaning of a row of the summary.
    pub summary_rows: RowsOf,
    /// A chart of metrics, .svg.
    pub plot: Option<PathBuf>,
    /// Curves of tables with many rows, .svg or .csv.
    pub curves: Option<PathBuf>,
    /// A sheet of small pictures, .png, or an animation of them, .gif.
    pub sheet: Option<PathBuf>,
    /// The output, or `NODE.OUTPUT`, that the sheet shows.
    pub picture: Option<String>,
}

impl Sweep {
    /// The files that it writes.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let others = [&self.summary, &self.plot, &self.curves, &self.sheet];
        others.into_iter().flatten().map(PathBuf::as_path).chain([&*self.table])
    }
}

/// A patch of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfWorld {
    /// The patch's column and row.
    pub patch: (i64, i64),
    /// The level of detail. At each level, samples are twice as far apart as at the level below.
    pub level: u32,
}

/// Callbacks while a sweep runs.
pub trait Listener {
    /// The sweep starts. This many runs are left, not counting those already in the table.
    fn begin(&mut self, _runs: usize) {}

    /// A run is done.
    fn ran(&mut self) {}

    /// Whether to start further runs. Called after each run.
    fn goes_on(&self) -> bool {
        true
    }

    /// All runs are done, or no further ones start.
    fn end(&mut self) {}

    /// A note for the user.
    fn note(&mut self, _text: &str) {}
}

/// A listener that does nothing.
impl Listener for () {}
