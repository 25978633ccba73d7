//! The outputs of a graph into files.

use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Evaluation, Loaded, NodeError, Outcome, OutputEntry, Wanted, suggest};
use terrane_io::Written;

use super::ledger::Ledger;
use super::place::place;
use super::value::{options, write};
use crate::Failure;

/// The outputs asked for: all, or those named.
///
/// # Errors
/// That the graph has none, or none of that name.
pub fn entries<'a>(loaded: &'a Loaded, only: &[String]) -> Result<Vec<&'a OutputEntry>, Failure> {
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

/// The nodes and outputs that entries are of, by position.
#[must_use]
pub fn positions(loaded: &Loaded, entries: &[&OutputEntry]) -> Vec<(usize, usize)> {
    entries.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect()
}

/// What to ask the engine for, with what the files hold already.
#[must_use]
pub fn wanted(entries: &[&OutputEntry], out: &Path, ledger: &Ledger) -> Vec<Wanted> {
    let ask = |entry: &&OutputEntry| Wanted {
        output: entry.from.clone(),
        have: ledger.content(&out.join(&entry.file), entry),
    };
    entries.iter().map(ask).collect()
}

/// What became of the output files.
#[derive(Debug, Default)]
pub struct Report {
    /// Files that were made or replaced.
    pub written: Vec<PathBuf>,
    /// How many files hold already what they would.
    pub unchanged: usize,
    /// Why others were not written.
    pub problems: Vec<Problem>,
}

/// Writes what came of an evaluation below a folder.
pub fn write_all(
    engine: &Engine,
    loaded: &Loaded,
    entries: &[&OutputEntry],
    evaluation: &Evaluation,
    (out, ledger): (&Path, &Ledger),
) -> Report {
    let mut report = Report::default();
    for (entry, evaluated) in entries.iter().zip(&evaluation.outputs) {
        let (Some(digest), Some(value)) = (evaluated.digest, &evaluated.value) else {
            // Content without a value is what the file holds already.
            report.unchanged += usize::from(evaluated.digest.is_some());
            continue;
        };
        let written = place(out, &entry.file, &loaded.graph.files)
            .and_then(|path| Ok((write(engine, &path, value, &options(entry)?)?, path)));
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

/// What went wrong with nodes.
#[must_use]
pub fn failures(loaded: &Loaded, evaluation: &Evaluation) -> Vec<Problem> {
    let mut problems = Vec::new();
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
                NodeError::Failed { help, .. } => help.as_str(),
                NodeError::Panicked(_) => "this is a defect in the node: please report it with the graph",
                NodeError::Cancelled => "",
            };
            problems.push(Problem::new(format!("node `{}`{place}: {error}", node.node), help));
        }
    }
    problems
}
