//! What an evaluation tells while it goes on.

use std::sync::Arc;
use std::time::Duration;

use crate::model::error::NodeError;

/// One thing that happened. Progress bars, `--json`, previews and tests all read the same stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The work is known.
    Planned {
        /// Nodes that the wanted outputs need.
        nodes: usize,
        /// Bytes that will be held at once, as far as can be told.
        forecast: u64,
    },
    /// A node runs.
    Started {
        /// The node.
        node: Arc<str>,
    },
    /// A node is so far.
    Progress {
        /// The node.
        node: Arc<str>,
        /// Share of its work done, in [0, 1].
        fraction: f64,
    },
    /// A node gave its values.
    Finished {
        /// The node.
        node: Arc<str>,
        /// How long it ran.
        time: Duration,
        /// Bytes that its outputs hold.
        bytes: u64,
        /// Whether the outputs are, bit for bit, what the node gave the last time this engine looked.
        unchanged: bool,
    },
    /// A node's results were known: it did not run.
    Cached {
        /// The node.
        node: Arc<str>,
    },
    /// A node gave an error; what depends on it is skipped.
    Failed {
        /// The node.
        node: Arc<str>,
        /// What went wrong.
        error: NodeError,
    },
    /// A node was skipped because one that it needs failed.
    Skipped {
        /// The node.
        node: Arc<str>,
        /// The node that failed.
        because: Arc<str>,
    },
    /// A node was told to stop, or never started.
    Cancelled {
        /// The node.
        node: Arc<str>,
    },
    /// Something the author should know.
    Warning {
        /// The node, where it is one's.
        node: Option<Arc<str>>,
        /// What.
        message: String,
    },
}

/// What became of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its results were known.
    Cached,
    /// It ran.
    Ran,
    /// It gave an error.
    Failed(NodeError),
    /// A node that it needs failed.
    Skipped(Arc<str>),
    /// Nobody wanted the result any more.
    Cancelled,
}

/// What a node cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTiming {
    /// The node.
    pub node: Arc<str>,
    /// What became of it.
    pub outcome: Outcome,
    /// How long it ran.
    pub time: Duration,
    /// Bytes that its outputs hold; 0 when they were not loaded.
    pub bytes: u64,
}

impl Event {
    /// The event as one JSON object, with `event` naming it.
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
                "event": "finished", "node": &**node, "seconds": time.as_secs_f64(), "bytes": bytes,
                "unchanged": unchanged
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
