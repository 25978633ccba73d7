//! Runs of nodes that are written in Python.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use terrane_flow::{Context, NodeError, Source, Value as FlowValue};
use terrane_grid::{Domain, GeoReference, Grid, Heightmap};
use terrane_nodes::Terrain;
use terrane_nodes::values::{Map, Picture, Table};

use crate::definition::{Constant, PythonNode};
use crate::value::Value;

/// What a node that is written in Python knows of its graph, and whom it tells how far it is. It answers while the node runs.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct NodeContext {
    /// Columns and rows.
    #[pyo3(get)]
    size: (usize, usize),
    /// Distance between samples.
    #[pyo3(get)]
    spacing: f64,
    /// World x and y of the first sample.
    #[pyo3(get)]
    origin: (f64, f64),
    told: Arc<Mutex<Told>>,
}

/// What a node tells, until whoever runs it hears of it.
#[derive(Default)]
struct Told {
    fraction: f64,
    warnings: Vec<String>,
    stops: bool,
}

impl NodeContext {
    fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl NodeContext {
    /// Tells how far the node is; whether it should go on.
    fn progress(&self, fraction: f64) -> bool {
        let mut told = self.told();
        told.fraction = fraction;
        !told.stops
    }

    /// Tells the author something.
    fn warn(&self, message: String) {
        self.told().warnings.push(message);
    }
}

/// Calls the node's function.
pub fn called(node: &PythonNode, cx: &Context<'_>) -> Result<Vec<FlowValue>, NodeError> {
    let values: Vec<Option<FlowValue>> = node
        .inputs
        .iter()
        .map(|port| match terrane_flow::Port::source(port) {
            Source::Bound(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    let map = values.iter().flatten().find_map(FlowValue::get::<Map>);
    let spec = node.definition.spec;
    let (domain, georef) = match map {
        Some(map) => (map.domain(), map.georef().cloned()),
        None if spec.header => (cx.header::<Terrain>().0, None),
        None => (Domain::new(1, 1), None),
    };
    let place = if spec.header { cx.header::<Terrain>().0 } else { domain };
    let told = Arc::new(Mutex::new(Told::default()));
    let finished = std::sync::atomic::AtomicBool::new(false);
    // A thread beside hands on what the node tells and hears of an end, since the context belongs to this call alone.
    let result = std::thread::scope(|scope| {
        let watch = scope.spawn(|| watched(cx, &told, &finished));
        let result = Python::attach(|py| {
            let context = NodeContext {
                size: place.size,
                spacing: place.spacing,
                origin: place.origin,
                told: Arc::clone(&told),
            };
            let given = call(py, node, &values, context).and_then(|results| {
                let kinds = spec.outputs.iter().map(|output| output.kind.name);
                kinds
                    .zip(results)
                    .map(|(kind, result)| made(kind, result.bind(py), domain, georef.as_ref()))
                    .collect()
            });
            given.map_err(|error| failed(py, &error))
        });
        finished.store(true, std::sync::atomic::Ordering::Release);
        watch.thread().unpark();
        result
    });
    for warning in std::mem::take(&mut told.lock().unwrap_or_else(PoisonError::into_inner).warnings) {
        cx.warn(warning);
    }
    result
}

/// Hands on how far a node is, and tells it when nobody wants its result any more.
fn watched(cx: &Context<'_>, told: &Mutex<Told>, finished: &std::sync::atomic::AtomicBool) {
    const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(20);
    while !finished.load(std::sync::atomic::Ordering::Acquire) {
        let fraction = told.lock().unwrap_or_else(PoisonError::into_inner).fraction;
        if cx.progress(fraction).is_err() {
            told.lock().unwrap_or_else(PoisonError::into_inner).stops = true;
        }
        std::thread::park_timeout(LOOK_EVERY);
    }
}

/// What the function gives, in the order of outputs.
fn call(
    py: Python<'_>,
    node: &PythonNode,
    values: &[Option<FlowValue>],
    context: NodeContext,
) -> PyResult<Vec<Py<PyAny>>> {
    let spec = node.definition.spec;
    let (ports, params) = (PyDict::new(py), PyDict::new(py));
    for (input, value) in spec.inputs.iter().zip(values) {
        let value = value.as_ref().map(|value| Value::new(value.clone(), value.digest()));
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
    node.definition.function.call1(py, (ports, params, context))?.extract(py)
}

/// A value of a kind from what the function gave.
fn made(
    kind: &str,
    given: &Bound<'_, PyAny>,
    domain: Domain,
    georef: Option<&Arc<GeoReference>>,
) -> PyResult<FlowValue> {
    let py = given.py();
    if let Ok(value) = given.extract::<PyRef<'_, Value>>() {
        return Ok(value.value.clone());
    }
    Ok(match kind {
        "picture" => {
            let buffer = PyBuffer::<u8>::get(given)?;
            let (rows, columns) = (buffer.shape()[0], buffer.shape()[1]);
            let colours = buffer.to_vec(py)?.as_chunks::<3>().0.to_vec();
            FlowValue::new(Picture(Grid::from_vec(columns, rows, colours)))
        }
        "table" => {
            let columns: Vec<(String, Vec<f64>)> = given.cast::<PyDict>()?.items().extract()?;
            let columns = columns.iter().map(|(name, numbers)| (name.as_str(), numbers.clone()));
            FlowValue::new(Table::new(columns.collect()))
        }
        _ => {
            let buffer = PyBuffer::<f32>::get(given)?;
            let (rows, columns) = (buffer.shape()[0], buffer.shape()[1]);
            let samples = buffer.to_vec(py)?;
            let missing = samples.iter().position(|sample| !sample.is_finite());
            if let Some(at) = missing {
                let message = format!("{} at row {}, column {}", samples[at], at / columns, at % columns);
                return Err(pyo3::exceptions::PyValueError::new_err(message));
            }
            let size = (columns, rows);
            let is_alike = size == domain.size;
            let domain = if is_alike { domain } else { Domain { size, ..domain } };
            let map = Heightmap::from_vec(domain, samples);
            FlowValue::new(Map(map.with_georef(georef.filter(|_| is_alike).cloned())))
        }
    })
}

/// An exception as the node's error, with the lines that led to it.
fn failed(py: Python<'_>, error: &PyErr) -> NodeError {
    let kind = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
    if kind == "Cancelled" {
        return NodeError::Cancelled;
    }
    let message = format!("{kind}: {}", error.value(py));
    let lines = || -> PyResult<String> {
        let parts = (error.get_type(py), error.value(py), error.traceback(py));
        let lines = py.import("traceback")?.call_method1("format_exception", parts)?;
        Ok(lines.cast_into::<PyList>()?.iter().map(|line| line.to_string()).collect())
    };
    NodeError::failed(message, lines().unwrap_or_default())
}
