//! The native part of the Python package `pyterrane`: graphs as text, engines, runs and values. What a user sees is in
//! `python/src/pyterrane`.

mod apply;
mod buffer;
mod convert;
mod definition;
mod engine;
mod files;
mod foreign;
mod foreign_run;
mod graph;
mod json;
mod loaded;
mod problem;
mod registry;
mod run;
mod value;

use pyo3::prelude::*;

/// The native part of `pyterrane`.
#[pymodule]
fn _pyterrane(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<files::Files>()?;
    module.add_class::<foreign_run::NodeContext>()?;
    module.add_class::<graph::GraphText>()?;
    module.add_class::<loaded::Loaded>()?;
    module.add_class::<value::Value>()?;
    module.add_function(wrap_pyfunction!(registry::register, module)?)?;
    module.add_function(wrap_pyfunction!(loaded::load, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(run::write, module)?)?;
    module.add_function(wrap_pyfunction!(apply::apply, module)?)?;
    Ok(())
}
