//! What can be typed behind `terrane sweep`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub struct Sweep {
    /// The graph file.
    pub graph: PathBuf,
    /// Seeds, such as 0..10 (without 10) or 1,5,9; without, the graph's own.
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Values of a parameter: K=V1,V2, or K=A..B:N for N steps from A to B; can be repeated, then all are combined.
    #[arg(long, value_name = "K=V1,V2")]
    pub set: Vec<String>,
    /// Numbers to be tabled: of a table all columns or the one named, of a map min, max, mean or deviation; can be repeated.
    #[arg(long, required = true, value_name = "NODE[.OUTPUT][.COLUMN]")]
    pub metric: Vec<String>,
    /// The table, .csv or .json. Rows that it has already are kept.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// A chart of the metrics over the first parameter that has numbers, or over seeds.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// A sheet of small pictures, one a run.
    #[arg(long, value_name = "FILE.png", requires = "picture")]
    pub sheet: Option<PathBuf>,
    /// The output, or NODE.OUTPUT, that the sheet shows.
    #[arg(long, value_name = "OUTPUT", requires = "sheet")]
    pub picture: Option<String>,
    /// Samples, in place of the graph's; the extent stays and the spacing follows.
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
    /// Bytes that the disk cache may take, such as 8G.
    #[arg(long, default_value = "8G", value_name = "BYTES")]
    pub cache_size: String,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}
