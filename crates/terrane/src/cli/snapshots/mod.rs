//! `terrane test`: the outputs of graphs compared with their snapshots.

mod difference;
mod shot;
mod store;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{Diagnostics, EngineOptions, LoadOptions, Loaded, Reference, Wanted, load_file};

use self::shot::{Shot, Subject};
use self::store::{Problem, Store};
use super::args::Test;
use super::console::{self, Failure};
use super::{progress, run, session};

/// What became of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Changed,
    New,
    Accepted,
    Failed,
    Unused,
    Removed,
}

const OUTCOMES: [Outcome; 7] = [
    Outcome::Passed,
    Outcome::Changed,
    Outcome::New,
    Outcome::Accepted,
    Outcome::Failed,
    Outcome::Unused,
    Outcome::Removed,
];

impl Outcome {
    const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Accepted => "accepted",
            Self::Failed => "failed",
            Self::Unused => "unused",
            Self::Removed => "removed",
        }
    }
}

/// What is told about a snapshot.
struct Told {
    outcome: Outcome,
    /// Lines that differ.
    difference: String,
    /// A picture of what differs.
    picture: Option<PathBuf>,
}

impl From<Outcome> for Told {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, difference: String::new(), picture: None }
    }
}

pub fn test(args: &Test) -> Result<(), Failure> {
    let graphs = load(args)?;
    // Nothing is kept: a test is of what the nodes do now.
    let options =
        EngineOptions { threads: args.threads, memory: 0, reuse: false, ..EngineOptions::default() };
    let engine = terrane_flow::Engine::new(options).map_err(|error| {
        Failure::usage(format!("cannot start threads: {error}"), "ask for fewer with --threads")
    })?;
    let mut tester = Tester { args, outcomes: Vec::new(), problems: Vec::new() };
    for (path, loaded) in &graphs {
        tester.graph(&engine, path, loaded)?;
    }
    tester.end()
}

/// All graphs, or all that is wrong with them.
fn load(args: &Test) -> Result<Vec<(&Path, Arc<Loaded>)>, Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let (mut graphs, mut broken) = (Vec::new(), Diagnostics::default());
    for path in &args.graphs {
        match load_file(path, &registry, &options) {
            Ok(loaded) => graphs.push((path.as_path(), Arc::new(loaded))),
            Err(diagnostics) => broken.0.extend(diagnostics.0),
        }
    }
    broken.into_result()?;
    for (path, loaded) in &graphs {
        for port in &args.port {
            loaded.graph.find(&Reference::parse(port)).map_err(|(message, help)| {
                Failure::usage(format!("--port {port} in {}: {message}", path.display()), help)
            })?;
        }
        if loaded.graph.outputs.is_empty() && args.port.is_empty() {
            let message = format!("{} has no outputs to test", path.display());
            return Err(Failure::usage(message, "add outputs, or name a node with --port"));
        }
    }
    for (path, _) in &graphs {
        Store::new(path).check().map_err(|(message, help)| Failure::usage(message, help))?;
    }
    refuse_shared(args, &graphs)?;
    Ok(graphs)
}

/// Names differ only in what file names cannot have: two subjects with one snapshot would each undo the other's.
fn refuse_shared(args: &Test, graphs: &[(&Path, Arc<Loaded>)]) -> Result<(), Failure> {
    for (path, loaded) in graphs {
        let store = Store::new(path);
        let mut owners: HashMap<PathBuf, Subject> = HashMap::new();
        for subject in store::subjects_of(&loaded.graph, &args.port, &store.subjects()) {
            let snapshot = store.path(&subject);
            if let Some(other) = owners.insert(snapshot.clone(), subject.clone()) {
                let message = format!(
                    "{}: {other} and {subject} would share the snapshot {}",
                    path.display(),
                    snapshot.display()
                );
                let help = "a `/` in a name is `__` in its snapshot's: rename one of the two, or remove the snapshot of a port \
                            that is no longer tested";
                return Err(Failure::usage(message, help));
            }
        }
    }
    Ok(())
}

struct Tester<'a> {
    args: &'a Test,
    outcomes: Vec<Outcome>,
    problems: Vec<Problem>,
}

