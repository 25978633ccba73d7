//! Checks a file without running it.

use std::path::Path;

use terrane_flow::{Diagnostics, LoadOptions, Loaded, Registry, check_file, described_type};

use crate::lint::{Warning, lint_graph};
use crate::world::LoadedWorld;

/// What a check of a file found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Its mistakes.
    pub mistakes: Diagnostics,
    /// What is probably not meant.
    pub warnings: Vec<Warning>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// The graph; `None` if the file has mistakes, or describes a world.
    pub graph: Option<Loaded>,
}

/// Checks a graph, with each of its profiles, or a world. Nothing is evaluated or written.
#[must_use]
pub fn check(path: &Path, registry: &Registry, options: &LoadOptions) -> Checked {
    let checked = match described_type(&*options.files, path).as_deref() {
        Some("World") => LoadedWorld::load(path, registry, options).map(|world| Checked {
            notes: world.notes(),
            // A world may need other nodes than the outputs of its graph.
            warnings: lint_graph(world.graph(), false),
            ..Checked::default()
        }),
        _ => check_file(path, registry, options).map(|loaded| Checked {
            warnings: lint_graph(&loaded, true),
            graph: Some(loaded),
            ..Checked::default()
        }),
    };
    checked.unwrap_or_else(|mistakes| Checked { mistakes, ..Checked::default() })
}
