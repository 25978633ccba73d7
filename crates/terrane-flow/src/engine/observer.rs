//! Observers of nodes' outputs.

use std::sync::Arc;

use crate::model::value::Value;
use crate::model::value_id::ValueId;

/// The outputs of a node.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The node.
    pub node: &'a Arc<str>,
    /// The identity of each output.
    pub ids: &'a [ValueId],
    /// The values; `None` if the outputs were known and not loaded, or if no value was made, since the node
    /// ran together with its readers.
    pub values: Option<&'a [Value]>,
}

/// Receives the outputs of each node, on one of the engine's threads, before downstream nodes run. An
/// observer should be fast, and should not keep values.
pub type Observer = Arc<dyn Fn(&Seen<'_>) + Send + Sync>;

/// An observer, and what it is for.
pub enum Showing {
    /// It sees values that are made in any case.
    Made(Observer),
    /// The values of all nodes are made for it.
    All(Observer),
}

impl Showing {
    /// The observer.
    pub fn observer(&self) -> &Observer {
        let (Self::Made(observer) | Self::All(observer)) = self;
        observer
    }
}
