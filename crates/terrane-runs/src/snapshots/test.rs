//! Testing graphs: evaluates their outputs, and compares each with its snapshot.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::syntax::Problem;
use terrane_flow::{
    Diagnostics, Engine, EngineOptions, LoadOptions, Loaded, Reference, Registry, Wanted, load_file,
};

use super::compare::{Compared, compare};
use super::current::Current;
use super::outcome::{Listener, Outcome, Told};
use super::store::{self, Store};
use super::subject::Subject;
use crate::outputs::failures;
use crate::{Failure, memory};

/// What to test.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    /// Graph files. Their snapshots are in the folder `snapshots` beside each.
    pub graphs: Vec<PathBuf>,
    /// Further ports to test, NODE or NODE.OUTPUT.
    pub ports: Vec<String>,
    /// Accepts the current values, and removes unused snapshots.
    pub accept: bool,
    /// Allows graphs to read files outside their folders.
    pub allow_outside: bool,
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    /// The maximum number of bytes for values and running nodes. Default: three quarters of the memory that
    /// the process may use.
    pub memory: Option<u64>,
}

/// Tests graphs one after the other. No value is cached, because a test is about what nodes compute now.
///
/// # Errors
/// Fails if a graph is invalid or cannot be tested. In this case nothing was tested. Also fails if snapshots
/// differ, are new or could not be read. In this case the listener has received all results.
pub fn test(tests: &Tests, registry: &Registry, listener: &mut dyn Listener) -> Result<(), Failure> {
    let graphs = load(tests, registry)?;
    let options = EngineOptions {
        threads: tests.threads,
        budget: tests.memory,
        memory: 0,
        reuse: false,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).map_err(|error| {
        Failure::usage(format!("cannot start threads: {error}"), "use fewer with --threads")
    })?;
    let mut tester = Tester { tests, listener, all_match: true, problems: Vec::new() };
    for (path, loaded) in &graphs {
        tester.graph(&engine, path, loaded)?;
    }
    if tester.all_match && tester.problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Evaluation(tester.problems))
    }
}

/// All graphs, or everything that is wrong with them.
fn load<'a>(tests: &'a Tests, registry: &Registry) -> Result<Vec<(&'a Path, Arc<Loaded>)>, Failure> {
    let options = LoadOptions { allow_outside: tests.allow_outside, ..LoadOptions::default() };
    let (mut graphs, mut broken) = (Vec::new(), Diagnostics::default());
    for path in &tests.graphs {
        match load_file(path, registry, &options) {
            Ok(loaded) => graphs.push((path.as_path(), Arc::new(loaded))),
            Err(diagnostics) => broken.0.extend(diagnostics.0),
        }
    }
    broken.into_result()?;
    for (path, loaded) in &graphs {
        for port in &tests.ports {
            loaded.graph.find(&Reference::parse(port)).map_err(|problem| {
                let message = format!("--port {port} in {}: {}", path.display(), problem.message);
                Failure::usage(message, problem.help)
            })?;
        }
        if loaded.graph.outputs.is_empty() && tests.ports.is_empty() {
            let message = format!("{} has no outputs to test", path.display());
            return Err(Failure::usage(message, "add outputs, or select a node with --port"));
        }
    }
    for (path, _) in &graphs {
        Store::new(path).check().map_err(Failure::Usage)?;
    }
    refuse_shared(tests, &graphs)?;
    Ok(graphs)
}

/// Refuses subjects that would share a snapshot file. This happens if their names differ only in characters
/// that file names cannot have. Each subject would overwrite the other's snapshot.
fn refuse_shared(tests: &Tests, graphs: &[(&Path, Arc<Loaded>)]) -> Result<(), Failure> {
    for (path, loaded) in graphs {
        let store = Store::new(path);
        let mut owners: HashMap<PathBuf, Subject> = HashMap::new();
        for subject in store::subjects_of(&loaded.graph, &tests.ports, &store.subjects()) {
            let snapshot = store.path(&subject);
            if let Some(other) = owners.insert(snapshot.clone(), subject.clone()) {
                let message = format!(
                    "{}: {other} and {subject} would share the snapshot {}",
                    path.display(),
                    snapshot.display()
                );
                let help = "a `/` in a name becomes `__` in its snapshot's file name: rename one of the two, \
                    or remove the snapshot of a port that is no longer tested";
                return Err(Failure::usage(message, help));
            }
        }
    }
    Ok(())
}

struct Tester<'a> {
    tests: &'a Tests,
    listener: &'a mut dyn Listener,
    /// Whether all snapshots match.
    all_match: bool,
    problems: Vec<Problem>,
}

impl Tester<'_> {
    fn graph(&mut self, engine: &Engine, path: &Path, loaded: &Arc<Loaded>) -> Result<(), Failure> {
        let store = Store::new(path);
        let stored = store.subjects();
        let subjects = store::subjects_of(&loaded.graph, &self.tests.ports, &stored);
        let references: Vec<Reference> =
            subjects.iter().filter_map(|subject| subject.reference(&loaded.graph)).collect();
        let positions: Vec<(usize, usize)> =
            references.iter().filter_map(|reference| loaded.graph.find(reference).ok()).collect();
        if let Some(note) = memory::note(memory::check_graph(loaded, &positions, engine)?) {
            self.listener.note(&note);
        }
        let job = engine.start(loaded, references.into_iter().map(Wanted::from).collect::<Vec<_>>())?;
        self.listener.job(&job);
        let evaluation = job.wait();
        self.problems.extend(failures(loaded, &evaluation));
        for (subject, evaluated) in subjects.iter().zip(&evaluation.outputs) {
            let compared = match &evaluated.value {
                Some(value) => compare(&store, &Current::new(subject.clone(), value), self.tests.accept),
                None => Ok(Outcome::Failed.into()),
            };
            self.report(path, &store, subject, compared);
        }
        // A stored subject that is no longer tested under its name is still in use if a present subject has
        // the same snapshot file.
        let used: Vec<PathBuf> = subjects.iter().map(|subject| store.path(subject)).collect();
        for subject in stored.iter().filter(|subject| !used.contains(&store.path(subject))) {
            let outcome = if self.tests.accept { Outcome::Removed } else { Outcome::Unused };
            let removed = if self.tests.accept { store.remove(subject) } else { Ok(()) };
            self.report(path, &store, subject, removed.map(|()| outcome.into()));
        }
        Ok(())
    }

    fn report(
        &mut self,
        graph: &Path,
        store: &Store,
        subject: &Subject,
        compared: Result<Compared, Problem>,
    ) {
        let Compared { outcome, difference, picture } = compared.unwrap_or_else(|problem| {
            self.problems.push(problem);
            Outcome::Failed.into()
        });
        self.all_match &= !matches!(outcome, Outcome::Changed | Outcome::New | Outcome::Failed);
        let (graph, subject, file) = (graph.to_owned(), subject.clone(), store.path(subject));
        self.listener.told(&Told { graph, subject, file, outcome, difference, picture });
    }
}
