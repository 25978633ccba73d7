//! What nodes of paths have in common.

use terrane_flow::NodeError;

use crate::support::same_size;
use crate::values::{Bounds, Map};

/// The thesis's tolerance of slopes.
pub const TOLERANCE: f64 = 1.0e-5;

/// Refuses a subdivision, or heights of the border, of another patch.
pub fn fits(height: &Map, subdivision: &Bounds, border: Option<&Map>) -> Result<(), NodeError> {
    let ((w, h), (v, g)) = (height.domain().size, subdivision.domain.size);
    if height.domain() != subdivision.domain {
        return Err(NodeError::failed(
            format!("`subdivision` is of another patch ({v} x {g} samples) than `height` ({w} x {h})"),
            "connect a SubdividePath of a map of the same size and place",
        ));
    }
    border.map_or(Ok(()), |border| same_size("height", height, "border", border))
}
