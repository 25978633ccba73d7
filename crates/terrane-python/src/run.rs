//! Runs of graphs. Python waits with its lock released, receives events, and can stop a run at any time.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::{Evaluation, Job, Reference, Wanted};
use terrane_nodes::Terrain;
use terrane_runs::{Failure, outputs};

use crate::engine::Engine;
use crate::leaving::detached;
use crate::loaded::Loaded;
use crate::problem::raised;
use crate::signals::{LOOK_EVERY, heard};
use crate::stop::stoppable;
use crate::value::Value;

/// The result of a run: values in the order of the request, warnings, and the name, outcome and seconds of
/// each node.
type Given = (Vec<Value>, Vec<String>, Vec<(String, String, f64)>);

/// Evaluates outputs of a graph. `on_event` is called with each event as a dict.
#[pyfunction]
#[pyo3(signature = (engine, loaded, wanted, on_event = None))]
pub fn run(
    py: Python<'_>,
    engine: &Engine,
    loaded: &Loaded,
    wanted: Vec<String>,
    on_event: Option<Py<PyAny>>,
) -> PyResult<Given> {
    let wanted: Vec<Wanted> = wanted.iter().map(|name| Reference::parse(name).into()).collect();
    let positions =
        wanted.iter().filter_map(|wanted| loaded.0.graph.find(&wanted.output).ok()).collect::<Vec<_>>();
    let session = engine.session(py)?;
    let job = detached(py, || {
        terrane_runs::memory::check_graph(&loaded.0, &positions, session.engine())?;
        session.start(&loaded.0, wanted).map_err(Failure::from)
    })?;
    let job = job.map_err(|failure| raised(py, failure))?;
    follow(py, &job, on_event.as_ref())?;
    let evaluation = detached(py, || job.wait())?;
    if !evaluation.succeeded() {
        return Err(raised(py, Failure::Evaluation(outputs::failures(&loaded.0, &evaluation))));
    }
    let (values, warnings, nodes) = given(py, evaluation)?;
    let ground = Terrain::of(&*loaded.0.graph.header).and_then(|terrain| terrain.place.clone());
    Ok((values.into_iter().map(|value| value.over(ground.clone())).collect(), warnings, nodes))
}

/// Passes on a job's events until it ends. An exception in Python, such as by Ctrl-C, cancels the job.
pub fn follow(py: Python<'_>, job: &Job, on_event: Option<&Py<PyAny>>) -> PyResult<()> {
    loop {
        let event = detached(py, || job.events().recv_timeout(LOOK_EVERY)).inspect_err(|_| job.cancel())?;
        let event = match event {
            Ok(event) => Some(event.to_json()),
            Err(error) if error.is_disconnected() => return Ok(()),
            Err(_) => None,
        };
        if let Err(stop) = heard(py, event.as_ref(), on_event) {
            job.cancel();
            return Err(stop);
        }
    }
}

/// Converts a successful evaluation for Python.
pub fn given(py: Python<'_>, evaluation: Evaluation) -> PyResult<Given> {
    let missing =
        |output: &Reference| raised(py, Failure::evaluation(format!("`{output}` has no value"), "run again"));
    let values = evaluation.outputs.into_iter().map(|output| match output.value {
        Some(value) => Ok(Value::new(value)),
        None => Err(missing(&output.output)),
    });
    let values = values.collect::<PyResult<Vec<_>>>()?;
    let nodes = evaluation.nodes.iter().map(|node| {
        let outcome = format!("{:?}", node.outcome).to_lowercase();
        (node.node.to_string(), outcome, node.time.as_secs_f64())
    });
    Ok((values, evaluation.warnings, nodes.collect()))
}

/// Writes the graph's output files into a folder, as the command does. Returns the paths of the files
/// written, and the warnings of nodes.
#[pyfunction]
#[pyo3(signature = (engine, loaded, folder, only = Vec::new(), on_event = None))]
pub fn write(
    py: Python<'_>,
    engine: &Engine,
    loaded: &Loaded,
    folder: PathBuf,
    only: Vec<String>,
    on_event: Option<Py<PyAny>>,
) -> PyResult<(Vec<PathBuf>, Vec<String>)> {
    let (loaded, session) = (Arc::clone(&loaded.0), engine.session(py)?);
    let ledger = outputs::Ledger::new(engine.cache_dir.as_deref());
    stoppable(py, on_event.as_ref(), move |teller| {
        let engine = session.engine();
        let entries = outputs::entries(&loaded, &only)?;
        outputs::check_folder(&loaded, &folder)?;
        terrane_runs::memory::check_graph(&loaded, &outputs::positions(&loaded, &entries), engine)?;
        let to = outputs::Destination { out: &folder, ledger: &ledger };
        let wanted = outputs::wanted(&loaded, &entries, to);
        let wait = |job: &Job| teller.follow(job);
        let (evaluation, report) = outputs::run(engine, &loaded, (&entries, wanted), to, wait, &mut |_| {})?;
        let mut problems = report.problems;
        problems.extend(outputs::failures(&loaded, &evaluation));
        Failure::unless(problems)?;
        let files = report.made.iter().flat_map(outputs::Made::files).map(PathBuf::from).collect();
        Ok((files, evaluation.warnings))
    })
}
