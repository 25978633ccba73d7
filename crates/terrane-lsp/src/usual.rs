//! What is usually written in a node: what the nearest nodes of the same type have, and the type's example.

use std::collections::{HashMap, HashSet};

use terrane_flow::Registry;
use terrane_flow::syntax::{Call, Tree};

use crate::outline::{Entry, Outline, entries, spec_of};

/// Nodes of the same type that are looked at, at most.
const NEAR: usize = 8;

/// What is usually written in a node.
#[derive(Debug, Default)]
pub struct Usual {
    /// The name of the node, in small letters.
    name: String,
    /// How many of the nodes have each field.
    fields: HashMap<String, usize>,
    /// How many of them have each value at a field.
    values: HashMap<(String, String), usize>,
    /// The fields of the example.
    example: HashSet<String>,
}

impl Usual {
    /// What is usually written in a node of a graph.
    #[must_use]
    pub fn of(outline: &Outline<'_>, registry: &Registry, node: &str) -> Self {
        let mut this = Self { name: plain(node), ..Self::default() };
        let Some(own) = outline.nodes.iter().position(|other| other.name == node) else { return this };
        let Some(kind) = outline.nodes[own].call().map(Call::name) else { return this };
        let calls = outline.nodes.iter().enumerate().filter_map(|(at, other)| Some((at, other.call()?)));
        let mut near: Vec<_> = calls.filter(|(at, call)| *at != own && call.name() == kind).collect();
        near.sort_by_key(|(at, _)| at.abs_diff(own));
        for (_, call) in near.into_iter().take(NEAR) {
            for field in entries(call.group()) {
                *this.fields.entry(field.name.to_owned()).or_default() += 1;
                let value = field.value.map(|value| value.text().to_owned()).unwrap_or_default();
                *this.values.entry((field.name.to_owned(), value)).or_default() += 1;
            }
        }
        if let Some(example) = spec_of(registry, kind).and_then(terrane_flow::NodeSpec::example) {
            let tree = Tree::parse(example);
            let outline = Outline::of(&tree);
            let calls = outline.nodes.iter().filter_map(Entry::call).filter(|call| call.name() == kind);
            this.example
                .extend(calls.flat_map(|call| entries(call.group())).map(|field| field.name.to_owned()));
        }
        this
    }

    /// How usual a field is, from 0 to 300.
    #[must_use]
    pub fn field(&self, field: &str) -> usize {
        let count = self.fields.get(field).copied().unwrap_or(0);
        60 * count.min(4) + if self.example.contains(field) { 60 } else { 0 }
    }

    /// How usual a value is at a field. What the node's name says counts most.
    #[must_use]
    pub fn value(&self, field: &str, value: &str) -> usize {
        let count = self.values.get(&(field.to_owned(), value.to_owned())).copied().unwrap_or(0);
        let word = plain(value);
        count + if word.len() > 1 && self.name.contains(&word) { NEAR * word.len() } else { 0 }
    }
}

/// The letters and digits of a name, in small letters.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
