//! A world's file, without the graph of its patches.

use std::path::{Path, PathBuf};

use terrane_flow::{
    Described, Diagnostics, Digest, FilePath, LoadOptions, NodeError, Touched, load_described,
};
use terrane_io::LonLat;
use terrane_nodes::paths::read_graph;

use super::description::World;

/// A world's file with the paths that it names, read once. Together with the graph of its patches it becomes
/// a [`LoadedWorld`](super::LoadedWorld). It can be reused each time that the seed or a parameter of that
/// graph changes.
#[derive(Clone, Debug)]
pub struct WorldFile {
    path: PathBuf,
    described: Described<World>,
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
        let mut described = match load_described(&options.files, path, options.allow_outside, World::check) {
            Ok(described) => described,
            Err(errors) => return (Err(errors), touched),
        };
        touched.0.extend(described.value.file.iter().map(FilePath::path));
        if let Err(errors) = read_lines(&mut described) {
            return (Err(errors), touched);
        }
        (Ok(Self { path: path.to_owned(), described }), touched)
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
        Digest(*hasher.finalize().as_bytes())
    }

    pub(super) fn into_described(self) -> Described<World> {
        self.described
    }
}

/// Replaces nodes and edges by the lines of a GeoJSON file.
fn read_lines(described: &mut Described<World>) -> Result<(), Diagnostics> {
    let Some(file) = &described.value.file else { return Ok(()) };
    let lines = read_graph(&LonLat::of(None), file, None, true).map_err(|error| {
        let (message, help) = match error {
            NodeError::Failed { message, help } => (message, help),
            other => (other.to_string(), String::new()),
        };
        Diagnostics::from(described.error("file", message, help))
    })?;
    if lines.slopes.iter().any(|&slope| slope <= 0.0) {
        let message = "a line has a slope that is not positive";
        return Err(described
            .error("file", message, "give it a positive slope, or remove the property")
            .into());
    }
    let world = &mut described.value;
    (world.nodes, world.edges, world.slopes) = (lines.plane.nodes, lines.plane.edges, lines.slopes);
    Ok(())
}
