//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::cache::Cache;
use super::sweep::Sweep;
use super::verify::Verify;

/// Procedural terrain as text.
#[derive(Debug, Parser)]
#[command(
    name = "terrane",
    version,
    about,
    after_help = "Exit codes: 0 done, 1 evaluation failed, 2 bad graph or usage."
)]
pub struct Args {
    /// When to use colour; NO_COLOR is heeded.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Evaluate a graph and write its outputs.
    Run(Run),
    /// Evaluate one output of one node into a file, or print numbers and tables.
    Eval(Eval),
    /// Run a graph, and again after every change of its files.
    Watch(Watch),
    /// Show a graph in the browser, live: its nodes, maps and terrain, and sliders for its parameters.
    View(View),
    /// Report every mistake in graphs; nothing is evaluated or written.
    Check(Check),
    /// Write graphs in the one form, comments kept.
    Fmt(Fmt),
    /// Compare the outputs of graphs with their snapshots.
    #[command(
        after_help = "Exit codes: 0 all as they were, 1 something changed, is new or failed, 2 bad graph or usage."
    )]
    Test(Test),
    /// Evaluate a graph for many seeds and parameters, and put its metrics into one table.
    Sweep(Sweep),
    /// Tell, per node, whether its result is known, and what changed since the last run.
    Explain(Explain),
    /// The catalogue of nodes, or one node's page.
    Nodes(Nodes),
    /// A picture of a graph.
    Graph(GraphPicture),
    /// Look after the disk cache.
    Cache(Cache),
    /// Compare the outputs in a folder with its `manifest.json`.
    #[command(after_help = "Exit codes: 0 all as they were written, 1 some are not, 2 there is no manifest.")]
    Verify(Verify),
    /// Write a starter graph that runs.
    New(New),
    /// Completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// What a graph is loaded with.
#[derive(Debug, ClapArgs)]
pub struct Load {
    /// The graph file.
    pub graph: PathBuf,
    /// The seed, in place of the graph's.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Samples, in place of the graph's; the extent stays and the spacing follows.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// A parameter of the graph, `@PROFILE` for those that one of its profiles sets, or `@FILE.ron` for those of a file
    /// `{ "name": value }`; can be repeated, and later ones win.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}

/// What the disk cache may take where nothing else is said.
pub const CACHE_SIZE: &str = "8G";

/// How a graph is evaluated. Only for commands that evaluate: they heed all of it.
/// Which results are kept for other runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kept {
    /// Those that take longer to make than to read, and what the graph says with `keep`.
    Worth,
    /// Those of every node.
    All,
}

#[derive(Debug, ClapArgs)]
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
    /// Bytes of memory that values and running nodes may take, such as 4G; without, three quarters of the machine's.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Print events and the result as JSON, one object a line.
    #[arg(long)]
    pub json: bool,
    /// Show a table of time and memory per node.
    #[arg(long)]
    pub profile: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Run {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub engine: Engine,
    /// Folder for the outputs.
    #[arg(long, short, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Only this output; can be repeated.
    #[arg(long, value_name = "OUTPUT")]
    pub only: Vec<String>,
    /// Of a world, one patch, such as 3,-2.
    #[arg(long, value_name = "I,J", allow_hyphen_values = true, conflicts_with_all = ["patches", "mosaic"])]
    pub patch: Option<String>,
    /// Of a world, patches by ranges, such as 0..4,0..4; ends are not included.
    #[arg(long, value_name = "A..B,C..D", allow_hyphen_values = true)]
    pub patches: Option<String>,
    /// With --patches, also put all patches of each map together into one file.
    #[arg(long, requires = "patches")]
    pub mosaic: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Eval {
    #[command(flatten)]
    pub load: Load,
    /// NODE, or NODE.OUTPUT.
    pub port: String,
    /// The file, its format by extension; `-` prints numbers and tables as JSON.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub engine: Engine,
}

#[derive(Debug, ClapArgs)]
pub struct Watch {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub engine: Engine,
    /// Folder for the outputs.
    #[arg(long, short, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub struct View {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub engine: Engine,
    /// The port; without, 7411, or any free one when that is taken.
    #[arg(long)]
    pub port: Option<u16>,
    /// Do not open the browser.
    #[arg(long)]
    pub no_open: bool,
    /// The address to listen at. Other machines reach the preview only when this is not loopback.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: std::net::IpAddr,
    /// Another name under which browsers may ask for the page; can be repeated.
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    /// The secret in the page's address, 16 to 128 letters and digits; without, a new one. With it, open pages find the preview again
    /// after a restart. Others on the machine may see the command line: better set the variable.
    #[arg(long, env = "TERRANE_VIEW_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    pub token: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Check {
    /// Graph files.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// Print mistakes as JSON.
    #[arg(long)]
    pub json: bool,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Fmt {
    /// Graph and world files; `-` formats standard input to standard output.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// Change nothing; name the files that are not formatted, and exit with 1.
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Test {
    /// Graph files; the snapshots of each lie in the folder `snapshots` beside it.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// A port to be tested beside the outputs, NODE or NODE.OUTPUT; can be repeated. Once accepted it needs no naming.
    #[arg(long, value_name = "PORT")]
    pub port: Vec<String>,
    /// Take what the graphs give now as right, and remove snapshots that nothing has any more.
    #[arg(long)]
    pub accept: bool,
    /// Print one JSON object per output.
    #[arg(long)]
    pub json: bool,
    /// Threads; 0 is one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Explain {
    #[command(flatten)]
    pub load: Load,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Print one JSON object per node.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Nodes {
    /// A type of node; or a part of the names of some, or of a category.
    pub node: Option<String>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the JSON schema of the graph language.
    #[arg(long, conflicts_with_all = ["node", "json"])]
    pub schema: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PictureFormat {
    Dot,
    Mermaid,
    Svg,
}

#[derive(Debug, ClapArgs)]
pub struct GraphPicture {
    /// The graph file.
    pub graph: PathBuf,
    /// A parameter of the graph, `@PROFILE` for those that one of its profiles sets, or `@FILE.ron` for those of a file
    /// `{ "name": value }`; can be repeated, and later ones win.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// What to print.
    #[arg(long, value_enum, default_value_t = PictureFormat::Mermaid)]
    pub format: PictureFormat,
}

#[derive(Debug, ClapArgs)]
pub struct New {
    /// Name of the graph; `.ron` is added.
    pub name: String,
}

/// A number of threads: so many that they would do nothing but wait for each other are refused.
fn threads(text: &str) -> Result<usize, String> {
    let most = 1024;
    match text.parse() {
        Ok(threads) if threads <= most => Ok(threads),
        _ => Err(format!("expected a whole number from 0 (one per core) to {most}")),
    }
}
