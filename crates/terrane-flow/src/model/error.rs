//! What can go wrong while a node runs.

/// Why a node gave no value.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NodeError {
    /// Nobody wants the result any more.
    #[error("cancelled")]
    Cancelled,
    /// The node cannot do what it is asked.
    #[error("{message}")]
    Failed {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// The node panicked: a defect in the node, reported as its error so that the others go on.
    #[error("the node panicked: {0}")]
    Panicked(String),
}

impl NodeError {
    /// An error with its remedy.
    #[must_use]
    pub fn failed(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Self::Failed { message: message.to_string(), help: help.to_string() }
    }
}
