//! Runs of nodes that are written in Python.
//!
//! The function runs on a daemon thread that Python starts and may abandon when it exits. The engine's thread
//! waits for the function without acquiring Python's lock again, so it can stop waiting at once when the
//! result is no longer needed.

use std::sync::Mutex;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{Context, NodeError, NodeSpec, Source, Value as FlowValue, lock};
use terrane_grid::Domain;
use terrane_nodes::Terrain;
use terrane_nodes::values::heights_of;

use crate::causes;
use crate::definition::{Constant, PythonNode};
use crate::leaving::Waiting;
use crate::made::{Place, made};
use crate::node_context::{NodeContext, Shared};
use crate::value::Value;

/// Time between two checks for cancellation.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The values of a node's outputs, or why there are none.
type Outcome = Result<Vec<FlowValue>, NodeError>;

/// Receives the result of a function from its thread.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct Reply {
    to: Mutex<Option<Sender<Outcome>>>,
    spec: &'static NodeSpec,
    place: Place,
    shared: Shared,
}

impl Reply {
    fn send(&self, result: Outcome) {
        let to = lock(&self.to).take();
        if let Some(to) = to {
            // The receiver is gone if the engine stopped waiting.
            let _unheard = to.send(result);
        }
    }
}

#[pymethods]
impl Reply {
    /// Takes the results of the function, in the order of outputs.
    fn give(&self, py: Python<'_>, results: Vec<Py<PyAny>>) {
        let values = self.spec.outputs.iter().zip(&results);
        let values: PyResult<Vec<FlowValue>> =
            values.map(|(output, result)| made(output, result.bind(py), &self.place)).collect();
        match values {
            Ok(values) => self.send(Ok(values)),
            Err(error) => self.fail(py, error.into_value(py).into_any()),
        }
    }

    /// Takes the exception that the function raised.
    fn fail(&self, py: Python<'_>, error: Py<PyAny>) {
        let error = PyErr::from_value(error.into_bound(py));
        let is_stopped = self.shared.reports().stops;
        self.send(Err(if is_stopped { NodeError::Cancelled } else { failed(py, &error) }));
    }
}

/// Calls the node's function and waits for its result.
pub fn called(node: &PythonNode, cx: &Context<'_>) -> Outcome {
    let bound = node.inputs.iter().map(|port| match terrane_flow::Port::source(port) {
        Source::Bound(value) => Some(value.clone()),
        _ => None,
    });
    let values: Vec<Option<FlowValue>> = bound.collect();
    let map = values.iter().flatten().find_map(heights_of);
    let spec = node.definition.spec;
    let holes = cx.has_holes();
    let place = match map {
        Some(map) => Place { domain: map.domain(), georef: map.georef().cloned(), holes },
        None if spec.header => Place { domain: cx.header::<Terrain>().domain, georef: None, holes },
        None => Place { domain: Domain::new(1, 1), georef: None, holes },
    };
    let ground = if spec.header { cx.header::<Terrain>().domain } else { place.domain };
    let shared = Shared::default();
    // Nodes that wait for this node also wait for the graphs that it evaluates.
    let context = NodeContext::new(ground, shared.clone(), cx.keys().collect());
    let (to, result) = bounded(1);
    let reply = Reply { to: Mutex::new(Some(to)), spec, place, shared: shared.clone() };
    {
        let _waiting = Waiting::begin().ok_or(NodeError::Cancelled)?;
        Python::attach(|py| start(py, node, &values, context, reply).map_err(|error| failed(py, &error)))?;
    }
    loop {
        let result = result.recv_timeout(LOOK_EVERY);
        let (fraction, warnings) = {
            let mut reports = shared.reports();
            (reports.fraction, std::mem::take(&mut reports.warnings))
        };
        warnings.into_iter().for_each(|warning| cx.warn(warning));
        match result {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => {
                if let Err(stop) = cx.progress(fraction) {
                    shared.reports().stops = true;
                    return Err(stop);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(NodeError::failed("its thread ended without a result", "run again"));
            }
        }
    }
}

/// Starts the thread of the node's function.
fn start(
    py: Python<'_>,
    node: &PythonNode,
    values: &[Option<FlowValue>],
    context: NodeContext,
    reply: Reply,
) -> PyResult<()> {
    let spec = node.definition.spec;
    let (ports, params) = (PyDict::new(py), PyDict::new(py));
    for (input, value) in spec.inputs.iter().zip(values) {
        let value = value.clone().map(Value::new);
        ports.set_item(input.name, value)?;
    }
    for (param, value) in spec.params.iter().zip(&node.params) {
        match value {
            Constant::Float(number) => params.set_item(param.name, number)?,
            Constant::Int(number) => params.set_item(param.name, number)?,
            Constant::Bool(value) => params.set_item(param.name, value)?,
            Constant::Text(text) => params.set_item(param.name, text)?,
        }
    }
    node.definition.function.call1(py, (ports, params, context, reply)).map(drop)
}

/// Converts an exception to the node's error, with the line that raised it. The exception becomes the cause
/// of the run's exception.
fn failed(py: Python<'_>, error: &PyErr) -> NodeError {
    let kind = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
    let line = || -> PyResult<String> {
        let own: String = py.import("pyterrane")?.getattr("__path__")?.get_item(0)?.extract()?;
        let frames: Vec<Bound<'_, PyAny>> =
            py.import("traceback")?.call_method1("extract_tb", (error.traceback(py),))?.extract()?;
        for frame in frames.iter().rev() {
            let file: String = frame.getattr("filename")?.extract()?;
            // The line in the author's code is more useful than a line of this package.
            if !file.starts_with(&own) {
                return Ok(format!(" ({file}:{})", frame.getattr("lineno")?));
            }
        }
        Ok(String::new())
    };
    let line = line().unwrap_or_default();
    let message = match error.value(py).to_string() {
        text if text.is_empty() => format!("{kind}{line}"),
        text => format!("{kind}: {text}{line}"),
    };
    causes::remember(&message, error.clone_ref(py));
    NodeError::failed(message, "")
}
