//! What lies beyond a map's border.

/// What lies beyond a map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Boundary {
    /// The map does not wrap.
    ///
    /// A sample on the border has fewer neighbours.
    Open,
    /// The opposite border: the map is a torus.
    Wrap,
}
