//! The progress and the results of a node, as pages see them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use terrane_flow::syntax::Problem;
use terrane_flow::{Key, Loaded, ValueId};

/// The progress and the results of a node.
pub struct NodeState {
    pub status: &'static str,
    pub fraction: f64,
    pub time: Option<Duration>,
    /// How long the node took at full size.
    pub full_time: Option<Duration>,
    pub bytes: u64,
    pub error: Option<Problem>,
    /// The identities of the outputs, and the graph that they come from.
    pub outputs: Option<ContentSource>,
    /// The previous outputs, which a page may still request.
    pub before: Option<ContentSource>,
    pub coarse: bool,
    /// Whether the outputs are those of the current graph, at full size.
    pub full: bool,
    /// The key with which the outputs were evaluated at full size, if it is known.
    pub key: Option<Key>,
}

/// The identities of a node's outputs, and the graph that they come from.
pub type ContentSource = (Arc<[ValueId]>, Arc<Loaded>);

impl NodeState {
    /// A node that has not run.
    pub fn new() -> Self {
        Self {
            status: "planned",
            fraction: 0.0,
            time: None,
            full_time: None,
            bytes: 0,
            error: None,
            outputs: None,
            before: None,
            coarse: false,
            full: false,
            key: None,
        }
    }

    /// The node in the message for pages.
    pub fn to_json(&self) -> Json {
        let ids: Vec<String> =
            self.outputs.iter().flat_map(|(ids, _)| ids.iter().map(ValueId::hex)).collect();
        json!({
            "status": self.status, "fraction": self.fraction,
            "seconds": self.time.map(|time| time.as_secs_f64()),
            "bytes": self.bytes, "error": self.error.as_ref().map(|error| (&error.message, &error.help)),
            "ids": ids, "coarse": self.coarse,
        })
    }
}
