//! Parameters and checks that nodes of paths share.

use terrane_flow::NodeError;

use crate::values::{Bounds, Map};

/// The thesis's tolerance for slopes.
pub const TOLERANCE: f64 = 1.0e-5;

/// The default slope of banks: 35 degrees, the angle of repose of loose earth.
pub const BANK_SLOPE: Option<f64> = Some(0.7);

/// Whether earth may be imported and exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Earth {
    /// Earth is moved and conserved, except where heights are fixed, and where `RelaxPath` keeps roughness.
    Conserved,
    /// Earth may be imported and exported anywhere, at a cost.
    Balanced,
}

/// The cost of importing or exporting earth, per unit of its height. The cost is a distance: moving the earth
/// over this distance costs as much.
///
/// Default: twice the length of the map's longer side. Earth can be moved anywhere over this distance.
pub fn creation_cost(given: Option<f64>, map: &Map) -> f64 {
    let (w, h) = map.domain().size;
    given.unwrap_or(2.0 * w.max(h) as f64 * map.spacing())
}

/// Rejects a subdivision of a different patch.
pub fn fits(height: &Map, subdivision: &Bounds) -> Result<(), NodeError> {
    let ((w, h), (v, g)) = (height.domain().size, subdivision.domain.size);
    if height.domain() != subdivision.domain {
        return Err(NodeError::failed(
            format!("`subdivision` ({v} x {g} samples) and `height` ({w} x {h}) are of different patches"),
            "connect a SubdividePath of a map with the same size and position",
        ));
    }
    if w.min(h) < 2 {
        return Err(NodeError::failed(
            format!("a map of {w} x {h} samples has no gradients"),
            "use at least two columns and two rows",
        ));
    }
    Ok(())
}
