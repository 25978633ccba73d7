//! Names that are one name, or no name, on other systems.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_flow::{Graph, Shape, bad_on_windows, name_key};

use super::warning::Warning;

/// Nodes whose names differ only in case, or in how accents are stored. Snapshots and pictures of nodes
/// are files with these names.
pub fn similar(graph: &Graph) -> Vec<Warning> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut all = Vec::new();
    for (name, node) in &graph.nodes {
        let Some(other) = seen.get(&name_key(name)) else {
            seen.insert(name_key(name), name);
            continue;
        };
        let place = node.location.as_ref().map(|own| (Arc::clone(&own.source), own.name.clone()));
        let message = format!("`{name}` and `{other}` differ only in case, or in how accents are stored");
        let help = "their snapshots are one file on some systems: rename one of them";
        all.push(Warning::new("similar-names", name, place, message, help));
    }
    all
}

/// Files that a graph reads whose names are not possible on every system.
pub fn files(graph: &Graph) -> Vec<Warning> {
    let mut all = Vec::new();
    for (name, entry) in &graph.nodes {
        let (node, location) = (entry.node(), entry.location.as_ref());
        for (at, param) in node.spec().params.iter().enumerate() {
            if !is_file(&(param.shape)()) {
                continue;
            }
            let written = node.param(at);
            let file = written.trim_start_matches("Some(").trim_end_matches(')').trim_matches('"');
            let Some(reason) =
                file.split('/').filter(|part| !matches!(*part, "." | "..")).find_map(bad_on_windows)
            else {
                continue;
            };
            let span = location.and_then(|own| own.params.get(at)?.clone());
            let place = location.zip(span).map(|(own, span)| (Arc::clone(&own.source), span));
            let message = format!("not every system can have the file `{file}`: {reason}");
            all.push(Warning::new("file-names", name, place, message, "rename the file"));
        }
    }
    all
}

fn is_file(shape: &Shape) -> bool {
    match shape {
        Shape::File => true,
        Shape::Optional(item) => is_file(item),
        _ => false,
    }
}
