//! Why a preview does not begin.

use std::io;
use std::net::SocketAddr;

/// Why a preview does not begin.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The socket cannot be had.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// A token that does not do.
    #[error("the token must have 16 to 128 letters, digits, `-` or `_`")]
    Token,
    /// No random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    /// No threads.
    #[error("cannot serve: {0}")]
    Serve(io::Error),
}
