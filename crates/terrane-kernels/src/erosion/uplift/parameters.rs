//! Parameters of uplift: rates, exponents and borders.

use terrane_grid::Heightmap;

use crate::erosion::border::Sides;
use crate::{Boundary, ScalarMap};

/// The kind of a side of an open map. In a corner, where two sides meet, the later variant in this list
/// applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Base {
    /// A wall: water cannot leave.
    Wall,
    /// Water leaves, and heights on this side do not change. Without an input `height`, they are at sea
    /// level.
    Fixed,
    /// The sea, at `sea_level`, as in the paper.
    Sea,
}

/// Which of its eight neighbours a sample drains to. If several are equal, the first counts; with `Steepest`
/// and without jitter, the sample's place in the world decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Routing {
    /// The one with the steepest descent.
    Steepest,
    /// The lowest, as in the paper. It is on a diagonal more often than not, so valleys tend to run along
    /// diagonals.
    Lowest,
}

/// Parameters of [`uplift_erosion`](super::uplift_erosion).
#[derive(Clone, Copy, Debug)]
pub struct Uplift<'a> {
    /// How fast the ground rises, in world units per unit of time.
    pub uplift: ScalarMap<'a>,
    /// Steps.
    pub iterations: u32,
    /// Units of time per step.
    pub time_step: f64,
    /// Erodibility: the paper's k. Values below 0 count as 0.
    pub erodibility: ScalarMap<'a>,
    /// Factor on the area of each sample in drainage areas, such as its rain. Values below 0 count as 0.
    pub moisture: ScalarMap<'a>,
    /// Exponent of the drainage area: the paper's m.
    pub area_exponent: f32,
    /// Exponent of slope: the paper's n. It must be greater than 0.
    pub slope_exponent: f32,
    /// Width of the smallest valleys, in world units. At smaller spacings a river also erodes the ground
    /// within this distance. Default: the spacing.
    pub valley_width: Option<f64>,
    /// Dimensionless coefficient of deposition by rivers, G of Yuan et al. (2019). With 0, rivers carry
    /// everything that they erode out of the map.
    pub deposition: f64,
    /// Diffusivity of hillslopes, in square world units per unit of time. Values below 0 count as 0.
    pub diffusivity: ScalarMap<'a>,
    /// Whether lakes overflow.
    pub lakes: bool,
    /// Whether hollows are removed from the ground at the start, unless the start has a floor, which
    /// continues another run. Channels may leave through fixed sides.
    pub drain: bool,
    /// Which neighbour a sample drains to.
    pub routing: Routing,
    /// Maximum slope (rise over run); none for no limit.
    pub talus: Option<ScalarMap<'a>>,
    /// A mask of outlets, in addition to those on the border. Where the mask exceeds 0.5, water leaves the
    /// map and heights do not change.
    pub outlets: Option<&'a Heightmap>,
    /// Height of the sea.
    pub sea_level: f32,
    /// How far a tile's node may lie from the tile's centre: with 0 it lies at the centre, with 1 anywhere in
    /// the tile.
    pub jitter: f32,
    /// The kinds of the sides of an open map.
    pub border: Sides<Base>,
    /// What lies beyond the border. If water leaves nowhere, as on a torus without outlets, it ends in the
    /// sample that is lowest at the start, which keeps its height.
    pub boundary: Boundary,
}

impl Default for Uplift<'_> {
    /// The paper's rate of uplift, for maps of its size, 50 km: on smaller maps uplift in proportion is
    /// better.
    fn default() -> Self {
        Self {
            uplift: ScalarMap::Constant(0.0005),
            iterations: 150,
            time_step: 250_000.0,
            erodibility: ScalarMap::Constant(1.0e-6),
            moisture: ScalarMap::Constant(1.0),
            area_exponent: 0.5,
            slope_exponent: 1.0,
            valley_width: None,
            deposition: 0.0,
            diffusivity: ScalarMap::Constant(0.0),
            lakes: true,
            drain: false,
            routing: Routing::Steepest,
            talus: Some(ScalarMap::Constant(1.0)),
            outlets: None,
            sea_level: 0.0,
            jitter: 1.0,
            border: Sides::all(Base::Fixed),
            boundary: Boundary::Open,
        }
    }
}
