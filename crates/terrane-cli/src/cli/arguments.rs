//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// The graph file and how to load it.
#[derive(Debug, Args)]
pub struct Load {
    /// The graph file.
    pub graph: PathBuf,
    #[command(flatten)]
    pub with: LoadWith,
}

/// How to load a graph file.
#[derive(Debug, Default, Args)]
pub struct LoadWith {
    /// Use this seed instead of the graph's.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Use this many samples instead of the graph's size. The extent stays the same; the spacing changes.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Set a parameter of the graph. `@PROFILE` sets the parameters of one of the graph's profiles, and
    /// `@FILE.ron` those in a file `{ "name": value }`. Can be repeated; the last value of a parameter wins.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}

/// The patch and the level of detail of a world.
#[derive(Clone, Debug, Default, Args)]
pub struct OfWorld {
    /// For a world: one patch, such as 3,-2.
    #[arg(long, value_name = "I,J", allow_hyphen_values = true)]
    pub patch: Option<String>,
    /// For a world: the level of detail. At level N samples are 2^N times as far apart; a patch has the same
    /// number of samples at every level.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=30))]
    pub level: u32,
}

/// Default for the size of the disk cache.
pub const CACHE_SIZE: &str = "8G";

/// Which results the disk cache keeps for later runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kept {
    /// Results that are faster to read than to recompute, and those that the graph marks with `keep`.
    Worth,
    /// The results of every node.
    All,
}

/// Options of the commands that evaluate a graph. Each of these commands supports all of them.
#[derive(Debug, Args)]
pub struct Engine {
    /// Number of threads; 0 means one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Evaluate every node, and do not use the disk cache.
    #[arg(long)]
    pub no_cache: bool,
    /// Which results to keep on disk for later runs.
    #[arg(long, value_enum, default_value_t = Kept::Worth, value_name = "WHICH")]
    pub keep: Kept,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Maximum size of the disk cache, such as 8G.
    #[arg(long, default_value = CACHE_SIZE, value_name = "BYTES")]
    pub cache_size: String,
    /// Maximum memory for values and running nodes, such as 4G. Default: three quarters of the machine's
    /// memory.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Print events and the result as JSON, one object per line.
    #[arg(long)]
    pub json: bool,
    /// Print a table of time and memory per node.
    #[arg(long)]
    pub profile: bool,
}

impl Engine {
    /// The defaults, with a folder of the disk cache.
    pub fn plain(cache_dir: Option<PathBuf>) -> Self {
        Self {
            threads: 0,
            no_cache: false,
            keep: Kept::Worth,
            cache_dir,
            cache_size: CACHE_SIZE.to_owned(),
            memory: None,
            json: false,
            profile: false,
        }
    }
}

/// Parses a number of threads. Above 1024, threads would only wait for each other.
pub fn threads(text: &str) -> Result<usize, String> {
    let most = 1024;
    match text.parse() {
        Ok(threads) if threads <= most => Ok(threads),
        _ => Err(format!("expected a whole number from 0 (one per core) to {most}")),
    }
}

/// Whether a path names a store rather than a folder of files.
pub fn is_store(name: &Path) -> bool {
    let name = name.to_string_lossy();
    name.contains("://") || name.trim_end_matches('/').ends_with(".zarr")
}
