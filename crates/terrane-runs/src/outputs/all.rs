//! The outputs of a graph into files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Evaluation, Loaded, NodeError, Outcome, OutputEntry, Wanted, suggest};
use terrane_io::{Sidecar, Written};

use super::ledger::Ledger;
use super::manifest::{self, MANIFEST, Manifest, Run};
use super::place::place;
use super::value::{options, write};
use crate::Failure;
use crate::failure::of_file;
use crate::lock::Lock;

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

/// What to ask the engine for, with what the files hold already and the manifest tells of.
#[must_use]
pub fn wanted(entries: &[&OutputEntry], out: &Path, ledger: &Ledger) -> Vec<Wanted> {
    let said = Manifest::read(out).ok().flatten().unwrap_or_default();
    let ask = |entry: &&OutputEntry| {
        let path = out.join(&entry.file);
        // Of a value that is not loaded there is only what was said before.
        let known = said.file(&entry.file).filter(|file| manifest::is_still(file, &path, entry));
        Wanted { output: entry.from.clone(), have: known.and_then(|file| ledger.content(&path, entry, file)) }
    };
    entries.iter().map(ask).collect()
}

/// An output that was made, and is in its file now.
#[derive(Clone, Debug)]
pub struct Made {
    /// The file.
    pub path: PathBuf,
    /// Its sidecar, where it has one.
    pub sidecar: Option<PathBuf>,
    /// Whether the file or its sidecar changed by it.
    pub changed: bool,
    /// How long writing took.
    pub time: Duration,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Made {
    /// The files that were made or replaced.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.path), self.sidecar.as_ref()]
            .into_iter()
            .flatten()
            .filter(|_| self.changed)
            .map(PathBuf::as_path)
    }
}

/// What became of the output files.
#[derive(Debug, Default)]
pub struct Report {
    /// Outputs whose values were made or loaded.
    pub made: Vec<Made>,
    /// How many files hold already what they would.
    pub unchanged: usize,
    /// The manifest, where it changed.
    pub manifest: Option<PathBuf>,
    /// Why others were not written.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Outputs that were made or replaced.
    pub fn written(&self) -> impl Iterator<Item = &Path> {
        self.made.iter().filter(|made| made.changed).map(|made| &*made.path)
    }
}

/// Writes what came of an evaluation below a folder, and tells of each output.
pub fn write_all(
    engine: &Engine,
    loaded: &Loaded,
    entries: &[&OutputEntry],
    evaluation: &Evaluation,
    (out, ledger): (&Path, &Ledger),
    tell: &mut dyn FnMut(&Made),
) -> Report {
    let mut report = Report::default();
    // Other runs may be writing to the folder. Where there can be no lock, what is wrong is told with the first file.
    let is_written = evaluation.outputs.iter().any(|output| output.value.is_some());
    let _lock = is_written.then(|| Lock::wait(&out.join(MANIFEST)).ok()).flatten();
    let said = Manifest::read(out).ok().flatten().unwrap_or_default();
    let mut run = manifest::run(loaded, &ledger.sources);
    for (entry, evaluated) in entries.iter().zip(&evaluation.outputs) {
        let (Some(digest), Some(value)) = (evaluated.digest, &evaluated.value) else {
            // Content without a value is what the file holds already.
            report.unchanged += usize::from(evaluated.digest.is_some());
            run.files.extend(said.file(&entry.file).filter(|_| evaluated.digest.is_some()).cloned());
            continue;
        };
        let begun = Instant::now();
        let written = place(out, &entry.file, &loaded.graph.files)
            .and_then(|path| Ok((write(engine, &path, value, &options(entry)?)?, path)));
        match written {
            Ok((written, path)) => {
                let time = begun.elapsed();
                let file = manifest::file(&path, loaded, entry, (value, digest));
                file.iter().for_each(|file| ledger.note(&path, entry, file));
                let sidecar =
                    file.as_ref().and_then(|file| file.sidecar.as_ref()).map(|_| Sidecar::path_of(&path));
                let bytes = file.as_ref().map_or(0, |file| file.state.bytes);
                let made = Made { path, sidecar, changed: written != Written::Unchanged, time, bytes };
                report.unchanged += usize::from(!made.changed);
                tell(&made);
                report.made.push(made);
                run.files.extend(file);
            }
            Err(problem) => report.problems.push(problem),
        }
    }
    if !run.files.is_empty() {
        match list(out, &loaded.graph.files, run) {
            Ok(manifest) => report.manifest = manifest,
            Err(problem) => report.problems.push(problem),
        }
    }
    report
}

/// Puts a run into its folder's manifest, and gives its path where that changes it. A manifest that is damaged is made anew.
fn list(out: &Path, inputs: &[PathBuf], run: Run) -> Result<Option<PathBuf>, Problem> {
    let path = place(out, MANIFEST, inputs)?;
    let said = Manifest::to_add_to(out)?;
    let mut manifest = said.clone();
    manifest.add(out, run);
    if manifest == said && path.exists() {
        return Ok(None);
    }
    let written = manifest.write(out).map_err(|error| of_file(&error))?;
    Ok((written != Written::Unchanged).then_some(path))
}

/// Refuses a folder whose manifest could not be written, before anything is evaluated.
///
/// # Errors
/// That another program's file is in its place, or a file that the graph is made from.
pub fn check_folder(loaded: &Loaded, out: &Path) -> Result<(), Failure> {
    place(out, MANIFEST, &loaded.graph.files)
        .and_then(|_| Manifest::to_add_to(out))
        .map_err(Failure::Usage)?;
    Ok(())
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
