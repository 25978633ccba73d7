//! The output files of one run, written in any order.

use std::path::{Path, PathBuf};
use std::time::Instant;

use terrane_flow::syntax::Problem;
use terrane_flow::{Digest, Engine, Evaluation, Loaded, OutputEntry, Value, ValueId};
use terrane_io::{Sidecar, Stop, Written};

use super::ledger::Ledger;
use super::manifest::{self, MANIFEST, Manifest, OutputFile, Run};
use super::path::place;
use super::report::{Made, Report};
use super::value::{options, write_until};
use crate::failure::of_file;
use crate::lint::{Warning, allowed, export_warning};
use crate::lock::Lock;

/// The folder for outputs, with the record of its present contents.
#[derive(Clone, Copy)]
pub struct Destination<'a> {
    /// The folder.
    pub out: &'a Path,
    /// The record of what earlier runs wrote.
    pub ledger: &'a Ledger,
}

/// Called for each output once its file is up to date.
pub type Tell<'a> = &'a mut (dyn FnMut(&Made) + Send);

/// The outputs of a run that is being written.
pub struct Writing<'a> {
    engine: &'a Engine,
    loaded: &'a Loaded,
    entries: &'a [&'a OutputEntry],
    to: Destination<'a>,
    tell: Tell<'a>,
    stop: Stop<'a>,
    /// The lock of the folder. Other runs that write to the folder wait from the first file until the
    /// manifest is written. If the lock cannot be taken, writing the first file reports the problem.
    lock: Option<Option<Lock>>,
    /// The result of each entry.
    done: Vec<Option<Done>>,
    /// What the values show that is probably not meant.
    warnings: Vec<Warning>,
}

/// The result of writing an output.
struct Done {
    id: ValueId,
    result: Result<(Made, Option<OutputFile>), Problem>,
}

impl<'a> Writing<'a> {
    pub fn new(
        engine: &'a Engine,
        loaded: &'a Loaded,
        entries: &'a [&'a OutputEntry],
        to: Destination<'a>,
        tell: Tell<'a>,
    ) -> Self {
        let done = entries.iter().map(|_| None).collect();
        Self { engine, loaded, entries, to, tell, stop: &|| false, lock: None, done, warnings: Vec::new() }
    }

    /// The same, but no further file is written once `stop` returns true.
    pub fn until(self, stop: Stop<'a>) -> Self {
        Self { stop, ..self }
    }

    /// Writes an entry's value, unless its file already has it.
    pub fn write(&mut self, number: usize, id: ValueId, value: &Value) {
        if self.done[number].as_ref().is_some_and(|done| done.id == id) || (self.stop)() {
            return;
        }
        let (out, inputs) = (self.to.out, &self.loaded.graph.files);
        self.lock.get_or_insert_with(|| {
            // Where no file may be written, no lock is written either.
            place(out, MANIFEST, inputs).ok().and_then(|manifest| Lock::wait(&manifest).ok())
        });
        let entry = self.entries[number];
        let result = self.file(entry, id, value);
        let graph = &self.loaded.graph;
        if let Some(warning) =
            options(graph, entry).ok().and_then(|options| export_warning(graph, entry, &options, value))
        {
            self.warnings.extend(allowed(graph, vec![warning]));
        }
        match &result {
            Ok((made, _)) => (self.tell)(made),
            // The file was not finished, which is no problem: its value is not wanted any more.
            Err(_) if (self.stop)() => return,
            Err(_) => {}
        }
        self.done[number] = Some(Done { id, result });
    }

    fn file(
        &self,
        entry: &OutputEntry,
        id: ValueId,
        value: &Value,
    ) -> Result<(Made, Option<OutputFile>), Problem> {
        let begun = Instant::now();
        let path = place(self.to.out, &entry.file, &self.loaded.graph.files)?;
        let options = options(&self.loaded.graph, entry)?;
        let written = write_until(self.engine, &path, value, &options, self.stop)?;
        let time = begun.elapsed();
        let content = self.digest(entry, id, value);
        let file = manifest::file(&path, self.loaded, entry, (value, content));
        file.iter().for_each(|file| self.to.ledger.note(&path, id, entry, file));
        let sidecar = file.as_ref().and_then(|file| file.sidecar.as_ref()).map(|_| Sidecar::path_of(&path));
        let bytes = file.as_ref().map_or(0, |file| file.state.bytes);
        Ok((Made { path, sidecar, changed: written != Written::Unchanged, time, bytes }, file))
    }

    /// The digest of an entry's value, which its manifest names.
    fn digest(&self, entry: &OutputEntry, id: ValueId, value: &Value) -> Digest {
        let graph = &self.loaded.graph;
        let cost = graph.find(&entry.from).ok().map(|(node, _)| graph.nodes[node].node().cost());
        let known = cost.and_then(|cost| id.digest(cost));
        known.unwrap_or_else(|| self.engine.within(|| value.digest()))
    }

    /// Writes the remaining outputs, then the manifest.
    pub fn finish(mut self, evaluation: &Evaluation) -> Report {
        for (number, output) in evaluation.outputs.iter().enumerate() {
            if let (Some(id), Some(value)) = (output.id, &output.value) {
                self.write(number, id, value);
            }
        }
        let warnings = std::mem::take(&mut self.warnings);
        let mut report = Report { warnings, ..Report::default() };
        let listed = Manifest::read(self.to.out).ok().flatten().unwrap_or_default();
        let mut run = manifest::run(self.loaded, &self.to.ledger.sources);
        for ((entry, output), done) in self.entries.iter().zip(&evaluation.outputs).zip(self.done) {
            match done.map(|done| done.result) {
                Some(Ok((made, file))) => {
                    report.unchanged += usize::from(!made.changed);
                    report.made.push(made);
                    run.files.extend(file);
                }
                Some(Err(problem)) => report.problems.push(problem),
                // If the identity is known but its value was not loaded, the file already has this content.
                None if output.id.is_some() && output.value.is_none() => {
                    report.unchanged += 1;
                    run.files.extend(listed.file(&entry.file).cloned());
                }
                None => {}
            }
        }
        report.contents = run.files.iter().map(|file| (file.file.clone(), file.content.clone())).collect();
        if !run.files.is_empty() {
            match add_to_manifest(self.to.out, &self.loaded.graph.files, run) {
                Ok(manifest) => report.manifest = manifest,
                Err(problem) => report.problems.push(problem),
            }
        }
        report
    }
}

/// Adds a run to its folder's manifest, and returns the manifest's path if it changed. A damaged manifest is
/// replaced.
fn add_to_manifest(out: &Path, inputs: &[PathBuf], run: Run) -> Result<Option<PathBuf>, Problem> {
    let path = place(out, MANIFEST, inputs)?;
    let before = Manifest::to_add_to(out)?;
    let mut manifest = before.clone();
    manifest.add(out, run);
    if manifest == before && path.exists() {
        return Ok(None);
    }
    let written = manifest.write(out).map_err(|error| of_file(&error))?;
    Ok((written != Written::Unchanged).then_some(path))
}
