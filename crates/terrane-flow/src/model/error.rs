//! Errors of a running node.

/// Why a node returned no values.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NodeError {
    /// The result is no longer needed.
    #[error("cancelled")]
    Cancelled,
    /// The node cannot compute its outputs.
    #[error("{message}")]
    Failed {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// The node panicked. This is a bug in the node. It is reported as an error of this node, and other nodes
    /// continue.
    #[error("the node panicked: {0}")]
    Panicked(String),
}

impl NodeError {
    /// An error with its solution.
    #[must_use]
    pub fn failed(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Self::Failed { message: message.to_string(), help: help.to_string() }
    }
}
