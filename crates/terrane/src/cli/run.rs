//! `terrane run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use terrane_flow::{Engine, Evaluation, Loaded, NodeError, Outcome, OutputEntry, Wanted, suggest};
use terrane_io::Written;

use super::args::Run;
use super::console::{self, Failure};
use super::outputs::{self, Ledger};
use super::{explain, profile, progress, session, world};

pub fn run(args: &Run) -> Result<(), Failure> {
    if world::is_world(args) {
        return world::run(args);
    }
    let started = Instant::now();
    let loaded = Arc::new(session::load(&args.load)?);
    let entries = wanted_entries(&loaded, &args.only)?;
    let positions: Vec<(usize, usize)> =
        entries.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect();
    let engine = session::engine(&args.engine, 0)?;
    session::check_graph(&loaded, &positions, &engine, args.engine.json)?;
    let cache = session::cache_dir(args.engine.cache_dir.as_deref()).filter(|_| !args.engine.no_cache);
    let ledger = Ledger::new(cache.as_deref());
    let job = engine.start(&loaded, wanted(&entries, &args.out, &ledger))?;
    progress::show(job.events(), args.engine.json);
    let evaluation = job.wait();
    if args.engine.profile {
        profile::show(&evaluation);
    }
    let report = write_outputs(&engine, &loaded, &entries, &evaluation, (&args.out, &ledger));
    explain::remember(&engine, &loaded, cache.as_deref(), &args.load.graph);
    progress::flushed(&engine, args.engine.json);
    tell(&report, &evaluation, started, args.engine.json);
    failures(&loaded, &evaluation, report.problems)
}

/// The outputs asked for: all, or those named.
pub fn wanted_entries<'a>(loaded: &'a Loaded, only: &[String]) -> Result<Vec<&'a OutputEntry>, Failure> {
    let outputs = &loaded.graph.outputs;
    if outputs.is_empty() {
        return Err(Failure::usage(
            "the graph has no outputs",
            "add outputs: { \"height.png\": \"NODE\" }, or take one node with `terrane eval`",
        ));
    }
    let known: Vec<&str> = outputs.iter().map(|entry| entry.file.as_str()).collect();
    for name in only {
        if !known.contains(&name.as_str()) {
            return Err(Failure::usage(
                format!("the graph has no output `{name}`"),
                suggest::help(name, &known, "its outputs are"),
            ));
        }
    }
    Ok(outputs.iter().filter(|entry| only.is_empty() || only.contains(&entry.file)).collect())
}

/// What to ask the engine for, with what the files hold already.
pub fn wanted(entries: &[&OutputEntry], out: &Path, ledger: &Ledger) -> Vec<Wanted> {
    let ask = |entry: &&OutputEntry| Wanted {
        output: entry.from.clone(),
        have: ledger.content(&out.join(&entry.file), entry),
    };
    entries.iter().map(ask).collect()
}

/// What became of the output files.
pub struct Report {
    pub written: Vec<PathBuf>,
    pub unchanged: usize,
    pub problems: Vec<(String, String)>,
}

/// Writes what came of an evaluation.
pub fn write_outputs(
    engine: &Engine,
    loaded: &Loaded,
    entries: &[&OutputEntry],
    evaluation: &Evaluation,
    (out, ledger): (&Path, &Ledger),
) -> Report {
    let mut report = Report { written: Vec::new(), unchanged: 0, problems: Vec::new() };
    for (entry, evaluated) in entries.iter().zip(&evaluation.outputs) {
        let (Some(digest), Some(value)) = (evaluated.digest, &evaluated.value) else {
            // Content without a value is what the file holds already.
            report.unchanged += usize::from(evaluated.digest.is_some());
            continue;
        };
        let written = outputs::place(out, &entry.file, &loaded.graph.files).and_then(|path| {
            let options = outputs::options(entry)?;
            let _until_written = engine.set_aside(outputs::needed(value, engine.threads()));
            Ok((outputs::write(&path, value, &options)?, path))
        });
        match written {
            Ok((written, path)) => {
                ledger.note(&path, entry, digest);
                match written {
                    Written::Created | Written::Replaced => report.written.push(path),
                    Written::Unchanged => report.unchanged += 1,
                }
            }
            Err(problem) => report.problems.push(problem),
        }
    }
    report
}

fn tell(report: &Report, evaluation: &Evaluation, started: Instant, json: bool) {
    let ran = evaluation.ran().len();
    let cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
    if json {
        let done = serde_json::json!({
            "event": "done", "ran": ran, "cached": cached, "written": report.written, "unchanged": report.unchanged,
            "succeeded": evaluation.succeeded() && report.problems.is_empty(),
        });
        return console::print(&format!("{done}\n"));
    }
    for path in &report.written {
        console::line(&format!("wrote {}", path.display()));
    }
    let unchanged =
        if report.unchanged > 0 { format!(", {} files unchanged", report.unchanged) } else { String::new() };
    console::line(&format!(
        "{ran} nodes ran, {cached} cached{unchanged}, {:.2} s",
        started.elapsed().as_secs_f64()
    ));
}

/// An error when a node failed or a file could not be written.
pub fn failures(
    loaded: &Loaded,
    evaluation: &Evaluation,
    mut problems: Vec<(String, String)>,
) -> Result<(), Failure> {
    for node in &evaluation.nodes {
        if let Outcome::Failed(error) = &node.outcome {
            let place = loaded.graph.nodes.get(&*node.node).and_then(|n| n.location.as_ref()).map_or_else(
                String::new,
                |l| {
                    let (line, column) = l.source.line_column(l.name.start);
                    format!(" ({}:{line}:{column})", l.source.name)
                },
            );
            let help = match error {
                NodeError::Failed { help, .. } => help.clone(),
                NodeError::Panicked(_) => {
                    "this is a defect in the node: please report it with the graph".to_owned()
                }
                NodeError::Cancelled => String::new(),
            };
            problems.push((format!("node `{}`{place}: {error}", node.node), help));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Evaluation(problems)) }
}
