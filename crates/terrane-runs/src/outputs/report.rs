//! The results for output files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use terrane_flow::syntax::Problem;

use crate::lint::Warning;

/// An output whose file is up to date.
#[derive(Clone, Debug)]
pub struct Made {
    /// The file.
    pub path: PathBuf,
    /// Its sidecar, if any.
    pub sidecar: Option<PathBuf>,
    /// Whether the file or its sidecar changed.
    pub changed: bool,
    /// How long writing took.
    pub time: Duration,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl Made {
    /// The files that were created or replaced.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.path), self.sidecar.as_ref()]
            .into_iter()
            .flatten()
            .filter(|_| self.changed)
            .map(PathBuf::as_path)
    }
}

/// The results of all output files.
#[derive(Debug, Default)]
pub struct Report {
    /// Outputs whose values were computed or loaded, in the order of the graph.
    pub made: Vec<Made>,
    /// The number of files that already had the right content.
    pub unchanged: usize,
    /// The digest of the value in each file that is up to date, by the name of the file.
    pub contents: BTreeMap<String, String>,
    /// The manifest, if it changed.
    pub manifest: Option<PathBuf>,
    /// What the values show that is probably not meant.
    pub warnings: Vec<Warning>,
    /// Why other outputs were not written.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Outputs that were created or replaced.
    pub fn written(&self) -> impl Iterator<Item = &Path> {
        self.made.iter().filter(|made| made.changed).map(|made| &*made.path)
    }
}
