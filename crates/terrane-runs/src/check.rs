//! Checks a file without running it.

use std::path::Path;

use terrane_flow::{Diagnostics, Graph, LoadOptions, Registry, check_file, described_type};
use terrane_nodes::{flat_source_warnings, spacing_warnings};

use crate::world::LoadedWorld;

/// What a check of a file found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Its mistakes.
    pub mistakes: Diagnostics,
    /// Warnings: the name of a node, and what is odd about it.
    pub warnings: Vec<(String, String)>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

/// Checks a graph, with each of its profiles, or a world. Nothing is evaluated or written.
#[must_use]
pub fn check(path: &Path, registry: &Registry, options: &LoadOptions) -> Checked {
    let warnings = |graph: &Graph| {
        let mut all = spacing_warnings(graph);
        all.extend(flat_source_warnings(graph));
        all
    };
    let checked = match described_type(&*options.files, path).as_deref() {
        Some("World") => LoadedWorld::load(path, registry, options).map(|world| Checked {
            notes: world.notes(),
            warnings: warnings(&world.graph().graph),
            ..Checked::default()
        }),
        _ => check_file(path, registry, options)
            .map(|loaded| Checked { warnings: warnings(&loaded.graph), ..Checked::default() }),
    };
    checked.unwrap_or_else(|mistakes| Checked { mistakes, ..Checked::default() })
}
