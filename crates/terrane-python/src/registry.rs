//! The node types that graphs can use: built-in types, and types that are written in Python.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use terrane_flow::{NodeSpec, NodeType, Registry, suggest};

use crate::definition::Definition;
use crate::problem::usage;

/// All node types, and the subset that is written in Python.
struct Types {
    registry: Arc<Registry>,
    foreign: Vec<Arc<Definition>>,
}

fn types() -> &'static RwLock<Types> {
    static TYPES: OnceLock<RwLock<Types>> = OnceLock::new();
    TYPES.get_or_init(|| {
        RwLock::new(Types { registry: Arc::new(terrane_nodes::registry()), foreign: Vec::new() })
    })
}

/// All node types.
pub fn registry() -> Arc<Registry> {
    Arc::clone(&types().read().unwrap_or_else(PoisonError::into_inner).registry)
}

/// Registers a node type. It replaces an earlier registration of the same name.
#[pyfunction]
pub fn register(definition: &Bound<'_, PyDict>, function: Py<PyAny>) -> PyResult<()> {
    let py = definition.py();
    let made = Definition::new(definition, function)?;
    let name = made.spec.name;
    if add(made) {
        return Ok(());
    }
    Err(usage(py, format!("`{name}` is a node of Terrane's own"), "choose another name"))
}

/// Adds a type that is written in Python. It replaces a Python type of the same name. Returns false if a
/// built-in type has the name.
fn add(definition: Definition) -> bool {
    let mut types = types().write().unwrap_or_else(PoisonError::into_inner);
    let mut foreign = types.foreign.clone();
    foreign.retain(|old| old.spec.name != definition.spec.name);
    foreign.push(Arc::new(definition));
    let mut registry = terrane_nodes::registry();
    for definition in &foreign {
        let made = Arc::clone(definition);
        if registry.add_dynamic(made.spec, Arc::new(move |fields| made.read(fields))).is_err() {
            return false;
        }
    }
    *types = Types { registry: Arc::new(registry), foreign };
    true
}

/// The names of a node type's ports that take maps.
#[pyfunction]
pub fn ports(py: Python<'_>, kind: &str) -> PyResult<Vec<&'static str>> {
    let maps = spec(py, kind)?.inputs.iter().filter(|input| input.kind.name == "map");
    Ok(maps.map(|input| input.name).collect())
}

/// The specification of a node type.
pub fn spec(py: Python<'_>, name: &str) -> PyResult<&'static NodeSpec> {
    let registry = registry();
    registry.node(name).map(NodeType::spec).ok_or_else(|| {
        let known: Vec<&str> = registry.nodes().map(|node| node.spec().name).collect();
        let near = suggest::nearest(name, &known).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| "help(pyterrane.Graph) shows all".to_owned());
        usage(py, format!("there is no type of node `{name}`"), help)
    })
}
