//! Events of a running evaluation.

use std::sync::Arc;
use std::time::Duration;

use crate::model::error::NodeError;

/// An event. Progress bars, `--json`, previews and tests all read the same stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The evaluation is planned, and nothing has run yet.
    Planned {
        /// The number of nodes that the wanted outputs need.
        nodes: usize,
        /// The forecast of the memory that the whole process will need, in bytes.
        forecast: u64,
    },
    /// A node started to run.
    Started {
        /// The node.
        node: Arc<str>,
    },
    /// Progress of a node.
    Progress {
        /// The node.
        node: Arc<str>,
        /// The fraction of its work that is done, in [0, 1].
        fraction: f64,
    },
    /// A node computed its outputs.
    Finished {
        /// The node.
        node: Arc<str>,
        /// How long it ran.
        time: Duration,
        /// Bytes that its outputs hold.
        bytes: u64,
        /// Whether the outputs have the ids of those last known to this engine.
        unchanged: bool,
    },
    /// A node did not run, because its results were known.
    Cached {
        /// The node.
        node: Arc<str>,
    },
    /// A node failed; nodes that depend on it are skipped.
    Failed {
        /// The node.
        node: Arc<str>,
        /// What went wrong.
        error: NodeError,
    },
    /// A node was skipped because a dependency failed.
    Skipped {
        /// The node.
        node: Arc<str>,
        /// The node that failed.
        because: Arc<str>,
    },
    /// A node was cancelled while it ran or before it started.
    Cancelled {
        /// The node.
        node: Arc<str>,
    },
    /// A warning for the author of the graph.
    Warning {
        /// The node, if the warning is about one.
        node: Option<Arc<str>>,
        /// The message.
        message: String,
    },
}

/// The outcome of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its results were known.
    Cached,
    /// It ran.
    Ran,
    /// It failed.
    Failed(NodeError),
    /// A dependency failed: the node with this name.
    Skipped(Arc<str>),
    /// The result was no longer needed.
    Cancelled,
}

/// The outcome, time and memory of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTiming {
    /// The node.
    pub node: Arc<str>,
    /// Its outcome.
    pub outcome: Outcome,
    /// How long it ran.
    pub time: Duration,
    /// Bytes that its outputs hold; 0 if they were not loaded.
    pub bytes: u64,
}

impl Event {
    /// The event as one JSON object. The field `event` contains the name of the event.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::json;
        match self {
            Self::Planned { nodes, forecast } => {
                json!({"event": "planned", "nodes": nodes, "forecast_bytes": forecast})
            }
            Self::Started { node } => json!({"event": "started", "node": &**node}),
            Self::Progress { node, fraction } => {
                json!({"event": "progress", "node": &**node, "fraction": fraction})
            }
            Self::Finished { node, time, bytes, unchanged } => json!({
                "event": "finished", "node": &**node, "seconds": time.as_secs_f64(),
                "bytes": bytes, "unchanged": unchanged,
            }),
            Self::Cached { node } => json!({"event": "cached", "node": &**node}),
            Self::Failed { node, error } => {
                let help = if let NodeError::Failed { help, .. } = error { help.as_str() } else { "" };
                json!({"event": "failed", "node": &**node, "message": error.to_string(), "help": help})
            }
            Self::Skipped { node, because } => {
                json!({"event": "skipped", "node": &**node, "because": &**because})
            }
            Self::Cancelled { node } => json!({"event": "cancelled", "node": &**node}),
            Self::Warning { node, message } => {
                json!({"event": "warning", "node": node.as_deref(), "message": message})
            }
        }
    }
}
