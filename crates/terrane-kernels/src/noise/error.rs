//! The error of noise.

use crate::Cancelled;

/// Why noise failed.
#[derive(Clone, Debug, PartialEq)]
pub enum NoiseError {
    /// The caller cancelled the computation.
    Cancelled,
    /// A parameter is invalid; the text says what it must be.
    Parameter(&'static str),
    /// A driving map's size differs from the domain's.
    Size(&'static str),
}

impl std::fmt::Display for NoiseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Parameter(expected) => f.write_str(expected),
            Self::Size(name) => write!(f, "the map for `{name}` must have the size of the noise"),
        }
    }
}

impl std::error::Error for NoiseError {}

impl From<Cancelled> for NoiseError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
