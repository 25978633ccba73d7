//! Texts of graphs as they were at first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use terrane_flow::syntax::Tree;
use terrane_flow::{Diagnostics, LoadOptions, Loaded, Registry, load_edited};

/// The texts of a graph and of all that it uses, each as it was when it was first read, with its hash.
#[derive(Default)]
pub struct Texts(Mutex<HashMap<PathBuf, (Tree, blake3::Hash)>>);

impl Texts {
    /// The graph made from these texts.
    ///
    /// # Errors
    /// Its mistakes.
    pub fn load(
        &self,
        graph: &Path,
        registry: &Registry,
        options: &LoadOptions,
    ) -> Result<Loaded, Diagnostics> {
        let mut first = |path: &Path, tree: Tree| {
            let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (first, _) = texts.entry(path.to_owned()).or_insert_with(|| {
                let hash = blake3::hash(tree.text().as_bytes());
                (tree, hash)
            });
            first.clone()
        };
        load_edited(graph, registry, options, &mut first).0
    }

    /// The hash of a graph's text; none of other files.
    pub fn hash(&self, file: &Path) -> Option<blake3::Hash> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.get(&file.canonicalize().ok()?).map(|(_, hash)| *hash)
    }
}
