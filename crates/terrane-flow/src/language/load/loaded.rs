//! Options and results of loading.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::files::{Disk, Files};
use crate::model::graph::Graph;
use crate::model::plan::Plan;

/// Sets parameters of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Sets one parameter: its name and RON text.
    Param(String, String),
    /// Sets the parameters of a profile of the graph.
    Profile(String),
    /// Sets the parameters in a file, which is read whenever the graph is loaded. The file may lie anywhere.
    Values(PathBuf),
}

impl Setting {
    /// A setting of one parameter to RON text.
    pub fn param(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Param(name.into(), value.into())
    }
}

/// Options that change a graph when it is loaded, such as from the command line.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// What sets parameters of the graph. Later settings take precedence.
    pub set: Vec<Setting>,
    /// A seed that replaces the graph's seed.
    pub seed: Option<u64>,
    /// Header fields that replace those of the graph: name and RON text.
    pub header: Vec<(String, String)>,
    /// Whether files outside the graph's folder may be read.
    pub allow_outside: bool,
    /// Whether ports that need a wire may have none. Editors show such nodes; they cannot be evaluated
    /// ([`Graph::unconnected`](crate::Graph::unconnected)).
    pub unconnected: bool,
    /// The source for the graph's files and all files that they name.
    pub files: Arc<dyn Files>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            set: Vec::new(),
            seed: None,
            header: Vec::new(),
            allow_outside: false,
            unconnected: false,
            files: Arc::new(Disk),
        }
    }
}

/// A graph that was read and checked completely. Engines share it in an `Arc`. To edit it, use
/// `Arc::make_mut`, which copies it only while an evaluation still holds it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// Its plan.
    pub plan: Arc<Plan>,
}

/// Every file that loading accessed, including missing files, and files of a failed load. A watcher must
/// watch them all.
#[derive(Clone, Debug, Default)]
pub struct Touched(pub Vec<PathBuf>);
