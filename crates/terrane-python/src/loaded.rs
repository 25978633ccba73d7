//! Loads graphs and checks them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{Files as _, LoadOptions, Reference, Setting};
use terrane_nodes::Terrain;
use terrane_runs::{Failure, sweep};

use crate::files::Files;
use crate::graph::parameter_text;
use crate::leaving::detached;
use crate::problem::{raised, usage};
use crate::registry::registry;

/// A graph that has been loaded and checked.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct Loaded(pub Arc<terrane_flow::Loaded>);

/// Loads and checks the graph at `path`, on disk or in `files`.
#[pyfunction]
#[pyo3(signature = (
    path, files, *, seed = None, size = None, profile = None, set = None, allow_outside = false,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a function in Python")]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    files: &Files,
    seed: Option<u64>,
    size: Option<(usize, usize)>,
    profile: Option<String>,
    set: Option<&Bound<'_, PyDict>>,
    allow_outside: bool,
) -> PyResult<Loaded> {
    let mut options = LoadOptions { seed, allow_outside, ..LoadOptions::default() };
    options.files = Arc::clone(&files.0) as _;
    options.set.extend(profile.map(Setting::Profile));
    for (name, value) in set.into_iter().flatten() {
        options.set.push(Setting::Param(name.extract()?, parameter_text(&value)?));
    }
    if let Some((width, height)) = size {
        let header = sweep::size(&format!("{width}x{height}")).map_err(|failure| raised(py, failure))?;
        options.header.push(header);
    }
    let loaded = detached(py, || {
        if let Err(error) = files.0.entry(&path) {
            return Err(Failure::usage(
                format!("{}: {error}", path.display()),
                "give the path of a graph file",
            ));
        }
        terrane_flow::load_file(&path, &registry(), &options).map_err(Failure::from)
    })?;
    loaded.map(|loaded| Loaded(Arc::new(loaded))).map_err(|failure| raised(py, failure))
}

#[pymethods]
impl Loaded {
    /// The names of the nodes with their types. `sub/inner` is a node of a subgraph.
    #[getter]
    fn nodes(&self) -> Vec<(&str, &'static str)> {
        self.0.graph.nodes.iter().map(|(name, node)| (name.as_str(), node.node().spec().name)).collect()
    }

    /// The graph's output files, each with the output that it contains.
    #[getter]
    fn outputs(&self) -> Vec<(&str, String)> {
        self.0.graph.outputs.iter().map(|output| (output.file.as_str(), output.from.to_string())).collect()
    }

    /// The names and kinds of a node's outputs.
    fn outputs_of(&self, py: Python<'_>, node: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
        let (position, _) = self
            .0
            .graph
            .find(&Reference::parse(node))
            .map_err(|problem| usage(py, problem.message, problem.help))?;
        let spec = self.0.graph.nodes[position].node().spec();
        Ok(spec.outputs.iter().map(|output| (output.name, output.kind.name)).collect())
    }

    /// Columns and rows of the graph's maps, and the distance between samples.
    #[getter]
    fn samples(&self) -> ((usize, usize), f64) {
        let domain = Terrain::of(&*self.0.graph.header).map(|terrain| terrain.domain);
        domain.map_or(((0, 0), 1.0), |domain| (domain.size, domain.spacing))
    }

    /// The graph's seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.graph.seed
    }
}
