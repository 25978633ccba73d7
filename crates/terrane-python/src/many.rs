//! Sweeps, snapshots and worlds.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::json;
use terrane_flow::Setting;
use terrane_runs::Failure;
use terrane_runs::outputs::Ledger;
use terrane_runs::patches::{self, Done, Making};
use terrane_runs::snapshots::{self, Told};
use terrane_runs::sweep::{self, Sweep, Varied};

use crate::engine::Engine;
use crate::graph::{Settings, parameter_text, texts};
use crate::leaving::detached;
use crate::problem::raised;
use crate::registry::registry;
use crate::stop::{Teller, stoppable};
use crate::value::Value;
use crate::world_part::WorldPart;

impl sweep::Listener for Teller {
    fn begin(&mut self, runs: usize) {
        self.tell(json!({"event": "planned", "nodes": runs}));
    }

    fn ran(&mut self) {
        self.tell(json!({"event": "finished", "node": "run", "seconds": 0.0}));
    }

    fn goes_on(&self) -> bool {
        Self::goes_on(self)
    }

    fn note(&mut self, text: &str) {
        self.tell(json!({"event": "warning", "message": text}));
    }
}

impl patches::Listener for Teller {
    fn begin(&mut self, patches: usize) {
        self.tell(json!({"event": "planned", "nodes": patches}));
    }

    fn goes_on(&self) -> bool {
        Self::goes_on(self)
    }

    fn made(&mut self, done: &Done) {
        let (i, j) = done.patch;
        let seconds = done.took.as_secs_f64();
        self.tell(json!({"event": "finished", "node": format!("{i},{j}"), "seconds": seconds}));
    }

    fn note(&mut self, text: &str) {
        self.tell(json!({"event": "warning", "message": text}));
    }
}

/// Runs a graph for all combinations of the varied values, and writes the table and the other requested
/// files. Returns the errors of the runs that failed.
#[pyfunction]
#[pyo3(signature = (
    engine, graph, table, metrics, *, seeds = Vec::new(), sizes = Vec::new(), vary = Vec::new(),
    set = Vec::new(), profile = None, summary = None, plot = None, curves = None, sheet = None,
    picture = None, measure = false, on_event = None,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a function in Python")]
pub fn run_sweep(
    py: Python<'_>,
    engine: &Engine,
    graph: PathBuf,
    table: PathBuf,
    metrics: Vec<String>,
    seeds: Vec<u64>,
    sizes: Vec<String>,
    vary: Vec<(String, Vec<Bound<'_, PyAny>>)>,
    set: Settings<'_>,
    profile: Option<String>,
    summary: Option<PathBuf>,
    plot: Option<PathBuf>,
    curves: Option<PathBuf>,
    sheet: Option<PathBuf>,
    picture: Option<String>,
    measure: bool,
    on_event: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let mut asked = Sweep { graph, table, metrics, seeds, sizes, ..Sweep::default() };
    for (name, values) in vary {
        let values = values.iter().map(parameter_text).collect::<PyResult<_>>()?;
        asked.varied.push(Varied { name, values });
    }
    asked.load.set.extend(profile.map(Setting::Profile));
    asked.load.set.extend(texts(&set)?);
    (asked.summary, asked.plot, asked.curves) = (summary, plot, curves);
    (asked.sheet, asked.picture, asked.measure) = (sheet, picture, measure);
    let (engine, types) = (engine.get(py)?.clone(), registry());
    let swept = stoppable(py, on_event.as_ref(), move |teller| {
        sweep::run(&asked, &types, &engine, &mut teller.clone())
    })?;
    Ok(swept.problems.into_iter().map(|problem| problem.message).collect())
}

/// Makes patches of a world, and writes their files. Returns the files that join all patches.
#[pyfunction]
#[pyo3(signature = (engine, world, folder, *, mosaic = false, on_event = None))]
pub fn make_world(
    py: Python<'_>,
    engine: &Engine,
    world: Py<WorldPart>,
    folder: PathBuf,
    mosaic: bool,
    on_event: Option<Py<PyAny>>,
) -> PyResult<Vec<PathBuf>> {
    let (only, share) = (world.get().only.clone(), world.get().share);
    let making = Making { out: folder, only, mosaic, share };
    let (cache, engine) = (engine.cache_dir.clone(), engine.get(py)?.clone());
    let made = stoppable(py, on_event.as_ref(), move |teller| {
        let ledger = Ledger::new(cache.as_deref());
        let patches = &world.get().patches;
        patches::make(&world.get().load()?, patches, &making, (&engine, &ledger), &mut teller.clone())
    })?;
    Failure::unless(made.problems).map_err(|failure| raised(py, failure))?;
    Ok(made.mosaics)
}

/// The result for a snapshot: its name, outcome, file, and the lines that differ.
type Compared = (String, &'static str, PathBuf, String);

fn compared(told: &Told) -> Compared {
    (told.subject.name().to_owned(), told.outcome.word(), told.file.clone(), told.difference.clone())
}

/// Collects the results for snapshots.
#[derive(Default)]
struct Heard(Vec<Compared>);

impl snapshots::Listener for Heard {
    fn told(&mut self, told: &Told) {
        self.0.push(compared(told));
    }
}

/// Compares the outputs of graphs with their snapshots. Returns the result for each, and whether all match.
#[pyfunction]
#[pyo3(signature = (graphs, *, ports = Vec::new(), accept = false, threads = 0))]
pub fn test_graphs(
    py: Python<'_>,
    graphs: Vec<PathBuf>,
    ports: Vec<String>,
    accept: bool,
    threads: usize,
) -> PyResult<(bool, Vec<Compared>)> {
    let tests = snapshots::Tests { graphs, ports, accept, threads, ..snapshots::Tests::default() };
    let types = registry();
    let (done, heard) = stoppable(py, None, move |_| {
        let mut heard = Heard::default();
        let done = snapshots::test(&tests, &types, &mut heard);
        Ok((done, heard.0))
    })?;
    match done {
        Ok(()) => Ok((true, heard)),
        // The differences have been collected one by one.
        Err(Failure::Evaluation(problems)) if problems.is_empty() => Ok((false, heard)),
        Err(failure) => Err(raised(py, failure)),
    }
}

/// Compares a value with its snapshot next to a file.
#[pyfunction]
pub fn test_value(
    py: Python<'_>,
    beside: PathBuf,
    name: &str,
    value: &Value,
    accept: bool,
) -> PyResult<Compared> {
    let told = detached(py, || snapshots::test_value(&beside, name, &value.value, accept))?;
    let told = told.map_err(|problem| raised(py, Failure::Evaluation(vec![problem])))?;
    Ok(compared(&told))
}
