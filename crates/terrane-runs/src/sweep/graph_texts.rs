//! The texts of graphs as they were when first read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use terrane_flow::syntax::Tree;
use terrane_flow::{Diagnostics, LoadOptions, Loaded, Registry, load_edited, lock};

/// The texts of a graph and of all graphs it uses, as they were when first read, with their hashes.
#[derive(Default)]
pub struct GraphTexts(Mutex<HashMap<PathBuf, (Tree, blake3::Hash)>>);

impl GraphTexts {
    /// Loads the graph from these texts.
    ///
    /// # Errors
    /// Fails with the graph's diagnostics.
    pub fn load(
        &self,
        graph: &Path,
        registry: &Registry,
        options: &LoadOptions,
    ) -> Result<Loaded, Diagnostics> {
        let mut first = |path: &Path, tree: Tree| {
            let mut texts = lock(&self.0);
            let (first, _) = texts.entry(path.to_owned()).or_insert_with(|| {
                let hash = blake3::hash(tree.text().as_bytes());
                (tree, hash)
            });
            first.clone()
        };
        load_edited(graph, registry, options, &mut first).0
    }

    /// The hash of a graph's text; `None` for other files.
    pub fn hash(&self, file: &Path) -> Option<blake3::Hash> {
        let texts = lock(&self.0);
        texts.get(&file.canonicalize().ok()?).map(|(_, hash)| *hash)
    }
}
