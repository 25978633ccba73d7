//! What nodes of paths have in common.

use terrane_flow::NodeError;

use crate::support::same_size;
use crate::values::{Bounds, Map};

/// The thesis's tolerance of slopes.
pub const TOLERANCE: f64 = 1.0e-5;

/// How steep banks are by default, 35 degrees: what loose earth stands at.
pub const BANK_SLOPE: Option<f64> = Some(0.7);

/// Whether earth may be brought or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Earth {
    /// It is moved, never made, but where heights are given.
    Conserved,
    /// It may be brought and taken away anywhere, at a cost.
    Balanced,
}

/// What a unit of height that is made or taken away costs, in world units of moving it: as given, or twice
/// the length of the map's longer side, for which it could be moved anywhere.
pub fn creation_cost(given: Option<f64>, map: &Map) -> f64 {
    let (w, h) = map.domain().size;
    given.unwrap_or(2.0 * w.max(h) as f64 * map.spacing())
}

/// Refuses a subdivision, or heights of the border, of another patch.
pub fn fits(height: &Map, subdivision: &Bounds, border: Option<&Map>) -> Result<(), NodeError> {
    let ((w, h), (v, g)) = (height.domain().size, subdivision.domain.size);
    if height.domain() != subdivision.domain {
        return Err(NodeError::failed(
            format!("`subdivision` is of another patch ({v} x {g} samples) than `height` ({w} x {h})"),
            "connect a SubdividePath of a map of the same size and place",
        ));
    }
    if w.min(h) < 2 {
        return Err(NodeError::failed(
            format!("a map of {w} x {h} samples has no gradients that could be bound"),
            "make it two columns wide and two rows high at least",
        ));
    }
    border.map_or(Ok(()), |border| same_size("height", height, "border", border))
}
