//! The result of a patch, and callbacks during a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use terrane_flow::Value;
use terrane_flow::syntax::Problem;

/// The result of a patch.
#[derive(Debug)]
pub struct Done {
    /// Its column and row.
    pub patch: (i64, i64),
    /// How many nodes ran.
    pub ran: usize,
    /// How many nodes were cache hits.
    pub cached: usize,
    /// Files that were created or replaced.
    pub written: Vec<PathBuf>,
    /// The number of files that already had the right content.
    pub unchanged: usize,
    /// Warnings of nodes.
    pub warnings: Vec<String>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub took: Duration,
    /// The outputs' values, if a mosaic requires them.
    pub(super) values: Vec<Option<Value>>,
    /// Digests of the outputs' values by file, if a share records them.
    pub(super) content: BTreeMap<String, String>,
}

/// Callbacks while patches are computed.
pub trait Listener {
    /// The run starts. It has this many patches.
    fn begin(&mut self, _patches: usize) {}

    /// Whether to start further patches. Called after each patch.
    fn goes_on(&self) -> bool {
        true
    }

    /// A patch is done.
    fn made(&mut self, _done: &Done) {}

    /// A note for the user.
    fn note(&mut self, _text: &str) {}
}

/// A listener that does nothing.
impl Listener for () {}
