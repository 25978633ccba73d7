//! The error of midpoint displacement.

use crate::Cancelled;

/// Why midpoint displacement failed.
#[derive(Clone, Debug, PartialEq)]
pub enum MidpointError {
    /// The caller cancelled the computation.
    Cancelled,
    /// The size does not fit the boundary.
    Size {
        /// The size that would fit.
        expected: String,
    },
    /// The roughness map's size differs from the domain's: its columns and rows.
    Roughness(usize, usize),
    /// A point lies outside the map.
    Outside(f64, f64),
    /// Two points lie on the same sample with different heights.
    Conflict(f64, f64),
}

impl std::fmt::Display for MidpointError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Size { expected } => write!(f, "the size does not fit: {expected}"),
            Self::Roughness(w, h) => {
                write!(f, "`roughness` has {w} x {h} samples, unlike the terrain")
            }
            Self::Outside(x, y) => write!(f, "the point ({x}, {y}) lies outside the map"),
            Self::Conflict(x, y) => write!(f, "two points at ({x}, {y}) ask for different heights"),
        }
    }
}

impl std::error::Error for MidpointError {}

impl From<Cancelled> for MidpointError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
