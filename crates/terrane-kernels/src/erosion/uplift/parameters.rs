//! How mountains rise and rivers cut: rates, exponents, and what sides are.

use terrane_grid::Heightmap;

use crate::erosion::border::Sides;
use crate::{Boundary, ScalarMap};

/// What a side of an open map is to rising ground. Where two sides meet, in a corner, the one that comes
/// later in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A wall: water cannot leave.
    Wall,
    /// Water leaves, and the border keeps the heights that it has at the start; where there is no start, the
    /// sea's.
    Fixed,
    /// The sea, at its level.
    Sea,
}

/// Parameters of [`uplift_erosion`](super::uplift_erosion).
#[derive(Clone, Copy, Debug)]
pub struct Uplift<'a> {
    /// How fast the ground rises, in world units a unit of time.
    pub uplift: ScalarMap<'a>,
    /// Steps.
    pub iterations: u32,
    /// Units of time a step.
    pub time_step: f64,
    /// Erodibility, the paper's k.
    pub erodibility: f64,
    /// Exponent of the drained area, the paper's m.
    pub area_exponent: f32,
    /// Exponent of slope, the paper's n; greater than 0.
    pub slope_exponent: f32,
    /// Whether lakes run over.
    pub lakes: bool,
    /// Slope, rise over run, that the ground cannot exceed towards where it drains.
    pub talus: Option<ScalarMap<'a>>,
    /// Samples above 0.5 are outlets besides the border's: water leaves there, and they keep their heights.
    pub outlets: Option<&'a Heightmap>,
    /// Height of the sea.
    pub sea_level: f32,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    pub jitter: f32,
    /// What the sides of an open map are.
    pub border: Sides<Base>,
    /// What lies beyond the border. Where water leaves nowhere, as on a torus without outlets, it ends in the
    /// lowest sample, which stays at sea level.
    pub boundary: Boundary,
}
