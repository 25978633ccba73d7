//! `terrane run`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use terrane_flow::syntax::Problem;
use terrane_flow::{Evaluation, Event, Loaded, Outcome};
use terrane_runs::Failure;
use terrane_runs::outputs::{self, Destination, Made, Report};

use super::arguments::{Engine, Load, OfWorld, is_store};
use super::console;
use super::{events, profile, progress, session};

#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub engine: Engine,
    /// Folder for the outputs. For a world, this can also be a Zarr store: a folder NAME.zarr, or
    /// s3://BUCKET/NAME.zarr.
    #[arg(long, short, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Write only this output. Can be repeated.
    #[arg(long, value_name = "OUTPUT")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// For a world: ranges of patches, such as 0..4,0..4; ends are not included.
    #[arg(long, value_name = "A..B,C..D", allow_hyphen_values = true, conflicts_with = "patch")]
    pub patches: Option<String>,
    /// With --patches, compute only the K-th of N shares of the patches, so that N machines can compute one
    /// share each.
    #[arg(long, requires = "patches", conflicts_with_all = ["mosaic", "patch"], value_name = "K/N")]
    pub share: Option<String>,
    /// For a store: the number of patches along each side of a block. A block is computed by one process.
    /// Default: 8, or fewer if patches are large.
    #[arg(long, requires = "patches", conflicts_with = "mosaic", value_name = "N")]
    pub block: Option<u32>,
    /// With --patches, also join the patches of each map into one file.
    #[arg(long, requires = "patches", conflicts_with = "patch")]
    pub mosaic: bool,
}

pub fn run(args: &Run) -> Result<(), Failure> {
    let started = Instant::now();
    if is_store(&args.out) {
        let message = format!("{} is a store, and only worlds are written to stores", args.out.display());
        return Err(Failure::usage(message, "name a folder that does not end in .zarr"));
    }
    let loaded = Arc::new(session::graph(&args.load)?);
    let entries = outputs::entries(&loaded, &args.only)?;
    outputs::check_folder(&loaded, &args.out)?;
    let positions = outputs::positions(&loaded, &entries);
    let engine = session::engine(&args.engine, 0)?;
    session::check_graph(&loaded, &positions, &engine, args.engine.json)?;
    let (cache, ledger) = session::ledger(&args.engine)?;
    let to = Destination { out: &args.out, ledger: &ledger };
    let json = args.engine.json;
    warn_of_unused_imports(&loaded, &positions, json);
    let (evaluation, report) = outputs::run(
        &engine,
        &loaded,
        (&entries, outputs::wanted(&loaded, &entries, to)),
        to,
        |job| progress::show(job.events(), json),
        &mut |made| {
            if json {
                events::written(made);
            }
        },
    )?;
    if args.engine.profile {
        profile::show(&evaluation, &report.made);
    }
    terrane_runs::explain::remember(&engine, &loaded, &evaluation, cache.as_deref(), &args.load.graph);
    progress::flushed(&engine, args.engine.json);
    for warning in &report.warnings {
        let message = format!("{} ({})", warning.text(), warning.diagnostic.code);
        progress::warn(&Event::Warning { node: Some(warning.node.as_str().into()), message }, json);
    }
    print_summary(&report, &evaluation, started, args.engine.json);
    failures(&loaded, &evaluation, report.problems)
}

/// Warns of the spacing of imports that do not run: they may have given the graph its place. Those that run
/// warn themselves.
pub fn warn_of_unused_imports(loaded: &Loaded, positions: &[(usize, usize)], json: bool) {
    let needed = loaded.plan.needed(positions.iter().map(|(node, _)| *node));
    let is_unused = |name: &str| loaded.graph.nodes.get_index_of(name).is_some_and(|at| !needed[at]);
    for (name, message) in terrane_nodes::spacing_warnings(&loaded.graph) {
        if is_unused(&name) {
            progress::warn(&Event::Warning { node: Some(name.into()), message }, json);
        }
    }
}

/// Prints which files were written, how many nodes ran, and the time.
pub fn print_summary(report: &Report, evaluation: &Evaluation, started: Instant, json: bool) {
    let ran = evaluation.ran().len();
    let cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
    if json {
        let done = serde_json::json!({
            "event": "done", "ran": ran, "cached": cached, "written": report.written().collect::<Vec<_>>(),
            "unchanged": report.unchanged,
            "succeeded": evaluation.succeeded() && report.problems.is_empty(),
        });
        return console::json(&done);
    }
    for path in report.made.iter().flat_map(Made::files).chain(report.manifest.as_deref()) {
        console::line(&format!("wrote {}", path.display()));
    }
    let unchanged =
        if report.unchanged > 0 { format!(", {} files unchanged", report.unchanged) } else { String::new() };
    console::line(&format!(
        "{ran} nodes ran, {cached} cached{unchanged}, {:.2} s",
        started.elapsed().as_secs_f64()
    ));
}

/// An error if a node failed or a file could not be written.
pub fn failures(loaded: &Loaded, evaluation: &Evaluation, mut problems: Vec<Problem>) -> Result<(), Failure> {
    problems.extend(outputs::failures(loaded, evaluation));
    Failure::unless(problems)
}