impl Tester<'_> {
    fn graph(
        &mut self,
        engine: &terrane_flow::Engine,
        path: &Path,
        loaded: &Arc<Loaded>,
    ) -> Result<(), Failure> {
        let store = Store::new(path);
        let stored = store.subjects();
        let subjects = store::subjects_of(&loaded.graph, &self.args.port, &stored);
        let references: Vec<Reference> =
            subjects.iter().filter_map(|subject| subject.reference(&loaded.graph)).collect();
        let positions: Vec<(usize, usize)> =
            references.iter().filter_map(|reference| loaded.graph.find(reference).ok()).collect();
        session::check_graph(loaded, &positions, engine, self.args.json)?;
        let job = engine.start(loaded, references.into_iter().map(Wanted::from).collect::<Vec<_>>())?;
        progress::show(job.events(), false);
        let evaluation = job.wait();
        if let Err(Failure::Evaluation(problems)) = run::failures(loaded, &evaluation, Vec::new()) {
            self.problems.extend(problems);
        }
        for (subject, evaluated) in subjects.iter().zip(&evaluation.outputs) {
            let told = match &evaluated.value {
                Some(value) => self.compare(&store, &Shot::new(subject.clone(), value)),
                None => Outcome::Failed.into(),
            };
            self.tell(path, &store, subject, told);
        }
        // One by another name, whose snapshot is that of a subject of now, is in use.
        let used: Vec<PathBuf> = subjects.iter().map(|subject| store.path(subject)).collect();
        for subject in stored.iter().filter(|subject| !used.contains(&store.path(subject))) {
            let outcome = if self.args.accept { Outcome::Removed } else { Outcome::Unused };
            let removed = if self.args.accept { store.remove(subject) } else { Ok(()) };
            let told = self.outcome(removed.map(|()| outcome.into()));
            self.tell(path, &store, subject, told);
        }
        Ok(())
    }

    fn outcome(&mut self, result: Result<Told, Problem>) -> Told {
        result.unwrap_or_else(|problem| {
            self.problems.push(problem);
            Outcome::Failed.into()
        })
    }

    fn compare(&mut self, store: &Store, shot: &Shot) -> Told {
        let result = compare(store, shot, self.args.accept);
        self.outcome(result)
    }

    fn tell(&mut self, graph: &Path, store: &Store, subject: &Subject, told: Told) {
        self.outcomes.push(told.outcome);
        let word = told.outcome.word();
        if self.args.json {
            let object = serde_json::json!({
                "graph": graph, "name": subject.name(), "port": matches!(subject, Subject::Port(_)),
                "outcome": word, "snapshot": store.path(subject), "difference": told.difference, "picture": told.picture,
            });
            return console::print(&format!("{object}\n"));
        }
        if told.outcome != Outcome::Passed {
            console::line(&format!("{word}: {} of {}", subject.name(), graph.display()));
        }
        if !told.difference.is_empty() {
            console::line(told.difference.trim_end());
        }
        if let Some(picture) = told.picture {
            console::line(&format!("see {}", picture.display()));
        }
    }

    fn end(self) -> Result<(), Failure> {
        let count = |wanted: Outcome| self.outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let counts: Vec<String> = OUTCOMES
            .into_iter()
            .filter(|outcome| *outcome == Outcome::Passed || count(*outcome) > 0)
            .map(|outcome| format!("{} {}", count(outcome), outcome.word()))
            .collect();
        if !self.args.json {
            console::line(&counts.join(", "));
            if count(Outcome::Changed) + count(Outcome::New) > 0 {
                console::line("look at the files `.snap.new` in `snapshots`, then accept them with --accept");
            } else if count(Outcome::Unused) > 0 {
                console::line("no output has the unused snapshots any more: --accept removes them");
            }
        }
        if count(Outcome::Changed) + count(Outcome::New) + count(Outcome::Failed) > 0
            || !self.problems.is_empty()
        {
            return Err(Failure::Evaluation(self.problems));
        }
        Ok(())
    }
}

/// Compares a value with its snapshot, and writes what is to be reviewed or accepted.
fn compare(store: &Store, shot: &Shot, accept: bool) -> Result<Told, Problem> {
    let stored = match store.read(&shot.subject) {
        // A damaged snapshot is replaced by what is accepted.
        Err(_) if accept => None,
        read => read?,
    };
    if let Some(stored) = &stored
        && stored.text == shot.text.trim_end()
        && stored.picture == shot.picture
    {
        store.forget_new(&shot.subject)?;
        return Ok(Outcome::Passed.into());
    }
    store.write(shot, accept)?;
    if accept {
        store.forget_new(&shot.subject)?;
        return Ok(Outcome::Accepted.into());
    }
    let Some(stored) = stored else { return Ok(Outcome::New.into()) };
    let picture = match (&stored.picture, &shot.picture) {
        (Some(old), Some(new)) => {
            Some(store.write_difference(&shot.subject, &difference::picture(old, new))?)
        }
        _ => None,
    };
    let difference = difference::lines(&stored, shot);
    Ok(Told { outcome: Outcome::Changed, difference, picture })
}
