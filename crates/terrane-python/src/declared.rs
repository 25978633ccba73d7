//! The methods and functions of built-in node types, from which Python makes its own.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use terrane_flow::NodeSpec;
use terrane_signatures::{Constant, function, method};

use crate::registry::spec;

/// An argument of a method or a function.
#[pyclass(frozen, get_all, module = "pyterrane._pyterrane")]
pub struct Argument {
    name: String,
    annotation: String,
    is_positional: bool,
    is_required: bool,
    default: Py<PyAny>,
}

/// A method or a function for a node type.
#[pyclass(frozen, get_all, module = "pyterrane._pyterrane")]
pub struct Callable {
    name: &'static str,
    docs: String,
    returns: String,
    /// The arguments, in the order of the signature.
    arguments: Vec<Py<Argument>>,
    /// The node's fields and the names of their arguments, in the order of the node's declaration.
    fields: Vec<(&'static str, String)>,
    /// The name, kind, unit and description of each output.
    outputs: Vec<(&'static str, &'static str, &'static str, String)>,
}

impl Callable {
    fn new(py: Python<'_>, own: &terrane_signatures::Callable) -> PyResult<Self> {
        let arguments = own.signature().into_iter().map(|argument| {
            let made = Argument {
                name: argument.name.clone(),
                annotation: argument.annotation.clone(),
                is_positional: argument.is_positional,
                is_required: argument.default.is_none(),
                default: to_python(py, argument.default.as_ref().unwrap_or(&Constant::None))?.unbind(),
            };
            Py::new(py, made)
        });
        let fields = own.arguments.iter();
        let fields = fields.filter_map(|argument| Some((argument.field?, argument.name.clone())));
        let outputs = own.outputs.iter();
        let outputs = outputs.map(|output| (output.name, output.kind, output.unit, output.docs.clone()));
        Ok(Self {
            name: own.name,
            docs: own.docstring(),
            returns: own.returns.clone(),
            arguments: arguments.collect::<PyResult<_>>()?,
            fields: fields.collect(),
            outputs: outputs.collect(),
        })
    }
}

/// Converts a constant to a value of Python.
fn to_python<'py>(py: Python<'py>, constant: &Constant) -> PyResult<Bound<'py, PyAny>> {
    match constant {
        Constant::None => Ok(py.None().into_bound(py)),
        Constant::Bool(value) => value.into_bound_py_any(py),
        Constant::Int(number) => number.into_bound_py_any(py),
        Constant::Float(number) => number.into_bound_py_any(py),
        Constant::Text(text) => text.into_bound_py_any(py),
        Constant::Tuple(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, items)?.into_bound_py_any(py)
        }
        Constant::Dict(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_bound_py_any(py)
        }
    }
}

/// The method of a node type, and its function if it can be evaluated on arrays.
type Callables = (Callable, Option<Callable>);

/// The method and the function of each built-in node type.
#[pyfunction]
pub fn callables(py: Python<'_>) -> PyResult<Vec<Callables>> {
    terrane_nodes::registry().nodes().map(|node| both(py, node.spec())).collect()
}

/// The method and the function of one node type, such as one that is written in Python.
#[pyfunction]
pub fn callables_of(py: Python<'_>, kind: &str) -> PyResult<Callables> {
    both(py, spec(py, kind)?)
}

fn both(py: Python<'_>, spec: &NodeSpec) -> PyResult<Callables> {
    let of_arrays = function(spec).map(|own| Callable::new(py, &own)).transpose()?;
    Ok((Callable::new(py, &method(spec))?, of_arrays))
}
