//! Why tasks could not be made or run.

/// Why tasks could not be made or run.
pub type Error = Box<dyn std::error::Error>;
