//! A world that was read and checked.

use std::path::Path;

use terrane_flow::{Diagnostics, Engine, LoadOptions, Loaded, Registry};
use terrane_grid::Tiling;

use super::borders::Borders;
use super::patch_error::PatchError;
use super::paths::Paths;

/// A world that was read and checked.
pub struct LoadedWorld {
    paths: Paths,
    borders: Borders,
}

impl LoadedWorld {
    /// Reads and checks a world's file and the graph of its patches; `options` change that graph.
    ///
    /// # Errors
    /// Every mistake in the file, then every mistake in the graph. Nothing is evaluated or written.
    pub fn load(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Self, Diagnostics> {
        let paths = Paths::load(path, registry, options)?;
        let (columns, rows) = paths.pattern.tiling.size;
        Ok(Self { paths, borders: Borders::new(columns * rows) })
    }

    /// How the plane is cut.
    #[must_use]
    pub const fn tiling(&self) -> Tiling {
        self.paths.pattern.tiling
    }

    /// The graph of patches, at the place of patch (0, 0) and with its own paths.
    #[must_use]
    pub const fn graph(&self) -> &Loaded {
        &self.paths.pattern.graph
    }

    /// The graph of one patch: at its place, with the paths that concern it and the heights that it meets its neighbours with. What these depend on is evaluated
    /// first, and kept for the next patches: the ground and the paths of the patches around, and the ground of patches that paths lead to, as far as it matters.
    ///
    /// # Errors
    /// When the ground or the paths of a patch that matters cannot be evaluated.
    pub fn patch(&self, engine: &Engine, patch: (i64, i64)) -> Result<Loaded, PatchError> {
        self.paths.with_paths(patch, self.borders.heights(&self.paths, engine, patch)?)
    }
}
