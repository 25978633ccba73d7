//! Parameters of fluvial erosion.

use terrane_grid::Heightmap;

use super::super::border::{Border, Sides};
use crate::{Boundary, ScalarMap};

/// How rivers' cuts of an iteration are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// From the outlets up, each tile against its receiver's new height: h + k_e·Dⁿ·((h − h_receiver) / d)ᵐ
    /// is the height before. It is stable on any slope. Flat ground drains to where it is left.
    Implicit,
    /// All tiles at once from the heights before the iteration, none below where its receiver was; what is
    /// flat drains nowhere: the paper's.
    Explicit,
}

/// Parameters of [`fluvial_erosion`](super::fluvial_erosion); names in brackets are the paper's.
#[derive(Clone, Copy, Debug)]
pub struct Fluvial<'a> {
    /// Heights that the land holds on to; the map at the start where there are none.
    pub ideal: Option<&'a Heightmap>,
    /// How strongly heights return to the ideal ones; brought into [0, 1], not-a-number counts as 0.
    pub value_strength: ScalarMap<'a>,
    /// How strongly differences of neighbours return to the ideal ones; brought into [0, 1] as well.
    pub gradient_strength: ScalarMap<'a>,
    /// What gorges that were cut before have left of `gradient_strength`; brought into [0, 1] as well. 1
    /// everywhere but where an erosion goes on.
    pub hold: ScalarMap<'a>,
    /// Rain on each tile; less than 0, and not-a-number, count as 0.
    pub moisture: ScalarMap<'a>,
    /// Factor of erosion (k_e), in tile sides an iteration; less than 0, and not-a-number, count as 0.
    pub erosion: ScalarMap<'a>,
    /// Greatest slope that an iteration leaves, rise over run, towards each of eight neighbours.
    pub talus: Option<ScalarMap<'a>>,
    /// Samples above 0.5 are outlets besides the border's: water leaves there, and they keep their heights.
    pub outlets: Option<&'a Heightmap>,
    /// Iterations.
    pub iterations: u32,
    /// How rivers' cuts are found.
    pub solver: Solver,
    /// Height below which tiles are under water.
    pub sea_level: f32,
    /// Share of the water that goes on from tile to tile (k_d).
    pub drainage_loss: f32,
    /// Exponent of drainage (n).
    pub drainage_exponent: f32,
    /// Exponent of slope (m).
    pub slope_exponent: f32,
    /// Strength of gorges over the root of drainage (k_g).
    pub gorge: f32,
    /// Whether water also runs to the four neighbours on diagonals; the paper's does not.
    pub diagonals: bool,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    pub jitter: f32,
    /// Greatest height that is added to the ideal heights at random, or taken from them, in tile sides; where
    /// there are iterations.
    pub noise: f32,
    /// The same as a share of the mean difference from a tile to its four neighbours.
    pub unevenness: f32,
    /// What the sides of an open map are.
    pub border: Sides<Border>,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Fluvial<'_> {
    /// How many neighbours water can run to: 4, or 8 with diagonals.
    pub const fn ways(&self) -> usize {
        if self.diagonals { 8 } else { 4 }
    }
}

/// Brought into [0, 1]; not-a-number becomes 0.
pub fn share(strength: f32) -> f32 {
    if strength > 0.0 { strength.min(1.0) } else { 0.0 }
}
