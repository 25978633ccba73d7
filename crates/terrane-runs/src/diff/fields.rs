//! Fields of nodes as they are compared.

use std::collections::HashMap;

use terrane_flow::{Node, Reference, Source};

/// The ports and parameters of a node with their values. References use the names of the second graph.
pub fn fields(node: &dyn Node, names: &HashMap<String, String>) -> Vec<(&'static str, Option<String>)> {
    let spec = node.spec();
    let ports = spec.inputs.iter().enumerate().map(|(at, input)| {
        let value = match node.port(at).source() {
            Source::Unset => None,
            Source::Number(number) => Some(format!("{number:?}")),
            Source::Wire(from) => Some(format!("\"{}\"", reference(from, names))),
            Source::Bound(value) => Some(format!("the value {}", &value.digest().hex()[..16])),
        };
        (input.name, value)
    });
    ports
        .chain(spec.params.iter().enumerate().map(|(at, param)| (param.name, Some(node.param(at)))))
        .collect()
}

/// A reference with the names of the second graph.
pub fn reference(from: &Reference, names: &HashMap<String, String>) -> Reference {
    let node = names.get(&*from.node).map_or_else(|| from.node.clone(), |name| name.as_str().into());
    Reference { node, output: from.output.clone() }
}
