//! The fast scheme: in place, in index order, water to the lowest neighbour alone (Olsen 2004, p. 10).
//!
//! Water always holds as much sediment as it can, so sediment is a part of the water and needs no map: what falls dissolves
//! its share, what evaporates leaves it, what flows takes it along.

use terrane_grid::Grid;

use super::{Flow, Hydraulic};
use crate::Cancelled;
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::scan::{Scan, Visit};

/// One sample's rain, flow and evaporation. Layers: ground, water.
#[derive(Clone, Copy)]
struct Pour {
    rain: f32,
    evaporation: f32,
    /// Sediment over water.
    share: f32,
    /// Whether evaporation takes its share of what was there before water flowed off, as the program behind the paper's figures
    /// does: more than is left, sometimes, so that water falls below zero and draws some up from the lowest neighbour.
    published: bool,
}

impl Visit<2> for Pour {
    const MOVES: usize = 1;
    const SETTLES: bool = false;

    #[inline(always)]
    fn before(&self, [ground, water]: [f32; 2]) -> [f32; 2] {
        [ground - self.rain * self.share, water + self.rain]
    }

    #[inline(always)]
    fn level(&self, [ground, water]: [f32; 2]) -> f32 {
        ground + water
    }

    /// What levels both, or all there is.
    #[inline(always)]
    fn amount(&self, [_, water]: [f32; 2], greatest: f32) -> f32 {
        let half = greatest * 0.5;
        let flows = if half < water { half } else { water };
        if greatest > 0.0 { flows } else { 0.0 }
    }

    #[inline(always)]
    fn after(&self, [ground, water]: [f32; 2], given: f32) -> [f32; 2] {
        let wet = if self.published { water + given } else { water };
        let gone = wet * self.evaporation;
        [ground + gone * self.share, water - gone]
    }
}

pub struct Fast {
    scan: Scan<Pour, 2>,
    share: f32,
}

impl Fast {
    pub fn new(map: &Grid<f32>, parameters: &Hydraulic) -> Self {
        let Hydraulic { rain, evaporation, capacity, scheme, boundary, .. } = *parameters;
        let published = scheme.published();
        // The program's water dissolves as much ground as there is of it.
        let share = if published { 1.0 } else { capacity };
        let pour = Pour { rain, evaporation, share, published };
        let scan = Scan::new([map], (boundary, scheme.visited()), Neighbourhood::VonNeumann, pour);
        Self { scan, share }
    }
}

impl Iterate for Fast {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        self.scan.advance(iterations, report)
    }

    fn grid(&self) -> Grid<f32> {
        self.scan.grid(0)
    }
}

impl Flow for Fast {
    fn as_iterate(&mut self) -> &mut dyn Iterate {
        self
    }

    fn carried(&self) -> [Grid<f32>; 2] {
        let water = self.scan.grid(1);
        let sediment = water.map(|&water| water * self.share);
        [water, sediment]
    }
}
