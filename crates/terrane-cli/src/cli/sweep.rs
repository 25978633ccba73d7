//! `terrane sweep`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use terrane_runs::Failure;
use terrane_runs::sweep::{self, Listener, RowsOf, Swept, Varied};

use super::arguments::{self, Load, LoadWith, OfWorld};
use super::{console, session};

/// Bytes of values that stay in memory between runs.
const MEMORY: u64 = 1 << 30;

/// What a row of the summary stands for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SummaryRows {
    /// One row per combination of parameters, one column per metric.
    Parameters,
    /// One row per node and combination of parameters, one column per metric of the nodes.
    Nodes,
}

#[derive(Debug, ClapArgs)]
pub struct Sweep {
    /// The graph or world file.
    pub graph: PathBuf,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// Seeds, such as 0..10 (10 is not included) or 1,5,9. Default: the graph's seed.
    #[arg(long, value_name = "A..B")]
    pub seeds: Option<String>,
    /// Values of a parameter: K=V1,V2, or K=A..B:N for N values from A to B, both included. Can be repeated;
    /// then all combinations run. `@PROFILE` sets the parameters of one of the graph's profiles for all runs,
    /// and `@FILE.ron` those in a file `{ "name": value }`. Parameters that a K varies are not affected.
    #[arg(long, value_name = "K=V1,V2")]
    pub set: Vec<String>,
    /// A metric to tabulate: all columns of a table, or only COLUMN. The columns of a map are min, max, mean
    /// and deviation. Can be repeated.
    ///
    /// For a table with several rows, choose one with @last, @0 (the first) or @iteration=100 (the row in
    /// which that column has that value): thermal.history.score@last. A * in the node's name matches any
    /// letters: play_*.score is the score of every node whose name starts with play_ and that has a score.
    /// NODE.seconds is how long the node ran in this run. Unless --threads is 1, other nodes may run at the
    /// same time. The value is empty if the result was cached. Later sweeps keep the time of a row.
    /// With --no-cache, a row without a time runs again.
    #[arg(long, required = true, value_name = "NODE[.OUTPUT][.COLUMN][@ROW]")]
    pub metric: Vec<String>,
    /// The table to write, .csv or .json. Existing rows of the same graph, parameters and metrics are kept,
    /// including those of other seeds and values. If rows would be lost, nothing runs.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// A summary of this command's runs, .md, .csv or .json. For each combination of parameters, it has the
    /// number of runs, and each metric's mean, sample deviation (over n - 1), minimum and maximum over the
    /// seeds. Markdown shows mean ± deviation.
    #[arg(long, value_name = "FILE.md")]
    pub summary: Option<PathBuf>,
    /// What a row of the summary stands for; `nodes` compares nodes with each other.
    #[arg(long, value_enum, default_value_t = SummaryRows::Parameters, requires = "summary")]
    pub summary_rows: SummaryRows,
    /// A chart of the metrics over the first numeric parameter (for sizes: the columns, if they differ), or
    /// over seeds. It shows means over seeds, with a band of one sample deviation on both sides.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// For metrics with an @: charts of the whole column over the table's first column, or the numbers as
    /// .csv. Each line is the mean over seeds for one node and combination of parameters, with a band of one
    /// sample deviation. If a run's table is shorter than others, its last row is repeated.
    #[arg(long, value_name = "FILE.svg")]
    pub curves: Option<PathBuf>,
    /// A contact sheet with one small picture per run. As .gif: an animation of these pictures.
    #[arg(long, value_name = "FILE.png", requires = "picture")]
    pub sheet: Option<PathBuf>,
    /// The output, or NODE.OUTPUT, that the sheet shows.
    #[arg(long, value_name = "OUTPUT", requires = "sheet")]
    pub picture: Option<String>,
    /// Use this many samples instead of the graph's size. The extent stays the same; the spacing changes.
    /// Several sizes, such as 65x65,129x129, are varied like a parameter.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Number of threads, and of simultaneous runs; 0 means one per core.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Do not use the disk cache.
    #[arg(long)]
    pub no_cache: bool,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Maximum memory for values and running nodes, such as 4G. Default: three quarters of the machine's
    /// memory.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,
    /// Maximum size of the disk cache, such as 8G.
    #[arg(long, default_value = "8G", value_name = "BYTES")]
    pub cache_size: String,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
}

pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    let described = description(args)?;
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
        sweep::run(&described, &terrane_nodes::registry(), &engine, &mut Shown::default())?;
    let kept = if kept > 0 { format!(", {kept} already in the table") } else { String::new() };
    let plural = if rows == 1 { "row" } else { "rows" };
    let more = if others == 0 { String::new() } else { format!(", {others} others kept") };
    console::line(&format!("{rows} {plural}{kept}{more}; wrote {}", args.output.display()));
    Failure::unless(problems)
}

/// The sweep that the arguments describe.
fn description(args: &Sweep) -> Result<sweep::Sweep, Failure> {
    // Profiles and files of values apply to all runs.
    let (set, varied): (Vec<_>, Vec<_>) = args.set.iter().cloned().partition(|set| set.starts_with('@'));
    let load = Load {
        graph: args.graph.clone(),
        with: LoadWith { set, allow_outside: args.allow_outside, ..LoadWith::default() },
    };
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

/// A progress bar on a terminal, and notes as lines.
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
