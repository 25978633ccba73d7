//! Parameters of fluvial erosion.

use terrane_grid::Heightmap;

use super::super::border::{Border, Sides};
use crate::{Boundary, ScalarMap};

/// How the river cuts of an iteration are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Solver {
    /// Works upstream from the outlets. Each sample erodes against the new height of the sample that it
    /// drains to. Stable on any slope.
    ///
    /// A tile's new height h satisfies h + k_e·Dⁿ·((h − h_receiver) / d)ᵐ = the tile's old height. Here
    /// h_receiver is the receiver's new height, d the distance to the receiver, and D the tile's drainage;
    /// [`Fluvial`] explains k_e, n and m. Flat ground drains towards its exits.
    Implicit,
    /// Erodes all samples at once from the heights before the iteration, as in the paper. Leaves steps
    /// and comb patterns on slopes above 0.7.
    ///
    /// No tile is cut below its receiver's old height. Flat ground drains nowhere.
    Explicit,
}

/// Parameters of [`fluvial_erosion`](super::fluvial_erosion); symbols in brackets are the paper's.
#[derive(Clone, Copy, Debug)]
pub struct Fluvial<'a> {
    /// Ideal heights of the land. Default: the map at the start.
    pub ideal: Option<&'a Heightmap>,
    /// Strength with which heights return to the ideal ones; clamped to [0, 1], NaN counts as 0.
    pub value_strength: ScalarMap<'a>,
    /// Strength with which differences between neighbours return to the ideal ones; clamped likewise.
    pub gradient_strength: ScalarMap<'a>,
    /// The fraction of `gradient_strength` that remains after earlier gorges; clamped likewise. It is 1
    /// everywhere unless this erosion continues an earlier one.
    pub hold: ScalarMap<'a>,
    /// Rain on each tile; negative values and NaN count as 0.
    pub moisture: ScalarMap<'a>,
    /// Erosion factor (k_e), in tile sides per iteration; negative values and NaN count as 0.
    pub erosion: ScalarMap<'a>,
    /// Mean slope of the ideal ground within a few tiles above which the value constraint is stronger: at n
    /// times this slope as if it were applied n² times. The explicit scheme does without.
    pub held_slope: Option<f32>,
    /// Maximum slope (rise over run) towards each of the eight neighbours after an iteration. Default: no
    /// limit.
    pub talus: Option<ScalarMap<'a>>,
    /// A mask of outlets, in addition to those on the border. Where the mask exceeds 0.5, water leaves the
    /// map and heights do not change.
    pub outlets: Option<&'a Heightmap>,
    /// Width of the smallest valleys, in world units: the side of a tile in all other parameters, if the
    /// spacing is smaller. Default: the spacing.
    pub valley_width: Option<f64>,
    /// Iterations.
    pub iterations: u32,
    /// How river cuts are computed.
    pub solver: Solver,
    /// Height below which tiles are under water.
    pub sea_level: f32,
    /// Share of the water that continues from tile to tile (k_d).
    pub passed_on: f32,
    /// Exponent of drainage (n).
    pub drainage_exponent: f32,
    /// Exponent of slope (m).
    pub slope_exponent: f32,
    /// Strength of gorges (k_g). A gorge removes a share of the ground above its bed. The share is this
    /// strength times the square root of the basin's drainage, at most 1.
    pub gorge: f32,
    /// Whether water also runs to the four diagonal neighbours; in the paper it does not.
    pub diagonals: bool,
    /// How far a tile's node may lie from the tile's centre: with 0 it lies at the centre, with 1 anywhere in
    /// the tile.
    pub jitter: f32,
    /// Maximum random height that is added to the ideal heights, or subtracted from them, in tile sides.
    /// Without iterations no noise is added.
    pub noise: f32,
    /// Like `noise`, but as a share of the mean difference in height between a tile and its four neighbours.
    /// With `held_slope`, a difference counts as at most a tile's side.
    pub unevenness: f32,
    /// Whether all water leaves: hollows are removed from the ideal heights and from the land at the start,
    /// and no iteration makes new ones. This requires the implicit solver with diagonals.
    pub drain: bool,
    /// How water behaves at the sides of an open map.
    pub border: Sides<Border>,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Default for Fluvial<'_> {
    /// Valleys with gorges that keep the shape of the land.
    fn default() -> Self {
        Self {
            ideal: None,
            value_strength: ScalarMap::Constant(0.02),
            gradient_strength: ScalarMap::Constant(0.8),
            hold: ScalarMap::Constant(1.0),
            moisture: ScalarMap::Constant(1.0),
            erosion: ScalarMap::Constant(0.2),
            held_slope: Some(0.3),
            talus: None,
            outlets: None,
            valley_width: None,
            iterations: 100,
            solver: Solver::Implicit,
            sea_level: 0.0,
            passed_on: 0.68,
            drainage_exponent: 1.0,
            slope_exponent: 2.0,
            gorge: 0.05,
            diagonals: true,
            jitter: 0.5,
            noise: 0.0,
            unevenness: 0.1,
            drain: false,
            border: Sides::all(Border::Outflow),
            boundary: Boundary::Open,
        }
    }
}

impl Fluvial<'_> {
    /// The slope above which ground is held, if there is one; the explicit scheme has none.
    pub fn held(&self) -> Option<f32> {
        self.held_slope.filter(|_| self.solver == Solver::Implicit)
    }

    /// Number of neighbours that water can run to: 4, or 8 with diagonals.
    pub const fn ways(&self) -> usize {
        if self.diagonals { 8 } else { 4 }
    }
}

/// Clamps to [0, 1]; NaN becomes 0.
pub fn share(strength: f32) -> f32 {
    if strength > 0.0 { strength.min(1.0) } else { 0.0 }
}
