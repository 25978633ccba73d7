//! A world's file, without the graph of its patches.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{
    Described, Diagnostics, Digest, FilePath, LoadOptions, NodeError, Touched, load_described,
};
use terrane_grid::Place;
use terrane_io::{LonLat, Opened, read_content_from};
use terrane_nodes::opener;
use terrane_nodes::paths::read_graph_from;

use super::description::World;

/// A world's file with the paths that it names, read once. Together with the graph of its patches it becomes
/// a [`LoadedWorld`](super::LoadedWorld). It can be reused each time that the seed or a parameter of that
/// graph changes.
#[derive(Clone, Debug)]
pub struct WorldFile {
    path: PathBuf,
    described: Described<World>,
    /// The content of the file of lines. Where they lie depends on the place of the graph, which is not known
    /// yet.
    lines: Option<Arc<[u8]>>,
}

impl WorldFile {
    /// Reads a world's file, without the graph of its patches.
    ///
    /// # Errors
    /// Fails with every error in the file.
    pub fn read(path: &Path, options: &LoadOptions) -> Result<Self, Diagnostics> {
        Self::read_touched(path, options).0
    }

    /// Like [`Self::read`], but also returns every file that was read, even on failure.
    pub(super) fn read_touched(path: &Path, options: &LoadOptions) -> (Result<Self, Diagnostics>, Touched) {
        let mut touched = Touched(vec![path.to_owned()]);
        let described = match load_described(&options.files, path, options.allow_outside, World::check) {
            Ok(described) => described,
            Err(errors) => return (Err(errors), touched),
        };
        touched.0.extend(described.value.file.iter().map(FilePath::path));
        let lines = match &described.value.file {
            None => Ok(None),
            Some(file) => read_content_from(&opener(file), &file.path()).map(Some).map_err(|error| {
                let message = format!("{}: {}", file.given(), error.problem);
                described.error("file", message, error.remedy()).into()
            }),
        };
        let read =
            |lines: Option<Vec<u8>>| Self { path: path.to_owned(), lines: lines.map(Arc::from), described };
        (lines.map(read), touched)
    }

    /// The file of the patch graph.
    #[must_use]
    pub fn patch(&self) -> PathBuf {
        self.described.value.patch.path()
    }

    /// The files that were read.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let lines = self.described.value.file.iter().map(FilePath::path);
        std::iter::once(self.path.clone()).chain(lines).collect()
    }

    /// A digest of the world's contents without the patch graph. It does not depend on formatting.
    #[must_use]
    pub fn content(&self) -> Digest {
        let World { patch: _, nodes, edges, slopes, file: _, heights } = &self.described.value;
        let mut hasher = blake3::Hasher::new();
        for count in [nodes.len(), edges.len(), slopes.len()] {
            hasher.update(&(count as u64).to_le_bytes());
        }
        for &(x, y) in nodes.iter().chain([heights]) {
            hasher.update(&x.to_bits().to_le_bytes());
            hasher.update(&y.to_bits().to_le_bytes());
        }
        for &(a, b) in edges {
            hasher.update(&a.to_le_bytes());
            hasher.update(&b.to_le_bytes());
        }
        for slope in slopes {
            hasher.update(&slope.to_bits().to_le_bytes());
        }
        hasher.update(self.lines.as_deref().unwrap_or_default());
        Digest(*hasher.finalize().as_bytes())
    }

    /// The description, with the lines of its file as nodes and edges of a world with this place.
    ///
    /// # Errors
    /// If the file is not one of lines, or cannot be read in this place.
    pub(super) fn into_described(self, place: Option<&Arc<Place>>) -> Result<Described<World>, Diagnostics> {
        let Self { mut described, lines, .. } = self;
        let (Some(file), Some(lines)) = (&described.value.file, lines) else { return Ok(described) };
        let open = |_: &Path| -> io::Result<Opened> {
            let length = lines.len() as u64;
            Ok(Opened { content: Box::new(Cursor::new(Arc::clone(&lines))), length })
        };
        let lines = read_graph_from(&open, &LonLat::of(place), file, None, true).map_err(|error| {
            let (message, help) = match error {
                NodeError::Failed { message, help } => (message, help),
                other => (other.to_string(), String::new()),
            };
            Diagnostics::from(described.error("file", message, help))
        })?;
        if lines.slopes.iter().any(|&slope| slope <= 0.0) {
            let message = "a line has a slope that is not positive";
            let help = "give it a positive slope, or remove the property";
            return Err(described.error("file", message, help).into());
        }
        let world = &mut described.value;
        (world.nodes, world.edges, world.slopes) = (lines.plane.nodes, lines.plane.edges, lines.slopes);
        Ok(described)
    }
}
