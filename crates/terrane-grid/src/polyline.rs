//! Lines in world coordinates.

/// A line through points in world coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    /// The points in order.
    pub points: Vec<(f64, f64)>,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}
