//! Errors when a preview starts.

use std::io;
use std::net::SocketAddr;

/// Why a preview could not start.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The socket could not be opened.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The token is not valid.
    #[error("the token must have 16 to 128 letters, digits, `-` or `_`")]
    Token,
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}")]
    Random(String),
    /// Threads could not be started.
    #[error("cannot serve: {0}")]
    Serve(io::Error),
}
