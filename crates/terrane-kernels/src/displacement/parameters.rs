//! How midpoint displacement is done, and what becomes of its heights.

use crate::ScalarMap;

/// How offsets are distributed inside their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Every offset in the range is as likely.
    Uniform,
    /// The sum of four uniform numbers: a bell that ends where the range does, a quarter as wide at one
    /// deviation.
    Gaussian,
}

/// What happens at the map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// The last column meets the first, the last row the first: the map tiles with itself.
    Wrap,
    /// A midpoint on the border is the mean of the three neighbours that exist.
    Open,
    /// A midpoint on the border is the mean of its two neighbours on that border: patches that share a border
    /// share it to the bit.
    Seamless,
}

/// Parameters of [`midpoint_displacement`](super::midpoint_displacement).
#[derive(Clone, Debug, PartialEq)]
pub struct Midpoint<'a> {
    /// Range of offsets at a level over that of the one before.
    pub persistence: f32,
    /// Factor on the range of each offset, at the point that is offset: of the map's samples, where points
    /// beyond the map have that of the nearest. Not-a-number counts as 0.
    pub roughness: ScalarMap<'a>,
    /// How offsets are distributed.
    pub distribution: Distribution,
    /// Whether offsets grow with the local mean height, which keeps low ground smooth.
    pub smoothed: bool,
    /// What happens at the border.
    pub boundary: Boundary,
    /// Starting points a side: 2 are the four corners. With `Wrap`, starting cells a side.
    pub lattice: u32,
}

/// What becomes of the heights of [`midpoint_displacement`](super::midpoint_displacement), which lie about
/// [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Factor on heights.
    pub amplitude: f64,
    /// Added to heights.
    pub offset: f64,
    /// Heights of the map's corners: top left, top right, bottom left, bottom right.
    pub corners: Option<[f64; 4]>,
    /// Heights to pass through: world x, world y, height.
    pub points: Vec<(f64, f64, f64)>,
}
