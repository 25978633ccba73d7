//! Edits of a graph's structure by names: fields, nodes, wires, outputs and parameters.

use serde_json::{Map, Value as Json};
use terrane_flow::{GraphText, Registry, RewriteError, Slot, suggest};

use crate::arguments::missing;
use crate::refusal::Refusal;

/// Each operation with its arguments.
const OPERATIONS: [(&str, &[&str]); 15] = [
    ("set", &["node", "field", "value"]),
    ("reset", &["node", "field"]),
    ("connect", &["node", "port", "from"]),
    ("disconnect", &["node", "port"]),
    ("add_node", &["name", "call"]),
    ("insert_node", &["name", "call", "after"]),
    ("delete_node", &["name"]),
    ("bypass_node", &["name"]),
    ("rename_node", &["from", "to"]),
    ("add_output", &["file", "from"]),
    ("remove_output", &["file"]),
    ("declare_param", &["name", "value"]),
    ("set_param", &["name", "value"]),
    ("remove_param", &["name"]),
    ("set_header", &["field", "value"]),
];

/// A sentence that lists the operations with their arguments.
pub fn described() -> String {
    let each = OPERATIONS.iter().map(|(name, arguments)| format!("{name}({})", arguments.join(", ")));
    each.collect::<Vec<_>>().join(", ")
}

/// Applies an operation.
pub fn apply(graph: &mut GraphText, registry: &Registry, given: &Map<String, Json>) -> Result<(), Refusal> {
    let name =
        given.get("op").and_then(Json::as_str).ok_or_else(|| missing("op", "the name of an operation"))?;
    let Some((_, arguments)) = OPERATIONS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = OPERATIONS.iter().map(|(name, _)| *name).collect();
        let what = format!("there is no operation {}", suggest::shorten(name));
        return Err(Refusal::new(what, suggest::help(name, &known, "the operations are")).at("edits"));
    };
    if let Some(unknown) = given.keys().find(|key| *key != "op" && !arguments.contains(&key.as_str())) {
        let what = format!("`{name}` takes no argument {}", suggest::shorten(unknown));
        return Err(Refusal::new(what, format!("it takes {}", arguments.join(", "))).at("edits"));
    }
    let mut texts = Vec::new();
    for argument in *arguments {
        let text = match given.get(*argument) {
            Some(Json::String(text)) => text.clone(),
            Some(value @ (Json::Number(_) | Json::Bool(_))) => value.to_string(),
            _ => return Err(missing(argument, "a text").at(format!("edits: {name}"))),
        };
        texts.push(text);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let done = match (name, &*texts) {
        ("set", [node, field, value]) => graph.set_field(node, field, value),
        ("reset", [node, field]) => graph.reset(node, field),
        ("connect", [node, port, from]) => graph.connect(node, port, from),
        ("disconnect", [node, port]) => graph.disconnect(node, port),
        ("add_node", [name, call]) => graph.add_node(name, call),
        ("insert_node", [name, call, after]) => graph.insert_node(name, call, after),
        ("delete_node", [name]) => graph.delete_node(name, registry),
        ("bypass_node", [name]) => graph.bypass_node(name, registry).map(|_| ()),
        ("rename_node", [from, to]) => graph.rename_node(from, to, registry),
        ("add_output", [file, from]) => graph.add_output(file, from),
        ("remove_output", [file]) => graph.remove_output(file),
        ("declare_param", [name, value]) => graph.declare_param(name, value),
        ("set_param", [name, value]) => graph.set_graph_parameter(name, value),
        ("remove_param", [name]) => graph.remove_param(name),
        ("set_header", [field, value]) => graph.set_slot(&Slot::Header { field: (*field).to_owned() }, value),
        _ => unreachable!("every operation has as many texts as arguments"),
    };
    done.map_err(|error| refused(name, &error))
}

fn refused(name: &str, error: &RewriteError) -> Refusal {
    let told = error.to_string();
    let (what, remedy) = parted(&told).unwrap_or((&told, "change the arguments"));
    Refusal::new(what, remedy).at(format!("edits: {name}"))
}

/// What is wrong, and the remedy behind its colon. What is quoted may have colons of its own.
fn parted(told: &str) -> Option<(&str, &str)> {
    let is_quoted = |at: usize| told[..at].matches('`').count() % 2 == 1;
    let (at, colon) = told.match_indices(": ").find(|(at, _)| !is_quoted(*at))?;
    Some((&told[..at], &told[at + colon.len()..]))
}
