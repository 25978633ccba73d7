//! Checks for Python's signals and exceptions during waits.

use std::time::Duration;

use pyo3::prelude::*;
use serde_json::Value as Json;

use crate::json::to_python;
use crate::node_context;

/// The maximum time between two checks for a signal.
pub const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Passes an event to the Python callback. An exception means that Python stops the work, or that the result
/// of the node that waits here is no longer needed.
pub fn heard(py: Python<'_>, event: Option<&Json>, on_event: Option<&Py<PyAny>>) -> PyResult<()> {
    if let (Some(event), Some(hears)) = (event, on_event) {
        hears.call1(py, (to_python(py, event)?,))?;
    }
    if node_context::stops() {
        return Err(PyErr::from_value(py.import("pyterrane._foreign")?.getattr("Cancelled")?.call0()?));
    }
    py.check_signals()
}
