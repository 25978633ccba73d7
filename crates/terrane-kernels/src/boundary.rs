//! What lies beyond a map's border.

/// What lies beyond a map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Nothing: a sample on the border has fewer neighbours.
    Open,
    /// The opposite border: the map is a torus.
    Wrap,
}
