//! Parameters of midpoint displacement, and of the changes to its heights.

use crate::ScalarMap;

/// How offsets are distributed inside their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Distribution {
    /// Every offset is equally likely.
    Uniform,
    /// A bell curve, truncated to the range.
    ///
    /// The sum of four uniform numbers, with half the standard deviation of `Uniform`.
    Gaussian,
}

/// What happens at the map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Boundary {
    /// The map tiles with itself. Columns and rows must be whole numbers of starting cells.
    ///
    /// The last column meets the first, and the last row the first.
    Wrap,
    /// Midpoints on the border have three neighbours. Any size is allowed.
    ///
    /// A midpoint on the border is the mean of the neighbours that exist.
    Open,
    /// Each border is computed only from lattice points on it, so that neighbouring patches share it to
    /// the bit. Columns and rows must be whole numbers of starting cells, plus one.
    ///
    /// A midpoint on the border is the mean of its two neighbours on that border.
    Seamless,
}

/// Parameters of [`midpoint_displacement`](super::midpoint_displacement).
#[derive(Clone, Debug, PartialEq)]
pub struct Midpoint<'a> {
    /// Range of a level's offsets relative to the previous level's.
    pub persistence: f32,
    /// Factor on the range of each offset. A map's factor is read at the offset point; points beyond the
    /// map use the nearest sample. Not-a-number counts as 0.
    pub roughness: ScalarMap<'a>,
    /// How offsets are distributed.
    pub distribution: Distribution,
    /// Whether offsets grow with the local mean height, which keeps low ground smooth.
    pub smoothed: bool,
    /// What happens at the border.
    pub boundary: Boundary,
    /// Number of starting points per side: 2 means the four corners. With `Wrap`, the number of starting
    /// cells per side.
    pub lattice: u32,
}

impl Default for Midpoint<'_> {
    /// Rough hills in maps of any size.
    fn default() -> Self {
        Self {
            persistence: 0.5,
            roughness: ScalarMap::Constant(1.0),
            distribution: Distribution::Uniform,
            smoothed: false,
            boundary: Boundary::Open,
            lattice: 3,
        }
    }
}

/// Changes to the heights of [`midpoint_displacement`](super::midpoint_displacement), which lie roughly in
/// [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Factor applied to heights.
    pub amplitude: f64,
    /// Added to heights.
    pub offset: f64,
    /// Heights of the map's corners: top left, top right, bottom left, bottom right.
    pub corners: Option<[f64; 4]>,
    /// Heights to pass through: world x, world y, height.
    pub points: Vec<(f64, f64, f64)>,
}

impl Default for Heights {
    /// Heights as they are.
    fn default() -> Self {
        Self { amplitude: 1.0, offset: 0.0, corners: None, points: Vec::new() }
    }
}
