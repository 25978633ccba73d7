//! Nodes, wires, outputs and parameters that come, go and get other names. Every other byte of the text stays.

use terrane_syntax::{Bracket, Edit, Form, Group, Item, Value, insert, literal, parameter_name, remove};

use super::error::{RewriteError, value_text};
use super::text::Text;
use crate::language::document::{self, Entry};
use crate::language::names::{SUBGRAPH, bad_name};
use crate::model::port::Reference;
use crate::model::registry::Registry;

/// Adds a node behind the others: `call` is `Type(field: value, ...)`.
///
/// # Errors
/// [`RewriteError::Text`], `Taken`, `NodeName`, and `Value` where `call` is not one value.
pub fn add_node(text: &str, name: &str, call: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    let call = value_text(call)?;
    free_name(&graph, name)?;
    add_entry(&graph, "nodes", &format!("{}: {call}", literal::quoted(name)))
}

/// Removes a node. What refers to it stays, and is told when the graph is loaded.
///
/// # Errors
/// [`RewriteError::Text`] and `NoNode`.
pub fn remove_node(text: &str, name: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    graph.node(name)?;
    remove_entry(&graph, "nodes", name)
}

/// Gives a node another name, also where it is referred to: at ports, in outputs, in the `inputs` of subgraphs, and in parameters that ports
/// name. `registry` tells which fields are ports.
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
    let mut edits = Vec::new();
    for entry in graph.entries("nodes")? {
        if entry.name == from {
            edits.push(Edit { span: entry.name_span.clone(), text: to.to_owned() });
        }
        for port in ports(&graph, &entry, registry)? {
            edits.extend(renamed(&graph, port, from, to)?);
        }
    }
    for output in graph.entries("outputs")? {
        let from_field = output.value.call().and_then(|call| call.group().get("from")?.value());
        edits.extend(renamed(&graph, from_field.unwrap_or(output.value), from, to)?);
    }
    edits.sort_by_key(|edit| edit.span.start);
    edits.dedup();
    Ok(graph.applied(&edits))
}

/// Connects a port to `"NODE"` or `"NODE.OUTPUT"`, whatever it held.
///
/// # Errors
/// As [`set_field`](super::set_field).
pub fn connect(text: &str, node: &str, port: &str, from: &str) -> Result<String, RewriteError> {
    super::set_field(text, node, port, &literal::quoted(from))
}

/// Removes a field of a node, so that it has its default, or a port nothing.
///
/// # Errors
/// [`RewriteError::Text`], `NoNode`, and `NoField` where the node does not give the field.
pub fn reset(text: &str, node: &str, field: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    let call = graph.node(node)?;
    let missing = || RewriteError::NoField { node: node.to_owned(), field: field.to_owned() };
    let entry = call.fields.iter().find(|entry| entry.name == field).ok_or_else(missing)?;
    Ok(graph.applied(&[remove(call.group, entry.item)]))
}

/// Takes the wire, or the number, from a port.
///
/// # Errors
/// As [`reset`].
pub fn disconnect(text: &str, node: &str, port: &str) -> Result<String, RewriteError> {
    reset(text, node, port)
}

/// Asks for a file of `"NODE"` or `"NODE.OUTPUT"`.
///
/// # Errors
/// [`RewriteError::Text`], and `Taken` where the file is asked for already.
pub fn add_output(text: &str, file: &str, from: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    if graph.entries("outputs")?.iter().any(|entry| entry.name == file) {
        return Err(RewriteError::Taken { what: "output", name: file.to_owned() });
    }
    add_entry(&graph, "outputs", &format!("{}: {}", literal::quoted(file), literal::quoted(from)))
}

/// Asks for a file no more.
///
/// # Errors
/// [`RewriteError::Text`] and `NoOutput`.
pub fn remove_output(text: &str, file: &str) -> Result<String, RewriteError> {
    remove_entry(&Text::read(text)?, "outputs", file)
}

