//! What became of a patch.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use terrane_flow::Value;
use terrane_flow::syntax::Problem;

/// What became of a patch.
#[derive(Debug)]
pub struct Done {
    /// Its column and row.
    pub patch: (i64, i64),
    /// How many nodes ran.
    pub ran: usize,
    /// How many nodes the cache knew.
    pub cached: usize,
    /// Files that were made or replaced.
    pub written: Vec<PathBuf>,
    /// How many files hold already what they would.
    pub unchanged: usize,
    /// What nodes warn of.
    pub warnings: Vec<String>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub took: Duration,
    /// Values of the outputs, where a mosaic wants them.
    pub(super) values: Vec<Option<Value>>,
    /// Digests of the outputs' values by file, where a share writes them down.
    pub(super) content: BTreeMap<String, String>,
}

/// Whoever is told of patches while they are made.
pub trait Listener {
    /// So many patches begin.
    fn begin(&mut self, _patches: usize) {}

    /// Whether others begin; asked after each patch.
    fn goes_on(&self) -> bool {
        true
    }

    /// A patch is done.
    fn made(&mut self, _done: &Done) {}

    /// Something that a person should know.
    fn note(&mut self, _text: &str) {}
}

/// Nobody is told.
impl Listener for () {}
