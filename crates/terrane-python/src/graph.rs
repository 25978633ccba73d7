//! The text of a graph while it is edited.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::syntax::literal;
use terrane_flow::{GraphText as Text, RewriteError, Setting, format_text};
use terrane_runs::Failure;

use crate::convert::{field_text, own_text, to_json};
use crate::problem::{raised, usage};
use crate::read_node::node;
use crate::registry::spec;

/// The text of a graph. An edit keeps every byte that it does not concern.
#[pyclass(module = "pyterrane._pyterrane")]
pub struct GraphText(Text);

fn refused(py: Python<'_>, error: RewriteError) -> PyErr {
    match error {
        RewriteError::Text(diagnostics) => raised(py, Failure::Graph(diagnostics)),
        taken @ RewriteError::Taken { .. } => {
            let help = "choose another name, or remove the node first: graph.remove(name)";
            usage(py, taken.to_string(), help)
        }
        other => usage(py, other.to_string(), ""),
    }
}

#[pymethods]
impl GraphText {
    /// Parses a text.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        Text::new(text).map(Self).map_err(|error| refused(py, error))
    }

    /// The current text.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The text in the usual layout.
    fn formatted(&self, py: Python<'_>) -> PyResult<String> {
        format_text("graph.ron", self.0.text()).map_err(|wrong| raised(py, Failure::Graph(wrong)))
    }

    /// Adds a node.
    fn add_node(
        &mut self,
        py: Python<'_>,
        name: &str,
        kind: &str,
        fields: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let spec = spec(py, kind)?;
        let mut given = Vec::with_capacity(fields.len());
        for (field, value) in fields {
            let field: String = field.extract()?;
            let text = field_text(spec, &field, &value)?;
            given.push((field, text));
        }
        let fields: Vec<(String, String)> =
            given.iter().filter(|(field, _)| field != "keep").cloned().collect();
        // Errors in the fields are reported now rather than by every later run, unless a field refers to a
        // parameter of the graph, whose value is only known in a run.
        if !fields.iter().any(|(_, text)| text.contains('$')) {
            node(kind, &fields).map_err(|wrong| raised(py, Failure::Graph(wrong)))?;
        }
        let texts: Vec<String> = given.iter().map(|(field, text)| format!("{field}: {text}")).collect();
        self.0.add_node(name, &format!("{kind}({})", texts.join(", "))).map_err(|error| refused(py, error))
    }

    /// Removes a node.
    fn remove_node(&mut self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.0.remove_node(name).map_err(|error| refused(py, error))
    }

    /// Sets a field of a node of some type.
    fn set_field(&mut self, node: &str, kind: &str, field: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let text = field_text(spec(py, kind)?, field, value)?;
        self.0.set_field(node, field, &text).map_err(|error| refused(py, error))
    }

    /// Sets a parameter of the graph.
    fn set_parameter(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let text = parameter_text(value)?;
        self.0.set_graph_parameter(name, &text).map_err(|error| refused(py, error))
    }

    /// Declares a parameter of the graph.
    fn add_parameter(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let text = parameter_text(value)?;
        self.0.declare_param(name, &text).map_err(|error| refused(py, error))
    }

    /// Adds an output file.
    fn add_output(&mut self, py: Python<'_>, file: &str, source: &str) -> PyResult<()> {
        self.0.add_output(file, source).map_err(|error| refused(py, error))
    }
}

/// The text of a value for a graph parameter, whose shape is not declared.
pub fn parameter_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Some(text) = own_text(value)? {
        return Ok(text);
    }
    Ok(written(&to_json(value)?))
}

/// Names and values of parameters.
pub type Settings<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// Converts parameters to their RON texts.
pub fn texts(settings: &Settings<'_>) -> PyResult<Vec<Setting>> {
    settings.iter().map(|(name, value)| Ok(Setting::Param(name.clone(), parameter_text(value)?))).collect()
}

/// Converts JSON to RON: lists in brackets, and text in quotes.
fn written(json: &serde_json::Value) -> String {
    use serde_json::Value as Json;
    match json {
        Json::Null => "None".to_owned(),
        Json::String(text) => literal::quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
