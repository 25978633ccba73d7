//! What the server says of node types, in the form that the search needs.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// Node types by name.
pub struct Catalogue(BTreeMap<String, Json>);

impl Catalogue {
    /// The answer of `catalogue`.
    pub fn new(answer: &Json) -> Self {
        let types = answer["types"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(answer["files"].as_array().into_iter().flatten());
        Self(types.map(|own| (text(&own["type"]).to_owned(), own.clone())).collect())
    }

    /// The description of a port of a type.
    pub fn port(&self, kind: &str, name: &str) -> Option<&Json> {
        self.listed(kind, "inputs").find(|port| port["name"] == name)
    }

    /// The description of a parameter of a type.
    pub fn parameter(&self, kind: &str, name: &str) -> Option<&Json> {
        self.listed(kind, "parameters").find(|parameter| parameter["name"] == name)
    }

    /// The ports, the parameters or the outputs of a type.
    pub fn listed<'a>(&'a self, kind: &str, list: &str) -> impl Iterator<Item = &'a Json> + use<'a> {
        let list = self.0.get(kind).and_then(|own| own[list].as_array());
        list.into_iter().flatten()
    }

    /// The outputs of nodes in a text that a port takes, as references: the node's name for the first output.
    pub fn fitting(&self, nodes: &[Json], port: &Json, of: &Json) -> Vec<String> {
        let takes: Vec<&str> = text(&port["kind"]).split(" or ").collect();
        let mut found = Vec::new();
        let below = downstream(nodes, text(&of["name"]));
        for node in nodes.iter().filter(|node| !below.contains(&text(&node["name"]))) {
            for (index, output) in self.listed(text(&node["type"]), "outputs").enumerate() {
                if takes.contains(&text(&output["kind"])) {
                    let name = text(&node["name"]);
                    let own = text(&output["name"]);
                    found.push((index, if index == 0 { name.to_owned() } else { format!("{name}.{own}") }));
                }
            }
        }
        let read: Vec<&str> = nodes.iter().flat_map(references).collect();
        let is_read = |reference: &str| read.contains(&reference);
        // A lost wire often read what nothing reads now. First outputs are what most wires read.
        found.sort_by_key(|(index, reference)| (is_read(reference), *index > 0));
        found.into_iter().map(|(_, reference)| reference).collect()
    }

    /// Values that a parameter may have: its choices, its default and its bounds.
    pub fn values(&self, kind: &str, name: &str) -> Vec<String> {
        let Some(of) = self.parameter(kind, name).or_else(|| self.port(kind, name)) else {
            return Vec::new();
        };
        let choices = of["choices"].as_array().into_iter().flatten().map(|choice| text(&choice["name"]));
        let mut values: Vec<String> = choices.map(str::to_owned).collect();
        let shown = |value: &Json| match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        values.extend(
            ["default", "min", "max"].iter().filter(|key| !of[**key].is_null()).map(|key| shown(&of[*key])),
        );
        values
    }
}

/// The nodes that depend on a node, and the node itself: a wire from one of them would make a cycle.
fn downstream<'a>(nodes: &'a [Json], name: &'a str) -> Vec<&'a str> {
    let (mut found, mut at) = (vec![name], 0);
    while let Some(from) = found.get(at).copied() {
        at += 1;
        for node in nodes {
            let own = text(&node["name"]);
            let reads = references(node).any(|read| read.split('.').next() == Some(from));
            if reads && !found.contains(&own) {
                found.push(own);
            }
        }
    }
    found
}

/// The texts in quotes that the fields of a node have.
fn references(node: &Json) -> impl Iterator<Item = &str> {
    let fields = node["fields"].as_array().into_iter().flatten();
    fields.filter_map(|field| text(&field["value"]).strip_prefix('"')?.strip_suffix('"'))
}

/// A text in JSON.
pub fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}
