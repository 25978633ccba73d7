//! Drafts: the unwritten changes of all pages.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{GraphText, Registry};

use super::memo::{Applied, Memo};
use super::structure::{Made, Structure};
use super::text::turned;
use crate::changes::{Changes, apply};

/// A step: one change of the structure of the graph's file, or of a file's text.
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
    /// Changes of the structure and of texts, oldest first.
    pub steps: Vec<Arc<Step>>,
    /// Changes of values, which apply after all steps.
    pub changes: Changes,
}

impl Draft {
    /// Applies the changes of a file to its text. A change that does not apply is skipped, and its problem
    /// recorded. Files that steps make are added to `made`.
    pub fn apply(
        &mut self,
        file: &Path,
        tree: Tree,
        (registry, memo): (&Registry, &Memo),
        made: &mut Made,
    ) -> Tree {
        let tree = self.restructure(file, tree, (registry, memo), made);
        apply(&mut self.changes, file, tree, Some(registry))
    }

    fn restructure(
        &mut self,
        file: &Path,
        tree: Tree,
        (registry, memo): (&Registry, &Memo),
        made: &mut Made,
    ) -> Tree {
        let own: Vec<usize> = (0..self.steps.len()).filter(|&at| &*self.steps[at].file == file).collect();
        if own.is_empty() {
            return tree;
        }
        let numbers: Vec<u64> = own.iter().map(|&at| self.steps[at].number).collect();
        let mut done = memo.find(file, &tree, &numbers);
        let mut now = Now::Tree(done.text.take().unwrap_or_else(|| tree.clone()));
        for &at in &own[done.problems.len()..] {
            let problem = now.apply(&self.steps[at].structure, file, registry, &mut done.made).err();
            done.problems.push(problem);
        }
        for (&at, problem) in own.iter().zip(&done.problems) {
            set_problem(&mut self.steps[at], problem.clone());
        }
        made.extend(done.made.iter().map(|(path, text)| (path.clone(), text.clone())));
        let result = now.into_tree();
        memo.keep(file, tree, numbers, Applied { text: Some(result.clone()), ..done });
        result
    }

    /// Bytes of the text of the last step, which drafts before it do not share.
    #[must_use]
    pub fn last_text(&self) -> usize {
        match self.steps.last().map(|step| &step.structure) {
            Some(Structure::Text { after, .. }) => after.len(),
            _ => 0,
        }
    }

    /// Moves the changes of values to where a step moves the values, before the step is added.
    pub fn follow(&mut self, file: &Arc<Path>, structure: &Structure) {
        let old = std::mem::take(&mut self.changes);
        for (home, change) in old {
            let slots = if home.file == *file { structure.moved(&home) } else { vec![home.clone()] };
            for (index, slot) in slots.into_iter().enumerate() {
                let mut change = change.clone();
                if slot != home {
                    change.moved_to(&home, &slot);
                }
                if index == 0 || !self.changes.contains_key(&slot) {
                    self.changes.insert(slot, change);
                }
            }
        }
    }
}

/// A text while steps are applied to it.
enum Now {
    Tree(Tree),
    /// A text whose structure is changed.
    Graph(GraphText),
}

impl Now {
    fn into_tree(self) -> Tree {
        match self {
            Self::Tree(tree) => tree,
            Self::Graph(text) => text.into_tree(),
        }
    }

    /// Applies a change, or says why it does not apply.
    fn apply(
        &mut self,
        structure: &Structure,
        file: &Path,
        registry: &Registry,
        made: &mut Made,
    ) -> Result<(), String> {
        if let Structure::Text { shown, before, after } = structure {
            let text = match &*self {
                Self::Tree(tree) => turned(shown, before, after, tree.text()),
                Self::Graph(text) => turned(shown, before, after, text.text()),
            };
            *self = Self::Tree(Tree::parse(text?));
            return Ok(());
        }
        if let Self::Tree(tree) = self {
            *self = Self::Graph(GraphText::of(tree.clone()).map_err(|error| error.to_string())?);
        }
        let Self::Graph(text) = self else { return Ok(()) };
        structure.apply(text, file, registry, made)
    }
}

/// Sets the problem of a step, which drafts share.
fn set_problem(step: &mut Arc<Step>, problem: Option<String>) {
    if step.problem != problem {
        Arc::make_mut(step).problem = problem;
    }
}
