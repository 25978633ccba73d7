//! Parameters of cellular terrain: distances, the search for points, and scaling of heights.

/// Maximum number of coefficients.
pub const MAX_ORDER: usize = 8;

/// How distance is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// √(dx² + dy²).
    Euclidean,
    /// dx² + dy²: the same cells, other profiles, no root.
    Squared,
    /// |dx| + |dy|.
    Manhattan,
    /// max(|dx|, |dy|).
    Chebyshev,
}

/// How far feature points are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Far enough never to miss one.
    Exact,
    /// The region and its eight neighbours, as in the paper; may occasionally miss a nearer point.
    Near,
}

/// How heights are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescale {
    /// Only by the density of points, the same everywhere: distances are in units of a region's side over
    /// the square root of its number of points. Patches meet.
    World,
    /// So that this map's minimum height is 0 and its maximum 1, as in the paper. Patches do not meet.
    Map,
}

/// Parameters of [`voronoi`](super::voronoi()).
#[derive(Clone, Debug, PartialEq)]
pub struct Voronoi {
    /// Number of regions along the map's columns.
    pub regions: u32,
    /// The side of a region in world units. Default: the map's width over `regions`. Not used with `wrap`.
    pub side: Option<f64>,
    /// Number of feature points in a region.
    pub points_per_region: u32,
    /// Factors of the nearest, second nearest, … distance: 1 to [`MAX_ORDER`].
    pub coefficients: Vec<f32>,
    /// How distance is measured.
    pub metric: Metric,
    /// How far points are searched.
    pub search: Search,
    /// Whether the map tiles with itself.
    pub wrap: bool,
    /// How heights are scaled.
    pub rescale: Rescale,
}
