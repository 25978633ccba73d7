//! What differs between two graphs: their text, and the values of their outputs.

mod fields;
mod renamed;
mod values;

use std::collections::HashMap;

use terrane_flow::{Graph, GraphNode, OutputEntry};
use terrane_nodes::Terrain;

use fields::{fields, reference};
use renamed::renamed;
pub use values::{OutputChange, Size, changed_outputs};

/// A difference between two graphs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// What it is in: `header`, `parameter`, `node` or `output`.
    pub of: &'static str,
    /// Its name in the second graph, or in the first one if the second does not have it.
    pub name: String,
    /// The field or the port; `None` for the whole.
    pub field: Option<String>,
    /// What the first graph has; `None` if it has nothing there.
    pub before: Option<String>,
    /// What the second graph has.
    pub after: Option<String>,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { of, name, field, before, after } = self;
        match of {
            &"header" => write!(f, "{name}: ")?,
            _ => write!(
                f,
                "{of} {name}{}: ",
                field.as_ref().map(|field| format!(".{field}")).unwrap_or_default()
            )?,
        }
        match (before, after) {
            (Some(before), Some(after)) => write!(f, "{before} -> {after}"),
            (None, Some(after)) => write!(f, "added, {after}"),
            (Some(before), None) => write!(f, "removed, {before}"),
            (None, None) => f.write_str("changed"),
        }
    }
}

/// The differences between two graphs, in the order of the second one. A node that only got another name is
/// one difference.
#[must_use]
pub fn changes(before: &Graph, after: &Graph) -> Vec<Change> {
    let names = renamed(before, after);
    let mut all = header(before, after);
    let scopes = [before, after].map(|graph| &graph.scope.params);
    for name in union(scopes[0].keys(), scopes[1].keys()) {
        let values = scopes.map(|scope| scope.get(name).map(|bound| bound.text.to_string()));
        all.extend(change("parameter", name, None, values));
    }
    let old_names: HashMap<&str, &str> = names.iter().map(|(old, new)| (&**new, &**old)).collect();
    for (name, node) in &after.nodes {
        let old = old_names.get(&**name).copied().unwrap_or(name);
        match before.nodes.get(old) {
            None => all.extend(change("node", name, None, [None, Some(node.node().spec().name.to_owned())])),
            Some(own) => {
                if old != name {
                    all.extend(change(
                        "node",
                        name,
                        Some("name"),
                        [Some(old.to_owned()), Some(name.clone())],
                    ));
                }
                all.extend(node_changes(name, own, node, &names));
            }
        }
    }
    let is_gone = |name: &&String| !after.nodes.contains_key(*name) && !names.contains_key(*name);
    for name in before.nodes.keys().filter(is_gone) {
        let kind = before.nodes[name].node().spec().name.to_owned();
        all.extend(change("node", name, None, [Some(kind), None]));
    }
    all.extend(outputs(before, after, &names));
    all
}

/// The change from one value to another; `None` if they are the same.
fn change(of: &'static str, name: &str, field: Option<&str>, values: [Option<String>; 2]) -> Option<Change> {
    let [before, after] = values;
    (before != after).then(|| Change {
        of,
        name: name.to_owned(),
        field: field.map(str::to_owned),
        before,
        after,
    })
}

/// The names of both, each once, those of the second first.
fn union<'a>(
    before: impl Iterator<Item = &'a String> + Clone,
    after: impl Iterator<Item = &'a String> + Clone,
) -> Vec<&'a String> {
    let mut all: Vec<&String> = after.collect();
    let gone: Vec<&String> = before.filter(|name| !all.contains(name)).collect();
    all.extend(gone);
    all
}

fn header(before: &Graph, after: &Graph) -> Vec<Change> {
    let texts = [before, after].map(header_fields);
    let seeds = [before, after].map(|graph| Some(graph.seed.to_string()));
    let fields = texts[0].iter().zip(&texts[1]);
    let mut all: Vec<Change> = fields
        .filter_map(|((name, old), (_, new))| change("header", name, None, [old.clone(), new.clone()]))
        .collect();
    all.extend(change("header", "seed", None, seeds));
    all
}

/// The fields of a graph's header, as a graph file has them.
pub fn header_fields(graph: &Graph) -> Vec<(&'static str, Option<String>)> {
    let Some(terrain) = Terrain::of(&*graph.header) else { return Vec::new() };
    let domain = &terrain.domain;
    let place = terrain.place.as_ref().map(|place| match place.reference().epsg() {
        Some(code) => format!("EPSG:{code}"),
        None => "a place without an EPSG code".to_owned(),
    });
    vec![
        ("size", Some(format!("{:?}", domain.size))),
        ("spacing", Some(format!("{:?}", domain.spacing))),
        ("origin", Some(format!("{:?}", domain.origin))),
        ("place", place),
    ]
}

/// The type, parameters and ports of a node that differ.
fn node_changes(
    name: &str,
    before: &GraphNode,
    after: &GraphNode,
    names: &HashMap<String, String>,
) -> Vec<Change> {
    let (old, new) = (before.node(), after.node());
    if old.spec().name != new.spec().name {
        let types = [old, new].map(|node| Some(node.spec().name.to_owned()));
        return change("node", name, None, types).into_iter().collect();
    }
    let fields = fields(old, names).into_iter().zip(fields(new, &HashMap::new()));
    fields.filter_map(|((field, old), (_, new))| change("node", name, Some(field), [old, new])).collect()
}

fn outputs(before: &Graph, after: &Graph, names: &HashMap<String, String>) -> Vec<Change> {
    let find = |graph: &Graph, file: &str| graph.outputs.iter().find(|entry| entry.file == file).cloned();
    let written = |entry: OutputEntry, names: &HashMap<String, String>| {
        let options: String =
            entry.options.iter().map(|(name, value)| format!(", {name}: {value}")).collect();
        format!("\"{}\"{options}", reference(&entry.from, names))
    };
    let [old, new] = [before, after].map(|graph| graph.outputs.iter().map(|entry| &entry.file));
    let all = union(old, new).into_iter().filter_map(|file| {
        let old = find(before, file).map(|entry| written(entry, names));
        let new = find(after, file).map(|entry| written(entry, &HashMap::new()));
        change("output", file, None, [old, new])
    });
    all.collect()
}
