//! `terrane sweep`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use terrane_runs::Failure;
use terrane_runs::sweep::{self, Listener, RowsOf, Swept, Varied};

use super::arguments::{self, Load, OfWorld};
use super::{console, session};

/// Bytes of values that stay in memory for the runs that follow.
const MEMORY: u64 = 1 << 30;

/// What has a row of the summary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SummaryRows {
    /// Each combination of parameters, with a column per metric.
    Parameters,
    /// Each node, with a column per number that nodes have.
    Nodes,
}

#[derive(Debug, ClapArgs)]
pub struct Sweep {
    /// The graph file, or a world's.
    pub graph: PathBuf,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// Seeds, such as 0..10 (without 10) or 1,5,9; without, the graph's own.
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Values of a parameter: K=V1,V2, or K=A..B:N for N steps from A to B; can be repeated, then all are
    /// combined. All runs alike have what `@PROFILE` sets, a profile of the graph, or `@FILE.ron`, a file
    /// `{ "name": value }`, where no K does.
    #[arg(long, value_name = "K=V1,V2")]
    pub set: Vec<String>,
    /// Numbers to be tabled: of a table all columns or the one named, of a map min, max, mean or deviation;
    /// can be repeated.
    ///
    /// Of a table with many rows, @last, @0 (the first) or @iteration=100 (where that column has that value)
    /// names one: thermal.history.score@last. A * in the node's name stands for any letters: play_*.score is
    /// the score of every node whose name begins so and that has one. NODE.seconds is how long the node ran
    /// in this run, beside whatever else did (--threads 1: nothing); it has no number where the result was in
    /// the cache, and is kept with its row. With --no-cache, a row without that number runs again.
    #[arg(long, required = true, value_name = "NODE[.OUTPUT][.COLUMN][@ROW]")]
    pub metric: Vec<String>,
    /// The table, .csv or .json. Rows that it has already are kept; those of other seeds and values of the
    /// same graph, parameters and metrics stay in it. Where rows would be lost, nothing runs.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// What the seeds of each combination of parameters that this command asks for have in common, .md, .csv
    /// or .json: of every metric the number of runs, mean, sample deviation (over n - 1), least and most;
    /// Markdown has mean ± deviation.
    #[arg(long, value_name = "FILE.md")]
    pub summary: Option<PathBuf>,
    /// What has a row of the summary: a combination of parameters, or a node (of each combination), so that
    /// nodes are compared.
    #[arg(long, value_enum, default_value_t = SummaryRows::Parameters, requires = "summary")]
    pub summary_rows: SummaryRows,
    /// A chart of the metrics over the first parameter that has numbers (of sizes the columns, where these
    /// differ), or over seeds: means over seeds, with a band of one sample deviation to both sides.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Charts, or with .csv numbers, of the columns that metrics with an @ are rows of, over the table's
    /// first column: means over seeds with a band of one sample deviation, a line for each node and
    /// combination of parameters. A run whose table ends before others' stays at its last row.
    #[arg(long, value_name = "FILE.svg")]
    pub curves: Option<PathBuf>,
    /// A sheet of small pictures, one a run.
    #[arg(long, value_name = "FILE.png", requires = "picture")]
    pub sheet: Option<PathBuf>,
    /// The output, or NODE.OUTPUT, that the sheet shows.
    #[arg(long, value_name = "OUTPUT", requires = "sheet")]
    pub picture: Option<String>,
    /// Samples, in place of the graph's; the extent stays and the spacing follows. Several, 65x65,129x129,
    /// are varied as a parameter is.
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
    /// Bytes of memory that values and running nodes may take, such as 4G; without, three quarters of the
    /// machine's.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Bytes that the disk cache may take, such as 8G.
    #[arg(long, default_value = "8G", value_name = "BYTES")]
    pub cache_size: String,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}

pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    let asked = asked(args)?;
    let engine = session::engine(
        &arguments::Engine {
            keep: arguments::Kept::Worth,
            threads: args.threads,
            no_cache: args.no_cache,
            cache_dir: args.cache_dir.clone(),
            cache_size: args.cache_size.clone(),
            memory: args.memory.clone(),
            json: false,
            profile: false,
        },
        MEMORY,
    )?;
    let Swept { rows, kept, others, problems } =
        sweep::run(&asked, &terrane_nodes::registry(), &engine, &mut Shown::default())?;
    let kept = if kept > 0 { format!(", {kept} of them there already") } else { String::new() };
    let plural = if rows == 1 { "row" } else { "rows" };
    let more = if others == 0 { String::new() } else { format!(", and {others} more stay") };
    console::line(&format!("{rows} {plural}{kept}{more}; wrote {}", args.output.display()));
    Failure::unless(problems)
}

/// What the arguments ask for.
fn asked(args: &Sweep) -> Result<sweep::Sweep, Failure> {
    // Profiles and files of values are what all runs have alike.
    let (set, varied): (Vec<_>, Vec<_>) = args.set.iter().cloned().partition(|set| set.starts_with('@'));
    let load =
        Load { graph: args.graph.clone(), seed: None, size: None, set, allow_outside: args.allow_outside };
    let patch = session::patch(&load, &args.of_world)?;
    let sizes =
        args.size.as_deref().map(|sizes| sizes.split(',').map(|size| size.trim().to_owned()).collect());
    Ok(sweep::Sweep {
        graph: args.graph.clone(),
        patch: patch.map(|patch| sweep::OfWorld { patch, level: args.of_world.level }),
        load: session::load_options(&load)?,
        sizes: sizes.unwrap_or_default(),
        varied: varied.iter().map(|set| Varied::parse(set)).collect::<Result<_, _>>()?,
        seeds: args.seeds.as_deref().map(sweep::seeds).transpose()?.unwrap_or_default(),
        metrics: args.metric.clone(),
        table: args.output.clone(),
        measure: args.no_cache,
        summary: args.summary.clone(),
        summary_rows: match args.summary_rows {
            SummaryRows::Parameters => RowsOf::Parameters,
            SummaryRows::Nodes => RowsOf::Nodes,
        },
        plot: args.plot.clone(),
        curves: args.curves.clone(),
        sheet: args.sheet.clone(),
        picture: args.picture.clone(),
    })
}

/// A bar on a terminal, and notes as lines.
#[derive(Default)]
struct Shown(Option<ProgressBar>);

impl Listener for Shown {
    fn begin(&mut self, runs: usize) {
        let shown = std::io::stderr().is_terminal();
        let bar = if shown { ProgressBar::new(runs as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {elapsed}, {eta} to go") {
            bar.set_style(style);
        }
        self.0 = Some(bar);
    }

    fn ran(&mut self) {
        self.0.iter().for_each(|bar| bar.inc(1));
    }

    fn end(&mut self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }

    fn note(&mut self, text: &str) {
        console::line(text);
    }
}
