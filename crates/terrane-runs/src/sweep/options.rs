//! What a sweep is asked for.

use std::path::PathBuf;

use terrane_flow::LoadOptions;

use super::layout::RowsOf;
use super::varied::Varied;

/// Many runs of a graph, and what is to be made of them.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The graph's file, or a world's.
    pub graph: PathBuf,
    /// Of a world, which patch.
    pub patch: Option<OfWorld>,
    /// What all runs have alike.
    pub load: LoadOptions,
    /// Sizes in place of the graph's, such as `129x129`; several are varied.
    pub sizes: Vec<String>,
    /// Parameters with their values, which are all combined.
    pub varied: Vec<Varied>,
    /// Seeds; without any, the graph's own.
    pub seeds: Vec<u64>,
    /// Numbers to be tabled: `NODE[.OUTPUT][.COLUMN][@ROW]`.
    pub metrics: Vec<String>,
    /// The table, .csv or .json. Rows that it has already are kept.
    pub table: PathBuf,
    /// Whether rows that lack a time are run again, where times are asked for.
    pub measure: bool,
    /// What seeds have in common: .md, .csv or .json.
    pub summary: Option<PathBuf>,
    /// What has a row of the summary.
    pub summary_rows: RowsOf,
    /// A chart of metrics, .svg.
    pub plot: Option<PathBuf>,
    /// Curves of tables with many rows, .svg or .csv.
    pub curves: Option<PathBuf>,
    /// A sheet of small pictures, .png, and the output that it shows.
    pub sheet: Option<PathBuf>,
    /// The output, or `NODE.OUTPUT`, that the sheet shows.
    pub picture: Option<String>,
}

/// A patch of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfWorld {
    /// Which.
    pub patch: (i64, i64),
    /// Its level of detail: at each, samples are twice as far apart as at the one below.
    pub level: u32,
}

/// Whoever is told of a sweep while it goes on.
pub trait Listener {
    /// So many runs begin; what the table has already is not among them.
    fn begin(&mut self, _runs: usize) {}

    /// Another run has come to its end.
    fn ran(&mut self) {}

    /// Whether others begin; asked after each run.
    fn goes_on(&self) -> bool {
        true
    }

    /// All runs have come to their end, or no other begins.
    fn end(&mut self) {}

    /// Something that a person should know.
    fn note(&mut self, _text: &str) {}
}

/// Nobody is told.
impl Listener for () {}
