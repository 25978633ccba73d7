//! Parameters of cellular terrain: distances, the search for points, and scaling of heights.

/// Maximum number of coefficients.
pub const MAX_ORDER: usize = 8;

/// How distance is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Metric {
    /// Euclidean distance.
    ///
    /// √(dx² + dy²).
    Euclidean,
    /// Squared Euclidean distance: the same cells with different profiles, and faster.
    ///
    /// dx² + dy².
    Squared,
    /// Manhattan distance: the sum of the distances along the axes.
    ///
    /// |dx| + |dy|.
    Manhattan,
    /// Chebyshev distance: the larger of the distances along the axes.
    ///
    /// max(|dx|, |dy|).
    Chebyshev,
}

/// How far feature points are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Search {
    /// Far enough never to miss one.
    Exact,
    /// Only in the sample's region and its eight neighbours, as in the paper. This occasionally misses a
    /// nearer point.
    Near,
}

/// How heights are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Rescale {
    /// By the density of feature points alone, so that patches meet.
    ///
    /// Distances are in units of a region's side over the square root of its number of points.
    World,
    /// To [0, 1] over this map, as in the paper; patches do not meet.
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

impl Default for Voronoi {
    /// Mountains between valleys, eight regions along the map.
    fn default() -> Self {
        Self {
            regions: 8,
            side: None,
            points_per_region: 1,
            coefficients: vec![-1.0, 1.0],
            metric: Metric::Euclidean,
            search: Search::Exact,
            wrap: false,
            rescale: Rescale::World,
        }
    }
}
