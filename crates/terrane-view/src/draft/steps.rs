//! Drafts: the unwritten changes of all pages.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{GraphText, Registry, Slot};

use super::structure::{Made, Structure};
use crate::changes::{Changes, apply};

/// A step: one change of the structure of the graph's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number; no other step of this preview has the same.
    pub number: u64,
    /// The file that it changes, by its canonical path.
    pub file: Arc<Path>,
    /// The change.
    pub structure: Structure,
    /// The page's request, so that the page can repeat it after a restart.
    pub given: Json,
    /// Why the step does not apply to the current file.
    pub problem: Option<String>,
}

/// The unwritten changes of all pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Changes of the structure, oldest first.
    pub steps: Vec<Step>,
    /// Changes of values, which apply after all steps.
    pub changes: Changes,
}

impl Draft {
    /// Applies the changes of a file to its text. A change that does not apply is skipped, and its problem
    /// recorded. Files that steps make are added to `made`.
    pub fn apply(&mut self, file: &Path, tree: Tree, registry: &Registry, made: &mut Made) -> Tree {
        let tree = self.restructure(file, tree, registry, made);
        apply(&mut self.changes, file, tree, Some(registry))
    }

    fn restructure(&mut self, file: &Path, tree: Tree, registry: &Registry, made: &mut Made) -> Tree {
        let mut steps = self.steps.iter_mut().filter(|step| &*step.file == file).peekable();
        if steps.peek().is_none() {
            return tree;
        }
        let mut text = match GraphText::of(tree.clone()) {
            Ok(text) => text,
            Err(error) => {
                steps.for_each(|step| step.problem = Some(error.to_string()));
                return tree;
            }
        };
        for step in steps {
            step.problem = step.structure.apply(&mut text, file, registry, made).err();
        }
        text.into_tree()
    }

    /// Moves the changes of values to where a step moves the values, before the step is added.
    pub fn follow(&mut self, file: &Arc<Path>, structure: &Structure) {
        let old = std::mem::take(&mut self.changes);
        for (home, change) in old {
            let slots = if home.file == *file { structure.moved(&home) } else { vec![home.clone()] };
            for (index, slot) in slots.into_iter().enumerate() {
                let mut change = change.clone();
                let moved = (slot != home).then_some(&slot.slot);
                if let Some(Slot::Field { node, field }) = moved {
                    // The name begins with the file, which stays.
                    let place = change.name.rsplit_once(": ").map_or("", |(place, _)| place);
                    change.name = format!("{place}: {node}.{field}");
                    change.node = change.node.is_some().then(|| node.clone());
                }
                if index == 0 || !self.changes.contains_key(&slot) {
                    self.changes.insert(slot, change);
                }
            }
        }
    }
}
