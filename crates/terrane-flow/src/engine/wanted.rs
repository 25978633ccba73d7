//! Requests to an engine.

use super::cache::{NotKept, Reason};
use crate::model::node_key::Key;
use crate::model::port::{Output, Reference};
use crate::model::value::Data;
use crate::model::value_id::ValueId;

/// A requested output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The output.
    pub output: Reference,
    /// The identity of the value that the caller already has, if any. If the output has the same identity,
    /// its value is not loaded.
    pub have: Option<ValueId>,
}

impl From<Reference> for Wanted {
    fn from(output: Reference) -> Self {
        Self { output, have: None }
    }
}

impl From<&str> for Wanted {
    /// The output with this name: `"node"` or `"node.output"`.
    fn from(output: &str) -> Self {
        Reference::parse(output).into()
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
    /// The position of the node in the graph.
    pub node: usize,
    /// The key of the node; `None` if the identity of an input is unknown until another node has run.
    pub key: Option<Key>,
    /// Whether the identities of the outputs are known.
    pub known: bool,
    /// Why the known outputs are not kept for other runs; `None` if they are kept, or if they are unknown.
    pub not_kept: Option<NotKept>,
    /// Whether the node would run, or may have to run.
    pub runs: bool,
}

impl Resolved {
    /// Whether its values are kept, or are made so quickly that they are not.
    #[must_use]
    pub fn is_at_hand(&self) -> bool {
        !self.runs || self.not_kept.as_ref().is_some_and(|own| own.reason == Reason::Cheap)
    }
}

/// A wanted output, as the positions of its node and of the output.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub node: usize,
    pub output: usize,
    pub have: Option<ValueId>,
    /// Whether the value itself is needed at the end, and not only its identity.
    pub keep: bool,
}
