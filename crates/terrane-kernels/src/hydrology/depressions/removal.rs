//! How hollows are removed, and what becomes of them.

use crate::Boundary;

/// How hollows are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Method {
    /// The ground is raised to the level at which each hollow overflows.
    Fill,
    /// A channel is cut from the bottom of each hollow to lower ground.
    Breach,
    /// Whichever changes the smaller volume, for each hollow.
    Least,
}

/// Parameters of [`depressions()`](super::depressions()).
#[derive(Clone, Copy, Debug)]
pub struct DepressionRemoval {
    /// How hollows are removed.
    pub method: Method,
    /// The greatest change of a height. Hollows that cannot be removed with less are kept.
    pub max_depth: f32,
    /// The greatest length of a channel through higher ground, in world units.
    pub max_length: f64,
    /// Samples below this height are sea, where all water ends.
    pub sea_level: Option<f32>,
    /// What lies beyond the border, over which water leaves an open map.
    pub boundary: Boundary,
}

impl Default for DepressionRemoval {
    /// All hollows are removed from an open map without a sea, with the least change.
    fn default() -> Self {
        let (max_depth, max_length) = (f32::INFINITY, f64::INFINITY);
        Self { method: Method::Least, max_depth, max_length, sea_level: None, boundary: Boundary::Open }
    }
}

/// What has become of a hollow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is as before, since the limits allow no other.
    Keep,
    /// It is filled, or lies in one that is.
    Fill,
    /// A channel leads from its bottom to lower ground.
    Breach,
}
