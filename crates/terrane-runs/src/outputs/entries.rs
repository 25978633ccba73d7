//! Selecting and writing the outputs of a graph.

use std::path::Path;

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Evaluation, Loaded, NodeError, Outcome, OutputEntry, Wanted, suggest};
use terrane_io::Stop;

use super::manifest::{self, MANIFEST, Manifest};
use super::path::place;
use super::report::Report;
use super::writing::{Destination, Tell, Writing};
use crate::Failure;

/// The outputs with the given names. Default: all.
///
/// # Errors
/// Fails if the graph has no outputs, or no output of a given name.
pub fn entries<'a>(loaded: &'a Loaded, only: &[String]) -> Result<Vec<&'a OutputEntry>, Failure> {
    let outputs = &loaded.graph.outputs;
    if outputs.is_empty() {
        return Err(Failure::usage(
            "the graph has no outputs",
            "add outputs: { \"height.png\": \"NODE\" }, or evaluate one node with `terrane eval`",
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

/// The nodes and outputs of entries, by index.
#[must_use]
pub fn positions(loaded: &Loaded, entries: &[&OutputEntry]) -> Vec<(usize, usize)> {
    entries.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect()
}

/// The request to the engine. It includes the contents that the files already have, according to manifest and
/// ledger.
#[must_use]
pub fn wanted(
    loaded: &Loaded,
    entries: &[&OutputEntry],
    Destination { out, ledger }: Destination<'_>,
) -> Vec<Wanted> {
    let listed = Manifest::read(out).ok().flatten().unwrap_or_default();
    let ask = |entry: &&OutputEntry| {
        let path = out.join(&entry.file);
        // A value that is not loaded can be described only by the manifest, so its file must be listed there.
        let known = listed.file(&entry.file).filter(|file| manifest::is_still(file, &path, loaded, entry));
        Wanted { output: entry.from.clone(), have: known.and_then(|file| ledger.id(&path, entry, file)) }
    };
    entries.iter().map(ask).collect()
}

/// Writes the results of an evaluation to a folder and reports each output.
pub fn write_all(
    engine: &Engine,
    loaded: &Loaded,
    entries: &[&OutputEntry],
    evaluation: &Evaluation,
    to: Destination<'_>,
    tell: Tell<'_>,
) -> Report {
    write_all_until(engine, loaded, entries, evaluation, to, tell, &|| false)
}

/// Writes results as [`write_all`] does, until `stop` returns true. Outputs that are then not written are
/// missing in the report.
pub fn write_all_until(
    engine: &Engine,
    loaded: &Loaded,
    entries: &[&OutputEntry],
    evaluation: &Evaluation,
    to: Destination<'_>,
    tell: Tell<'_>,
    stop: Stop<'_>,
) -> Report {
    Writing::new(engine, loaded, entries, to, tell).until(stop).finish(evaluation)
}

/// Checks that the folder's manifest can be written, before anything is evaluated.
///
/// # Errors
/// Fails if the name belongs to a file of another program, or to one of the graph's source files.
pub fn check_folder(loaded: &Loaded, out: &Path) -> Result<(), Failure> {
    place(out, MANIFEST, &loaded.graph.files)
        .and_then(|_| Manifest::to_add_to(out))
        .map_err(Failure::Usage)?;
    Ok(())
}

/// The problems of nodes that failed.
#[must_use]
pub fn failures(loaded: &Loaded, evaluation: &Evaluation) -> Vec<Problem> {
    let mut problems = Vec::new();
    for node in &evaluation.nodes {
        if let Outcome::Failed(error) = &node.outcome {
            let location = loaded.graph.nodes.get(&*node.node).and_then(|n| n.location.as_ref()).map_or_else(
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
            problems.push(Problem::new(format!("node `{}`{location}: {error}", node.node), help));
        }
    }
    problems
}
