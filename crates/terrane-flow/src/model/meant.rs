//! What a wrong reference probably means, as the text that corrects it.

use terrane_syntax::literal;

use crate::model::graph::{Graph, GraphNode};
use crate::model::port::Reference;
use crate::model::spec::InputSpec;
use crate::report::suggest;

/// The text that is written at a port.
pub fn written_at_port(node: &GraphNode, input: usize) -> Option<&str> {
    let location = node.location.as_ref()?;
    location.source.text.get(location.inputs[input].clone()?)
}

/// The corrected text of a reference to an unknown node or output, if it is probably misspelled and is
/// written directly in the text.
pub fn reference(graph: &Graph, written: Option<&str>, reference: &Reference) -> Option<String> {
    if written? != literal::quoted(&reference.to_string()) {
        return None;
    }
    let meant = match graph.nodes.get(&*reference.node) {
        None => {
            let known: Vec<&str> = graph.nodes.keys().map(String::as_str).collect();
            let near = suggest::nearest(&reference.node, &known)?;
            Reference { node: near.into(), output: reference.output.clone() }
        }
        Some(node) => {
            let known: Vec<&str> = node.node().spec().outputs.iter().map(|output| output.name).collect();
            let near = suggest::nearest(reference.output.as_deref()?, &known)?;
            Reference { node: reference.node.clone(), output: Some(near.into()) }
        }
    };
    Some(literal::quoted(&meant.to_string()))
}

/// The number that is meant by a reference to no node, as it is written, and the help that says so: a
/// parameter of the graph without its sign, or a number in quotes.
pub fn number(graph: &Graph, reference: &Reference) -> Option<(String, String)> {
    let name = reference.to_string();
    if graph.scope.params.contains_key(&name) {
        let written = literal::quoted(&format!("${name}"));
        let help = format!("write {written} for the graph's parameter `{name}`");
        return Some((written, help));
    }
    let is_number = name.parse::<f64>().is_ok_and(f64::is_finite);
    is_number.then(|| (name.clone(), format!("write {name} without quotes")))
}

/// The corrected text of a reference to an output of the wrong kind, if exactly one output of the same node
/// fits the port.
pub fn output(
    graph: &Graph,
    written: Option<&str>,
    reference: &Reference,
    (upstream, input): (usize, &InputSpec),
) -> Option<String> {
    if written? != literal::quoted(&reference.to_string()) {
        return None;
    }
    let outputs = graph.nodes[upstream].node().spec().outputs;
    let mut fitting = outputs.iter().filter(|output| input.takes(output.kind));
    let (only, None) = (fitting.next()?, fitting.next()) else { return None };
    let meant = Reference { node: reference.node.clone(), output: Some(only.name.into()) };
    Some(literal::quoted(&meant.to_string()))
}
