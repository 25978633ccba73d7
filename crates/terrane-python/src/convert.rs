//! Converts Python values to JSON and RON.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value as Json};
use terrane_flow::syntax::literal;
use terrane_flow::{Literal as _, NodeSpec, Shape, suggest};

use crate::problem::usage;

/// Maximum depth of nested lists, more than any node needs.
const DEEPEST: usize = 32;

/// Converts a Python value to JSON: numbers, texts, lists and dicts of these, paths, and the types of `NumPy`
/// and xarray for them.
pub fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Json> {
    nested(value, 0)
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Json> {
    let py = value.py();
    if depth > DEEPEST {
        return Err(usage(
            py,
            "lists are nested too deeply for a graph",
            "give a number, a text, or a list of them",
        ));
    }
    if value.is_none() {
        return Ok(Json::Null);
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Json::Bool(value.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        let number =
            value.extract::<i64>().map(Json::from).or_else(|_| value.extract::<u64>().map(Json::from));
        let help = "give a number from -2**63 to 2**64 - 1";
        return number.map_err(|_| usage(py, format!("{} is out of range", shown(value)), help));
    }
    if let Ok(float) = value.cast::<PyFloat>() {
        return finite(py, float.value());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Json::String(text.extract()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value
            .try_iter()?
            .map(|item| nested(&item?, depth + 1))
            .collect::<PyResult<Vec<_>>>()
            .map(Json::Array);
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let field = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((name.str()?.to_string(), nested(&value, depth + 1)?))
        };
        return dict.iter().map(field).collect::<PyResult<Map<_, _>>>().map(Json::Object);
    }
    // A number of xarray, which has no `tolist`.
    if value.getattr("ndim").is_ok_and(|axes| axes.eq(0).unwrap_or(false)) && !value.hasattr("tolist")? {
        return nested(&value.call_method0("item")?, depth + 1);
    }
    for method in ["tolist", "__fspath__"] {
        if value.hasattr(method)? {
            let plain = value.call_method0(method)?;
            // NumPy numbers without a Python equivalent convert to themselves.
            let is_plain = !plain.get_type().is(value.get_type());
            return if is_plain { nested(&plain, depth + 1) } else { finite(py, plain.extract()?) };
        }
    }
    let kind = value.get_type().name()?.to_string();
    let help = "give a number, text, a list, a dict, or a path";
    Err(usage(value.py(), format!("{} cannot be written in a graph", suggest::one(&kind)), help))
}

/// Converts a finite number to JSON. Graphs have no other numbers.
fn finite(py: Python<'_>, number: f64) -> PyResult<Json> {
    let wrong = || usage(py, format!("{number} cannot be written in a graph"), "give a finite number");
    Number::from_f64(number).map(Json::Number).ok_or_else(wrong)
}

/// The Python representation of a value, shortened.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let text = value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
    if text.chars().count() > LONGEST {
        text.chars().take(LONGEST).chain(['.', '.', '.']).collect()
    } else {
        text
    }
}

/// The RON text of a value that defines it, with `__ron__`.
pub fn own_text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.hasattr("__ron__")? { value.getattr("__ron__")?.extract().map(Some) } else { Ok(None) }
}

/// The RON text of a field's value.
pub fn field_text(spec: &NodeSpec, name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let names: Vec<&str> = spec.fields().collect();
    // Every node takes `keep`.
    if name != "keep" && !names.contains(&name) {
        let message = format!("`{}` has no field `{name}`", spec.name);
        return Err(usage(py, message, suggest::help(name, &names, "its fields are")));
    }
    if let Some(text) = own_text(value)? {
        return Ok(text);
    }
    let json = to_json(value)?;
    let wrong = |problem: String| {
        usage(
            py,
            format!("`{name}` of `{}`: {problem}", spec.name),
            "help(pyterrane.Graph) lists the fields of each node",
        )
    };
    if let Some(input) = spec.inputs.iter().find(|input| input.name == name) {
        return match json {
            Json::String(text) => Ok(literal::quoted(&text)),
            Json::Number(_) | Json::Null if input.scalar => input.shape().ron(&json).map_err(wrong),
            _ => {
                let number = if input.scalar { ", or a number" } else { "" };
                let (kind, found) = (input.kinds(), shown(value));
                Err(wrong(format!("expected an output of a node of kind {kind}{number}, found {found}")))
            }
        };
    }
    let Some(param) = spec.params.iter().find(|param| param.name == name) else {
        return Ok(literal::quoted(json.as_str().unwrap_or_default()));
    };
    let shape = (param.shape)();
    match &json {
        Json::String(path) if is_file(&shape) => Ok(literal::quoted(path)),
        // A parameter of the graph, or an expression with parameters.
        Json::String(text) if text.contains('$') && !is_text(&shape) => Ok(literal::quoted(text)),
        _ => shaped(&shape, json).and_then(|json| shape.ron(&json)).map_err(wrong),
    }
}

fn is_file(shape: &Shape) -> bool {
    match shape {
        Shape::File => true,
        Shape::Optional(inner) => is_file(inner),
        _ => false,
    }
}

fn is_text(shape: &Shape) -> bool {
    match shape {
        Shape::Text => true,
        Shape::Optional(inner) => is_text(inner),
        _ => false,
    }
}

/// Converts JSON to the form that shapes expect. A record can be its name, or
/// `{"Name": {"field": value}}`. Floats without a fraction are whole numbers. Text is no number, unless it
/// refers to parameters of the graph.
fn shaped(shape: &Shape, json: Json) -> Result<Json, String> {
    /// Floats up to here have no gaps between whole numbers.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    Ok(match (shape, json) {
        (Shape::Integer { .. } | Shape::Float, Json::String(text)) if !text.contains('$') => {
            return Err(format!("expected {shape}, found the text {text:?}"));
        }
        (Shape::Integer { .. }, Json::Number(number)) => {
            let whole = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0);
            let whole = whole.filter(|float| float.abs() <= EXACT);
            Json::Number(whole.map_or(number, |float| Number::from(float as i64)))
        }
        (Shape::Record(_), Json::String(name)) => serde_json::json!({"name": name, "fields": {}}),
        (Shape::Record(_), Json::Object(fields)) if fields.len() == 1 && !fields.contains_key("name") => {
            let (name, fields) = fields.into_iter().next().unwrap_or_default();
            serde_json::json!({"name": name, "fields": fields})
        }
        (Shape::List(item), Json::Array(items)) => {
            Json::Array(items.into_iter().map(|json| shaped(item, json)).collect::<Result<_, _>>()?)
        }
        (Shape::Tuple(shapes), Json::Array(items)) if shapes.len() == items.len() => {
            let items = shapes.iter().zip(items).map(|(shape, json)| shaped(shape, json));
            Json::Array(items.collect::<Result<_, _>>()?)
        }
        (Shape::Optional(inner), json) if !json.is_null() => shaped(inner, json)?,
        (_, json) => json,
    })
}
