//! What is usually written in a node: what the nearest nodes of the same type have, the type's example, and
//! what the other graphs of the folder have.

use std::collections::{BTreeMap, HashMap};

use terrane_flow::syntax::{Call, Tree};

use crate::offers::Place;
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
    /// The fields of the example, with their values.
    example: HashMap<String, String>,
    /// The share of nodes in other graphs that have each field.
    shares: BTreeMap<String, f64>,
}

impl Usual {
    /// What is usually written in a node of a graph.
    #[must_use]
    pub fn of(outline: &Outline<'_>, place: &Place<'_>, node: &str) -> Self {
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
        if let Some(example) = spec_of(place.registry, kind).and_then(terrane_flow::NodeSpec::example) {
            let tree = Tree::parse(example);
            let outline = Outline::of(&tree);
            let calls = outline.nodes.iter().filter_map(Entry::call).filter(|call| call.name() == kind);
            for field in calls.flat_map(|call| entries(call.group())) {
                let value = field.value.map(|value| value.text().to_owned()).unwrap_or_default();
                this.example.insert(field.name.to_owned(), value);
            }
        }
        if let Some(habits) = place.habits {
            this.shares = habits.shares(kind, place.path());
        }
        this
    }

    /// How usual a field is, from 0 to 940.
    #[must_use]
    pub fn field(&self, field: &str) -> usize {
        let count = self.fields.get(field).copied().unwrap_or(0);
        let share = self.shares.get(field).copied().unwrap_or(0.0);
        let example = if self.example.contains_key(field) { 60 } else { 0 };
        160 * count.min(3) + example + (400.0 * share) as usize
    }

    /// How usual a value is at a field. What the node's name says counts most.
    #[must_use]
    pub fn value(&self, field: &str, value: &str) -> usize {
        let count = self.values.get(&(field.to_owned(), value.to_owned())).copied().unwrap_or(0);
        let is_said = |word: &String| word.len() > 1 && self.name.contains(word);
        let said: usize = words(value).into_iter().map(plain).filter(is_said).map(|word| word.len()).sum();
        let is_example = self.example.get(field).is_some_and(|own| own == value);
        2 * (count + NEAR * said) + usize::from(is_example)
    }
}

/// The words of a choice: `Published` and `Fast` of `PublishedFast`.
fn words(choice: &str) -> Vec<&str> {
    let starts = choice.char_indices().filter(|(at, c)| *at > 0 && c.is_uppercase()).map(|(at, _)| at);
    let ends = starts.chain([choice.len()]);
    ends.scan(0, |start, end| Some(&choice[std::mem::replace(start, end)..end])).collect()
}

/// The letters and digits of a name, in small letters.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
