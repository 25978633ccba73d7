//! Arguments that several commands take.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// What a graph is loaded with.
#[derive(Debug, Args)]
pub struct Load {
    /// The graph file.
    pub graph: PathBuf,
    /// The seed, in place of the graph's.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Samples, in place of the graph's; the extent stays and the spacing follows.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// A parameter of the graph, `@PROFILE` for those that one of its profiles sets, or `@FILE.ron` for those
    /// of a file `{ "name": value }`; can be repeated, and later ones win.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}

/// Which patch of a world is meant.
#[derive(Clone, Debug, Default, Args)]
pub struct OfWorld {
    /// Of a world, one patch, such as 3,-2.
    #[arg(long, value_name = "I,J", allow_hyphen_values = true)]
    pub patch: Option<String>,
    /// Of a world, a level of detail: samples are 2^N times as far apart, and a patch keeps the same number
    /// of them.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=30))]
    pub level: u32,
}

/// What the disk cache may take where nothing else is said.
pub const CACHE_SIZE: &str = "8G";

/// Which results are kept for other runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kept {
    /// Those that take longer to make than to read, and what the graph says with `keep`.
    Worth,
    /// Those of every node.
    All,
}

/// How a graph is evaluated. Only for commands that evaluate: they heed all of it.
#[derive(Debug, Args)]
pub struct Engine {
    /// Threads; 0 is one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Evaluate every node, and keep nothing.
    #[arg(long)]
    pub no_cache: bool,
    /// Which results are kept for other runs.
    #[arg(long, value_enum, default_value_t = Kept::Worth, value_name = "WHICH")]
    pub keep: Kept,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Bytes that the disk cache may take, such as 8G.
    #[arg(long, default_value = CACHE_SIZE, value_name = "BYTES")]
    pub cache_size: String,
    /// Bytes of memory that values and running nodes may take, such as 4G; without, three quarters of the
    /// machine's.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Print events and the result as JSON, one object a line.
    #[arg(long)]
    pub json: bool,
    /// Show a table of time and memory per node.
    #[arg(long)]
    pub profile: bool,
}

/// A number of threads: so many that they would do nothing but wait for each other are refused.
pub fn threads(text: &str) -> Result<usize, String> {
    let most = 1024;
    match text.parse() {
        Ok(threads) if threads <= most => Ok(threads),
        _ => Err(format!("expected a whole number from 0 (one per core) to {most}")),
    }
}

/// Whether a store is named, and not a folder of files.
pub fn is_store(name: &Path) -> bool {
    let name = name.to_string_lossy();
    name.contains("://") || name.trim_end_matches('/').ends_with(".zarr")
}
