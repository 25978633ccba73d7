//! How cellular terrain is made: distances, how far points are looked for, and how heights are scaled.

/// The most coefficients.
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

/// How far feature points are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// As far as it takes never to miss one.
    Exact,
    /// The region and its eight neighbours, as in the paper; may miss a nearer point now and then.
    Near,
}

/// How heights are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescale {
    /// By the density of points alone, the same everywhere: distances are in units of a region's side times
    /// the root of its number of points. Patches meet.
    World,
    /// So that this map's least height is 0 and its greatest 1, as in the paper. Patches do not meet.
    Map,
}

/// Parameters of [`voronoi`](super::voronoi()).
#[derive(Clone, Debug, PartialEq)]
pub struct Voronoi {
    /// Regions along the map's columns.
    pub regions: u32,
    /// The side of a region in world units; without, the map's width over `regions`. What wraps has none.
    pub side: Option<f64>,
    /// Feature points in a region.
    pub points_per_region: u32,
    /// Factors of the nearest, second nearest, … distance: 1 to [`MAX_ORDER`].
    pub coefficients: Vec<f32>,
    /// How distance is measured.
    pub metric: Metric,
    /// How far points are looked for.
    pub search: Search,
    /// Whether the map tiles with itself.
    pub wrap: bool,
    /// How heights are scaled.
    pub rescale: Rescale,
}
