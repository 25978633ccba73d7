//! The types of node that graphs can use.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use terrane_flow::{NodeSpec, NodeType, Registry, suggest};

use crate::problem::usage;

/// Every type of node.
pub fn registry() -> Arc<Registry> {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    Arc::clone(REGISTRY.get_or_init(|| Arc::new(terrane_nodes::registry())))
}

/// What a type of node says about itself.
pub fn spec(py: Python<'_>, name: &str) -> PyResult<&'static NodeSpec> {
    let registry = registry();
    registry.node(name).map(NodeType::spec).ok_or_else(|| {
        let known: Vec<&str> = registry.nodes().map(|node| node.spec().name).collect();
        let near = suggest::nearest(name, &known).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| "help(pyterrane.Graph) shows all".to_owned());
        usage(py, format!("there is no type of node `{name}`"), help)
    })
}
