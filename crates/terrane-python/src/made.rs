//! Converts results of Python functions to values.

use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{Data as _, OutputSpec, Value as FlowValue};
use terrane_grid::{Domain, GeoReference, Grid, Heightmap};
use terrane_nodes::values::{Levels, Map, Picture, Table};

use crate::value::Value;

/// The position in the world and on Earth of the maps that a node creates.
pub struct Place {
    pub domain: Domain,
    pub georef: Option<Arc<GeoReference>>,
    /// Whether a map that the node reads can have holes. Then its own maps can have some too.
    pub holes: bool,
}

/// Converts a result of a function to the value of an output.
pub fn made(output: &OutputSpec, given: &Bound<'_, PyAny>, place: &Place) -> PyResult<FlowValue> {
    let py = given.py();
    if let Ok(value) = given.extract::<PyRef<'_, Value>>() {
        if value.value.kind() == output.kind {
            return Ok(value.value.clone());
        }
        let (found, wanted) = (value.value.kind().name, output.kind.name);
        return Err(PyValueError::new_err(format!(
            "`{}` is a {found}, where a {wanted} is wanted",
            output.name
        )));
    }
    Ok(match output.kind.name {
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
        kind => {
            let is_level = kind == Levels::KIND;
            let buffer = PyBuffer::<f32>::get(given)?;
            let (rows, columns) = (buffer.shape()[0], buffer.shape()[1]);
            let (width, height) = place.domain.size;
            if (columns, rows) != (width, height) {
                let message = format!(
                    "`{}` has shape ({rows}, {columns}), where ({height}, {width}) is wanted",
                    output.name
                );
                return Err(PyValueError::new_err(message));
            }
            let samples = buffer.to_vec(py)?;
            let is_wrong =
                |sample: &f32| sample.is_infinite() || sample.is_nan() && !place.holes && !is_level;
            if let Some(at) = samples.iter().position(is_wrong) {
                let (row, column) = (at / columns, at % columns);
                let message = format!("`{}` has {} at row {row}, column {column}", output.name, samples[at]);
                return Err(PyValueError::new_err(message));
            }
            let map = Heightmap::from_vec(place.domain, samples);
            let map = map.with_georef(place.georef.clone());
            if is_level { FlowValue::new(Levels::new(map)) } else { FlowValue::new(Map(map)) }
        }
    })
}
