//! Parameters of uplift: rates, exponents and borders.

use terrane_grid::Heightmap;

use crate::erosion::border::Sides;
use crate::{Boundary, ScalarMap};

/// The kind of a side of an open map. In a corner, where two sides meet, the later variant in this list
/// applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A wall: water cannot leave.
    Wall,
    /// Water leaves, and the border keeps its initial heights, or is at sea level if there is no start map.
    Fixed,
    /// Water leaves into the sea: the border is at sea level.
    Sea,
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
    /// Erodibility, the paper's k.
    pub erodibility: f64,
    /// Exponent of the drainage area, the paper's m.
    pub area_exponent: f32,
    /// Exponent of slope, the paper's n; greater than 0.
    pub slope_exponent: f32,
    /// Whether lakes overflow.
    pub lakes: bool,
    /// Slope, rise over run, that the ground cannot exceed towards its receiver.
    pub talus: Option<ScalarMap<'a>>,
    /// Samples above 0.5 are outlets in addition to the border's: water leaves there, and they keep their
    /// heights.
    pub outlets: Option<&'a Heightmap>,
    /// Height of the sea.
    pub sea_level: f32,
    /// How far nodes may lie from the centres of their tiles: with 0 at the centre, with 1 anywhere in the
    /// tile.
    pub jitter: f32,
    /// The kinds of the sides of an open map.
    pub border: Sides<Base>,
    /// What lies beyond the border. If water leaves nowhere, as on a torus without outlets, it ends in the
    /// lowest sample, which stays at sea level.
    pub boundary: Boundary,
}
