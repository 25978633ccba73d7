//! Why there is no noise.

use crate::Cancelled;

/// Why there is no noise.
#[derive(Clone, Debug, PartialEq)]
pub enum NoiseError {
    /// The caller asked to stop.
    Cancelled,
    /// A parameter has no meaning; what it must be.
    Parameter(&'static str),
    /// A map that drives has another size than the domain.
    Size(&'static str),
}

impl std::fmt::Display for NoiseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Parameter(expected) => f.write_str(expected),
            Self::Size(name) => write!(f, "the map for `{name}` has another size than the noise"),
        }
    }
}

impl std::error::Error for NoiseError {}

impl From<Cancelled> for NoiseError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
