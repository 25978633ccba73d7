//! Requests to an engine.

use super::cache::NotKept;
use crate::model::node_key::Key;
use crate::model::port::{Output, Reference};
use crate::model::value::{Data, Digest};

/// A requested output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The output.
    pub output: Reference,
    /// Content that the caller already has. If the output has the same content, it is not loaded.
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

/// What an evaluation would do with a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Position in the graph.
    pub node: usize,
    /// The key; `None` if an input's content is unknown until another node has run.
    pub key: Option<Key>,
    /// Whether the content of the outputs is known.
    pub known: bool,
    /// Why known content is not kept; `None` if it is kept.
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
    /// Whether the value is needed at the end, and not only its content.
    pub keep: bool,
}
