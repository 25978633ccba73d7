//! What became of output files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use terrane_flow::syntax::Problem;

/// An output that was made, and is in its file now.
#[derive(Clone, Debug)]
pub struct Made {
    /// The file.
    pub path: PathBuf,
    /// Its sidecar, where it has one.
    pub sidecar: Option<PathBuf>,
    /// Whether the file or its sidecar changed by it.
    pub changed: bool,
    /// How long writing took.
    pub time: Duration,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Made {
    /// The files that were made or replaced.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.path), self.sidecar.as_ref()]
            .into_iter()
            .flatten()
            .filter(|_| self.changed)
            .map(PathBuf::as_path)
    }
}

/// What became of the output files.
#[derive(Debug, Default)]
pub struct Report {
    /// Outputs whose values were made or loaded, in the order of the graph.
    pub made: Vec<Made>,
    /// How many files hold already what they would.
    pub unchanged: usize,
    /// The manifest, where it changed.
    pub manifest: Option<PathBuf>,
    /// Why others were not written.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Outputs that were made or replaced.
    pub fn written(&self) -> impl Iterator<Item = &Path> {
        self.made.iter().filter(|made| made.changed).map(|made| &*made.path)
    }
}
