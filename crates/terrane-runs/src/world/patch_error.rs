//! Why a patch cannot be computed.

/// Why a patch cannot be computed.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{message}")]
pub struct PatchError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}
