//! What is loaded, and how.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::files::{Disk, Files};
use crate::model::graph::Graph;
use crate::model::plan::Plan;

/// What the command line changes about a graph.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Graph parameters to set: name and RON text. `@NAME`, with no text, sets those of one of the graph's
    /// profiles; later ones win.
    pub set: Vec<(String, String)>,
    /// The seed, in place of the graph's.
    pub seed: Option<u64>,
    /// Header fields in place of the graph's: name and RON text.
    pub header: Vec<(String, String)>,
    /// Whether files outside the graph's folder may be read.
    pub allow_outside: bool,
    /// Where the graph's files are read from, and all that they name.
    pub files: Arc<dyn Files>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { set: Vec::new(), seed: None, header: Vec::new(), allow_outside: false, files: Arc::new(Disk) }
    }
}

/// A graph that was read and checked whole. Engines share it in an `Arc`; to edit it there, `Arc::make_mut`
/// copies it only while an evaluation still holds it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// Its plan.
    pub plan: Arc<Plan>,
}

/// Every file that had to be looked at, also when loading failed, and also where there is none yet: what a
/// watcher must watch.
#[derive(Clone, Debug, Default)]
pub struct Touched(pub Vec<PathBuf>);
