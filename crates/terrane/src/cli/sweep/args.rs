//! What can be typed behind `terrane sweep`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::layout::RowsOf;

#[derive(Debug, ClapArgs)]
pub struct Sweep {
    /// The graph file.
    pub graph: PathBuf,
    /// Seeds, such as 0..10 (without 10) or 1,5,9; without, the graph's own.
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Values of a parameter: K=V1,V2, or K=A..B:N for N steps from A to B; can be repeated, then all are combined. All runs alike
    /// have what `@PROFILE` sets, a profile of the graph, or `@FILE.ron`, a file `{ "name": value }`, where no K does.
    #[arg(long, value_name = "K=V1,V2")]
    pub set: Vec<String>,
    /// Numbers to be tabled: of a table all columns or the one named, of a map min, max, mean or deviation; can be repeated.
    ///
    /// Of a table with many rows, @last, @0 (the first) or @iteration=100 (where that column has that value) names one:
    /// thermal.history.score@last. A * in the node's name stands for any letters: play_*.score is the score of every node
    /// whose name begins so and that has one. NODE.seconds is how long the node ran in this run, beside whatever else did
    /// (--threads 1: nothing); it has no number where the result was in the cache, and is kept with its row. With --no-cache, a
    /// row without that number runs again.
    #[arg(long, required = true, value_name = "NODE[.OUTPUT][.COLUMN][@ROW]")]
    pub metric: Vec<String>,
    /// The table, .csv or .json. Rows that it has already are kept; those of other seeds and values of the same graph,
    /// parameters and metrics stay in it. Where rows would be lost, nothing runs.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// What the seeds of each combination of parameters that this command asks for have in common, .md, .csv or .json: of every metric the number of
    /// runs, mean, sample deviation (over n - 1), least and most; Markdown has mean ± deviation.
    #[arg(long, value_name = "FILE.md")]
    pub summary: Option<PathBuf>,
    /// What has a row of the summary: a combination of parameters, or a node (of each combination), so that nodes are compared.
    #[arg(long, value_enum, default_value_t = RowsOf::Parameters, requires = "summary")]
    pub summary_rows: RowsOf,
    /// A chart of the metrics over the first parameter that has numbers (of sizes the columns, where these differ), or over seeds: means over seeds, with a band of one
    /// sample deviation to both sides.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Charts, or with .csv numbers, of the columns that metrics with an @ are rows of, over the table's first column: means
    /// over seeds with a band of one sample deviation, a line for each node and combination of parameters. A run whose table
    /// ends before others' stays at its last row.
    #[arg(long, value_name = "FILE.svg")]
    pub curves: Option<PathBuf>,
    /// A sheet of small pictures, one a run.
    #[arg(long, value_name = "FILE.png", requires = "picture")]
    pub sheet: Option<PathBuf>,
    /// The output, or NODE.OUTPUT, that the sheet shows.
    #[arg(long, value_name = "OUTPUT", requires = "sheet")]
    pub picture: Option<String>,
    /// Samples, in place of the graph's; the extent stays and the spacing follows. Several, 65x65,129x129, are varied as a
    /// parameter is.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Threads, and runs at once; 0 is one per core.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Keep nothing on disk but the table.
    #[arg(long)]
    pub no_cache: bool,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Bytes of memory that values and running nodes may take, such as 4G; without, three quarters of the machine's.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Bytes that the disk cache may take, such as 8G.
    #[arg(long, default_value = "8G", value_name = "BYTES")]
    pub cache_size: String,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}
