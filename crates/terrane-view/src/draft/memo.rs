//! What the steps of a draft made of a text the last time, so that each load applies only new steps.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use terrane_flow::lock;
use terrane_flow::syntax::Tree;

use super::structure::Made;

/// The result of applying steps to a text.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// The changed text; `None` if no step was applied yet.
    pub text: Option<Tree>,
    /// The files that the steps made.
    pub made: Made,
    /// The problem of each step.
    pub problems: Vec<Option<String>>,
}

/// The last results by file. They stay true as long as the text and the numbers of the steps are the same.
#[derive(Debug, Default)]
pub struct Memo(Mutex<HashMap<PathBuf, Known>>);

/// A text, the numbers of steps, and what these made of it.
type Known = (Tree, Vec<u64>, Applied);

impl Memo {
    /// The result of the first of these steps, as many as were applied to the same text. Files that a step
    /// makes may have come into being since, so a result with such files is not used.
    pub fn find(&self, file: &Path, tree: &Tree, numbers: &[u64]) -> Applied {
        let known = lock(&self.0);
        let found = known.get(file).filter(|(base, done, applied)| {
            numbers.starts_with(done) && applied.made.is_empty() && base.text() == tree.text()
        });
        found.map(|(.., applied)| applied.clone()).unwrap_or_default()
    }

    /// Keeps a result.
    pub fn keep(&self, file: &Path, tree: Tree, numbers: Vec<u64>, applied: Applied) {
        lock(&self.0).insert(file.to_owned(), (tree, numbers, applied));
    }
}
