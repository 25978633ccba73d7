//! What the server says of node types, in the form that the search needs.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// Node types by name.
pub struct Catalogue(BTreeMap<String, Json>);

impl Catalogue {
    /// The answer of `catalogue`.
    pub fn new(answer: &Json) -> Self {
        let types = answer["types"].as_array().into_iter().flatten().chain(answer["files"].as_array().into_iter().flatten());
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
        for node in nodes.iter().filter(|node| node["name"] != of["name"]) {
            for (index, output) in self.listed(text(&node["type"]), "outputs").enumerate() {
                if takes.contains(&text(&output["kind"])) {
                    let name = text(&node["name"]);
                    let own = text(&output["name"]);
                    found.push((index, if index == 0 { name.to_owned() } else { format!("{name}.{own}") }));
                }
            }
        }
        // First outputs are what most wires read.
        found.sort_by_key(|(index, _)| *index > 0);
        found.into_iter().map(|(_, reference)| reference).collect()
    }

    /// Values that a parameter may have: its choices, its default and its bounds.
    pub fn values(&self, kind: &str, name: &str) -> Vec<String> {
        let Some(of) = self.parameter(kind, name).or_else(|| self.port(kind, name)) else { return Vec::new() };
        let choices = of["choices"].as_array().into_iter().flatten().map(|choice| text(&choice["name"]));
        let mut values: Vec<String> = choices.map(str::to_owned).collect();
        let shown = |value: &Json| match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        values.extend(["default", "min", "max"].iter().filter(|key| !of[**key].is_null()).map(|key| shown(&of[*key])));
        values
    }
}

/// A text in JSON.
pub fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}
