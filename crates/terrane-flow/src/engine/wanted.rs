//! What is asked of an engine.

use super::cache::NotKept;
use crate::model::node_key::Key;
use crate::model::port::{Output, Reference};
use crate::model::value::{Data, Digest};

/// An output that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which.
    pub output: Reference,
    /// Content that the asker has already: when the output turns out to be just that, it is not loaded.
    pub have: Option<Digest>,
}

impl From<Reference> for Wanted {
    fn from(output: Reference) -> Self {
        Self { output, have: None }
    }
}

impl<T: Data> From<&Output<T>> for Wanted {
    fn from(output: &Output<T>) -> Self {
        output.reference().clone().into()
    }
}

/// What evaluation would do with a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Position in the graph.
    pub node: usize,
    /// The key; `None` when an input's content is not known before another node has run.
    pub key: Option<Key>,
    /// Whether the content of the outputs is known.
    pub known: bool,
    /// Why the content that is known is not kept, where it is not.
    pub not_kept: Option<NotKept>,
    /// Whether the node would run, or may have to.
    pub runs: bool,
}

/// A wanted output by position.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub node: usize,
    pub output: usize,
    pub have: Option<Digest>,
    /// Whether the value is to be there at the end; without, its content alone.
    pub keep: bool,
}
