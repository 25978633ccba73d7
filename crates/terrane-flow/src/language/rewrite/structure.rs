//! Adds, removes and renames nodes, wires, outputs and parameters. Every other byte of the text is kept.

use terrane_syntax::{Edit, literal};

use super::entries::{add_entry, free_name, key, remove_entry};
use super::error::{RewriteError, value_text};
use super::graph_text::GraphText;
use super::text::Text;
use super::wires::{Wiring, in_order, moved};
use crate::model::registry::Registry;

/// Appends a node: `call` is `Type(field: value, ...)`.
///
/// # Errors
/// [`RewriteError::Text`], `Taken`, `NodeName`, and `Value` if `call` is not one value.
pub fn add_node(text: &str, name: &str, call: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.add_node(name, call)?;
    Ok(graph.into_text())
}

/// Removes a node. References to it stay, and are reported when the graph is loaded.
///
/// # Errors
/// [`RewriteError::Text`] and `NoNode`.
pub fn remove_node(text: &str, name: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.remove_node(name)?;
    Ok(graph.into_text())
}

/// Renames a node, and updates all references to it or to nodes nested in it. References are at ports, in
/// outputs, and in the `inputs` of subgraphs. They are also in parameters that ports use, and in the values
/// of these parameters in profiles. `registry` determines which fields are ports.
///
/// # Errors
/// [`RewriteError::Text`], `NoNode`, `Taken` and `NodeName`.
pub fn rename_node(text: &str, from: &str, to: &str, registry: &Registry) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    graph.node(from)?;
    if from == to {
        return Ok(text.to_owned());
    }
    free_name(&graph, to)?;
    let wiring = Wiring::new(&graph, registry, &[])?;
    let mut edits = Vec::new();
    let mut wires = wiring.outputs()?;
    for entry in graph.entries("nodes")? {
        if entry.name == from {
            edits.push(Edit { span: entry.name_span.clone(), text: to.to_owned() });
        }
        wires.extend(wiring.of(&entry)?);
    }
    for wire in &wires {
        edits.extend(
            wiring.renamed(wire, &mut |reference| Ok::<_, RewriteError>(moved(reference, from, to)))?,
        );
    }
    Ok(graph.applied(&in_order(edits)))
}

/// Connects a port to `"NODE"` or `"NODE.OUTPUT"`, and replaces any previous value.
///
/// # Errors
/// As [`set_field`](super::set_field).
pub fn connect(text: &str, node: &str, port: &str, from: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.connect(node, port, from)?;
    Ok(graph.into_text())
}

/// Removes a field of a node. A parameter then has its default, and a port is not connected.
///
/// # Errors
/// [`RewriteError::Text`], `NoNode`, and `NoField` if the node does not set the field.
pub fn reset(text: &str, node: &str, field: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.reset(node, field)?;
    Ok(graph.into_text())
}

/// Removes the wire or the number from a port.
///
/// # Errors
/// As [`reset`].
pub fn disconnect(text: &str, node: &str, port: &str) -> Result<String, RewriteError> {
    reset(text, node, port)
}

/// Adds an output file of `"NODE"` or `"NODE.OUTPUT"`.
///
/// # Errors
/// [`RewriteError::Text`], and `Taken` if the file is already an output.
pub fn add_output(text: &str, file: &str, from: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    if graph.entries("outputs")?.iter().any(|entry| entry.name == file) {
        return Err(RewriteError::Taken { what: "output", name: file.to_owned() });
    }
    add_entry(&graph, "outputs", &format!("{}: {}", key(file), literal::quoted(from))).map(Text::into_text)
}

/// Removes an output file.
///
/// # Errors
/// [`RewriteError::Text`] and `NoOutput`.
pub fn remove_output(text: &str, file: &str) -> Result<String, RewriteError> {
    remove_entry(&Text::read(text)?, "outputs", file).map(Text::into_text)
}

/// Turns a value of a node into a graph parameter. The value moves to `params` under `name`, and the field
/// becomes `"$name"`. For a missing field, the default from `registry` is used.
///
/// # Errors
/// [`RewriteError::Text`], `NoNode`, `Taken`, `Name`, and `NoField` if there is neither a value nor a
/// default.
pub fn add_param(
    text: &str,
    name: &str,
    node: &str,
    field: &str,
    registry: &Registry,
) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    check_param(&graph, name)?;
    let call = graph.node(node)?;
    let given =
        call.fields.iter().find(|entry| entry.name == field).map(|entry| entry.value.text().to_owned());
    let default = || {
        let spec = registry.node(call.name)?.spec();
        let param = spec.params.iter().find(|param| param.name == field)?;
        param.default.map(|default| default())
    };
    let missing = || RewriteError::NoField { node: node.to_owned(), field: field.to_owned() };
    let value = given.or_else(default).ok_or_else(missing)?;
    let with = add_entry(&graph, "params", &format!("\"{name}\": {value}"))?;
    Ok(with.set_field(&with.node(node)?, field, &format!("\"${name}\""))?.into_text())
}

/// Declares a graph parameter with a RON value.
///
/// # Errors
/// [`RewriteError::Text`], `Taken`, `Name`, and `Value` if `value` is not one value.
pub fn declare_param(text: &str, name: &str, value: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    check_param(&graph, name)?;
    add_entry(&graph, "params", &format!("\"{name}\": {}", value_text(value)?)).map(Text::into_text)
}

/// Checks that a parameter of that name can be declared.
fn check_param(graph: &Text, name: &str) -> Result<(), RewriteError> {
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(RewriteError::Name(name.to_owned()));
    }
    if graph.entries("params")?.iter().any(|entry| entry.name == name) {
        return Err(RewriteError::Taken { what: "parameter", name: name.to_owned() });
    }
    Ok(())
}
