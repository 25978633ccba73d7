//! Changes of values that are not written yet, and how they are applied to texts.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{GraphText, Home, Literal as _, NodeType, Registry, Slot};

/// An unwritten change of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The new value, as RON.
    pub value: String,
    /// The new value, as the page gave it.
    pub given: Json,
    /// The node whose parameter the page changed; `None` for a parameter of the graph.
    pub node: Option<String>,
    /// The parameter.
    pub parameter: String,
    /// The position in the file, as text.
    pub name: String,
    /// Why the change does not apply to the current file.
    pub problem: Option<String>,
    /// Whether the value is written even if it is the default of a field that the text does not have.
    pub keep: bool,
    /// Whether the file has this value already.
    pub is_same: bool,
}

impl Change {
    /// Names the slot to which a step has moved the value.
    pub fn moved_to(&mut self, from: &Home, to: &Home) {
        // A file that a step makes is beside the graph.
        let shown = self.name.rsplit_once(": ").map_or("", |(shown, _)| shown).to_owned();
        let made = || to.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = if from.file == to.file { shown } else { made() };
        self.name = format!("{place}: {}", to.slot);
        (self.node, self.parameter) = match &to.slot {
            Slot::Field { node, field } => (Some(node.clone()), field.clone()),
            Slot::Param { name } => (None, name.clone()),
            Slot::Given { .. } | Slot::Header { .. } => return,
        };
    }
}

/// Unwritten changes by their position in a file, oldest first. A value that several nodes share is one
/// change.
pub type Changes = IndexMap<Home, Change>;

/// Applies the changes of a file to its text, which is parsed once. With the node types, a default value of a
/// field that the text does not have is left out.
pub fn apply(changes: &mut Changes, file: &Path, tree: Tree, registry: Option<&Registry>) -> Tree {
    let mut here = changes.iter_mut().filter(|(home, _)| &*home.file == file).peekable();
    if here.peek().is_none() {
        return tree;
    }
    let mut text = match GraphText::of(tree.clone()) {
        Ok(text) => text,
        Err(error) => {
            here.for_each(|(_, change)| change.problem = Some(error.to_string()));
            return tree;
        }
    };
    for (home, change) in here {
        let before = text.text().to_owned();
        let is_default = !change.keep
            && registry.is_some_and(|registry| is_default(&text, &home.slot, &change.value, registry));
        change.problem = match is_default {
            true => None,
            false => text.set_slot(&home.slot, &change.value).err().map(|error| error.to_string()),
        };
        change.is_same = change.problem.is_none() && (is_default || before == text.text());
    }
    text.into_tree()
}

/// Whether a value is the default of a field that the text does not have.
fn is_default(text: &GraphText, slot: &Slot, value: &str, registry: &Registry) -> bool {
    let Slot::Field { node, field } = slot else { return false };
    let Ok((kind, None)) = text.field(node, field) else { return false };
    let Some(spec) = registry.node(kind).map(NodeType::spec) else { return false };
    let param = spec.params.iter().find(|param| param.name == field);
    let default = param.and_then(|param| Some(((param.shape)(), param.default?())));
    default.is_some_and(|(shape, default)| {
        shape.json(value).is_some() && shape.json(value) == shape.json(&default)
    })
}
