//! Evaluates one node on arrays.

use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{
    Graph, GraphNode, InputSpec, Kind, Loaded, Plan, Reference, Source, Value as FlowValue, Wanted,
};
use terrane_grid::{Domain, Heightmap};
use terrane_nodes::values::{Levels, Map};
use terrane_nodes::{Terrain, check_domain};
use terrane_runs::{Failure, outputs};

use crate::buffer::copied;
use crate::convert::field_text;
use crate::engine::Engine;
use crate::leaving::detached;
use crate::problem::{raised, usage};
use crate::read_node::node;
use crate::registry::spec;
use crate::run::{follow, given};
use crate::value::Value;

/// Evaluates outputs of one node with arrays at its ports. `fields` are the fields of the node. Arrays among
/// them must be contiguous rows of 32-bit floats.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place in Python, which has keywords")]
pub fn apply(
    py: Python<'_>,
    engine: &Engine,
    kind: &str,
    arrays: &Bound<'_, PyDict>,
    fields: &Bound<'_, PyDict>,
    size: (usize, usize),
    spacing: f64,
    origin: (f64, f64),
    seed: u64,
    wanted: Vec<String>,
) -> PyResult<Vec<Value>> {
    let spec = spec(py, kind)?;
    let domain = Domain { size, spacing, origin };
    check_domain(&domain).map_err(|problem| usage(py, problem.message, problem.help))?;
    let mut texts = Vec::new();
    for (name, value) in fields {
        let name: String = name.extract()?;
        let text = field_text(spec, &name, &value)?;
        texts.push((name, text));
    }
    let mut bound = Vec::new();
    for (name, array) in arrays {
        let name: String = name.extract()?;
        let Some(port) = spec.inputs.iter().position(|input| input.name == name && input.kind.name == "map")
        else {
            return Err(usage(py, format!("`{name}` of `{kind}` takes no array"), "give a number or a name"));
        };
        bound.push((port, given_at(&spec.inputs[port], &array, domain)?));
        // A placeholder for the input that is connected later.
        texts.push((name, "\"array\"".to_owned()));
    }
    let failed = |failure| raised(py, failure);
    let session = engine.session(py)?;
    let engine = session.engine();
    let mut node = node(kind, &texts).map_err(|wrong| failed(Failure::Graph(wrong)))?;
    let (job, loaded) = detached(py, || {
        for (port, map) in bound {
            node.port_mut(port).connect(Source::Bound(map));
        }
        let mut graph = Graph::new(Terrain::new(domain)).with_seed(seed);
        graph.nodes.insert(kind.to_owned(), GraphNode::new(node, None));
        let plan = Plan::new(&graph)?;
        let loaded = Arc::new(Loaded { graph, plan: Arc::new(plan) });
        let positions: Vec<_> =
            wanted.iter().filter_map(|name| spec.output(Some(name))).map(|at| (0, at)).collect();
        terrane_runs::memory::check_graph(&loaded, &positions, engine)?;
        let wanted = wanted
            .iter()
            .map(|name| Wanted::from(Reference { node: kind.into(), output: Some(name.clone().into()) }));
        let job = session.start(&loaded, wanted)?;
        Ok::<_, Failure>((job, loaded))
    })?
    .map_err(failed)?;
    follow(py, &job, None)?;
    let evaluation = detached(py, || job.wait())?;
    if !evaluation.succeeded() {
        return Err(failed(Failure::Evaluation(outputs::failures(&loaded, &evaluation))));
    }
    let warnings = evaluation.warnings.clone();
    let (values, ..) = given(py, evaluation)?;
    let warn = py.import("pyterrane._warn")?.getattr("warn")?;
    for warning in warnings {
        warn.call1((warning,))?;
    }
    Ok(values)
}

/// The value of an array at a port: levels as they are where the port takes them, and a map otherwise.
fn given_at(input: &InputSpec, array: &Bound<'_, PyAny>, domain: Domain) -> PyResult<FlowValue> {
    let map = map(input.name, array, domain)?;
    let kind = array.cast::<Value>().map(|value| value.get().value.kind());
    let is_level = kind.is_ok_and(|kind| kind == Kind::of::<Levels>() && input.takes(kind));
    Ok(if is_level { FlowValue::new(Levels::new(map.0)) } else { FlowValue::new(map) })
}

/// Converts an array to a map. Samples that are not numbers are holes.
fn map(name: &str, array: &Bound<'_, PyAny>, domain: Domain) -> PyResult<Map> {
    let py = array.py();
    let buffer = PyBuffer::<f32>::get(array)?;
    let (width, height) = domain.size;
    if buffer.shape() != [height, width] {
        let message = format!("`{name}` has shape {:?}, where ({height}, {width}) is wanted", buffer.shape());
        return Err(usage(py, message, "give maps of one size"));
    }
    let Some((samples, wrong)) = copied(py, &buffer) else {
        return Err(usage(py, format!("the rows of `{name}` are not contiguous"), "copy the array first"));
    };
    if let Some(at) = wrong {
        let message = format!("`{name}` has {} at row {}, column {}", samples[at], at / width, at % width);
        let help = "mark missing samples by NaN: numpy.where(numpy.isfinite(array), array, numpy.nan)";
        return Err(usage(py, message, help));
    }
    Ok(Map(Heightmap::from_vec(domain, samples)))
}
