//! Why a patch cannot be had.

/// Why a patch cannot be had.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{message}")]
pub struct PatchError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}