/// Makes a value of a node a parameter of the graph: it moves to `params` under `name`, and the field becomes `"$name"`. A field that is not
/// given has its default, which `registry` knows.
///
/// # Errors
/// [`RewriteError::Text`], `NoNode`, `Taken`, `Name`, and `NoField` where there is neither a value nor a default.
pub fn add_param(
    text: &str,
    name: &str,
    node: &str,
    field: &str,
    registry: &Registry,
) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(RewriteError::Name(name.to_owned()));
    }
    if graph.entries("params")?.iter().any(|entry| entry.name == name) {
        return Err(RewriteError::Taken { what: "parameter", name: name.to_owned() });
    }
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
    super::set_field(&with, node, field, &format!("\"${name}\""))
}

/// Whether a node can have a name that no other has.
fn free_name(graph: &Text, name: &str) -> Result<(), RewriteError> {
    if let Some(reason) = bad_name(name) {
        return Err(RewriteError::NodeName { name: name.to_owned(), reason });
    }
    if graph.entries("nodes")?.iter().any(|entry| entry.name == name) {
        return Err(RewriteError::Taken { what: "node", name: name.to_owned() });
    }
    Ok(())
}

/// Adds an entry to a section, which is made where it is missing: parameters before the nodes, else at the end.
fn add_entry(graph: &Text, section: &str, entry: &str) -> Result<String, RewriteError> {
    let (whole, field) = graph.section(section)?;
    if let Some(field) = field {
        let Some(group) = field.value.group(Bracket::Curly) else {
            return document::map(graph.source(), field.value)
                .map(|_| String::new())
                .map_err(RewriteError::Text);
        };
        return Ok(graph.applied(&insert(group, entry)));
    }
    let made = format!("{section}: {{ {entry} }}");
    let nodes = whole.get("nodes").filter(|_| section == "params");
    let Some(nodes) = nodes else { return Ok(graph.applied(&insert(whole, &made))) };
    let (text, at) = (&graph.source().text, nodes.span().start);
    let before = text[..at].trim_end_matches([' ', '\t']);
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
    let gap = line_break.map_or_else(|| " ".to_owned(), |line| format!("{line}{}", &text[before.len()..at]));
    Ok(graph.applied(&[Edit { span: at..at, text: format!("{made},{gap}") }]))
}

fn remove_entry(graph: &Text, section: &str, name: &str) -> Result<String, RewriteError> {
    let missing = || RewriteError::NoOutput { name: name.to_owned() };
    let (_, field) = graph.section(section)?;
    let group = field.and_then(|field| field.value.group(Bracket::Curly)).ok_or_else(missing)?;
    let item = group.get(name).ok_or_else(missing)?;
    Ok(graph.applied(&[remove(group, item)]))
}

/// The values of a node's fields that are ports.
fn ports<'t>(
    graph: &'t Text,
    entry: &Entry<'t>,
    registry: &Registry,
) -> Result<Vec<Value<'t>>, RewriteError> {
    let call = document::call(graph.source(), entry.value).map_err(RewriteError::Text)?;
    if call.name == SUBGRAPH {
        let inputs = call.fields.iter().find(|field| field.name == "inputs");
        let group = inputs.and_then(|field| field.value.group(Bracket::Curly));
        return Ok(group.into_iter().flat_map(Group::items).filter_map(Item::value).collect());
    }
    let Some(node) = registry.node(call.name) else { return Ok(Vec::new()) };
    let is_port = |field: &&Entry<'_>| node.spec().inputs.iter().any(|input| input.name == field.name);
    Ok(call.fields.iter().filter(is_port).map(|field| field.value).collect())
}

/// The change of a reference to a node that gets another name; that of a parameter's value where the port names one.
fn renamed(graph: &Text, value: Value<'_>, from: &str, to: &str) -> Result<Option<Edit>, RewriteError> {
    let Form::Text(written) = value.form() else { return Ok(None) };
    if let Some(name) = parameter_name(written) {
        let params = graph.entries("params")?;
        let Some(param) = params.iter().find(|entry| entry.name == name) else { return Ok(None) };
        return match param.value.form() {
            Form::Text(text) if parameter_name(text).is_none() => renamed(graph, param.value, from, to),
            _ => Ok(None),
        };
    }
    let Some(reference) = literal::text(written).map(|text| Reference::parse(&text)) else { return Ok(None) };
    if &*reference.node != from {
        return Ok(None);
    }
    let renamed = Reference { node: to.into(), output: reference.output };
    Ok(Some(Edit { span: value.span(), text: literal::quoted(&renamed.to_string()) }))
}
