//! What the other graphs of a folder write in nodes of each type: an author who gives one picture a palette
//! and a scale will give the next one both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use terrane_flow::syntax::Tree;

use crate::outline::{Entry, Outline, entries};

/// How often each field is written.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// By file and type of node.
    files: BTreeMap<PathBuf, BTreeMap<String, Counts>>,
}

/// What nodes of one type have.
#[derive(Clone, Debug, Default)]
struct Counts {
    nodes: usize,
    /// How many of them have each field.
    fields: BTreeMap<String, usize>,
}

impl Habits {
    /// Takes what a file writes, instead of what it wrote before.
    pub fn take(&mut self, path: &Path, tree: &Tree) {
        let mut types: BTreeMap<String, Counts> = BTreeMap::new();
        let outline = Outline::of(tree);
        for call in outline.nodes.iter().filter_map(Entry::call) {
            let counts = types.entry(call.name().to_owned()).or_default();
            counts.nodes += 1;
            for field in entries(call.group()) {
                *counts.fields.entry(field.name.to_owned()).or_default() += 1;
            }
        }
        self.files.insert(path.to_owned(), types);
    }

    /// The share of the nodes of a type that have each field, from 0 to 1, in all files but one.
    #[must_use]
    pub fn shares(&self, kind: &str, but: &Path) -> BTreeMap<String, f64> {
        let others = self.files.iter().filter(|(path, _)| *path != but);
        let mut sum = Counts::default();
        for own in others.filter_map(|(_, types)| types.get(kind)) {
            sum.nodes += own.nodes;
            for (field, count) in &own.fields {
                *sum.fields.entry(field.clone()).or_default() += count;
            }
        }
        sum.fields.into_iter().map(|(field, count)| (field, count as f64 / sum.nodes as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut habits = Habits::default();
        let take = |habits: &mut Habits, file: &str, nodes: &str| {
            habits.take(Path::new(file), &Tree::parse(format!("Graph(nodes: {{ {nodes} }}, outputs: {{}})")));
        };
        take(
            &mut habits,
            "a",
            r#""a": Blur(height: "x", radius: 2.0), "b": Blur(height: "a"), "c": Noise(seed: 1)"#,
        );
        take(&mut habits, "b", r#""a": Blur(radius: 1.0), "b": Noise(), "c": "#);
        let of = |kind: &str, but: &str| {
            let mut shares: Vec<_> = habits.shares(kind, Path::new(but)).into_iter().collect();
            shares.sort_by(|a, b| a.0.cmp(&b.0));
            shares
        };
        assert_eq!(of("Blur", "c"), [("height".to_owned(), 2.0 / 3.0), ("radius".to_owned(), 2.0 / 3.0)]);
        assert_eq!(of("Blur", "a"), [("radius".to_owned(), 1.0)], "without one's own file");
        assert_eq!(of("Noise", "c"), [("seed".to_owned(), 0.5)]);
        assert_eq!(of("Perlin", "c"), []);
        take(&mut habits, "a", "");
        assert_eq!(habits.shares("Blur", Path::new("b")).len(), 0, "instead of what it was");
    }
}
