//! The fast scheme: in place, in index order, water to the lowest neighbour alone (Olsen 2004, p. 10).
//!
//! Water always holds as much sediment as it can, so sediment is a part of the water and needs no map: what
//! falls dissolves its share, what evaporates leaves it, what flows takes it along.

use terrane_grid::Grid;

use super::flow::Flow;
use super::parameters::Hydraulic;
use crate::Cancelled;
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::scan::{Scan, Visit};
use crate::simd::Floats;

/// One sample's rain, flow and evaporation. Layers: ground, water.
#[derive(Clone, Copy)]
struct Pour {
    rain: f32,
    evaporation: f32,
    /// Sediment over water.
    share: f32,
    /// Whether evaporation takes its share of what was there before water flowed off, as the program behind
    /// the paper's figures does: more than is left, sometimes, so that water falls below zero and draws some
    /// up from the lowest neighbour.
    published: bool,
}

impl Visit<2> for Pour {
    const MOVES: usize = 1;
    const SETTLES: bool = false;

    #[inline(always)]
    fn before<F: Floats>(&self, [ground, water]: [F; 2]) -> [F; 2] {
        [ground - F::splat(self.rain * self.share), water + F::splat(self.rain)]
    }

    #[inline(always)]
    fn level<F: Floats>(&self, [ground, water]: [F; 2]) -> F {
        ground + water
    }

    /// What levels both, or all there is.
    #[inline(always)]
    fn amount<F: Floats>(&self, [_, water]: [F; 2], greatest: F) -> F {
        let zero = F::splat(0.0);
        let half = greatest * F::splat(0.5);
        F::select(greatest.above(zero), half.lesser(water), zero)
    }

    #[inline(always)]
    fn after<F: Floats>(&self, [ground, water]: [F; 2], given: F) -> [F; 2] {
        let wet = if self.published { water + given } else { water };
        let gone = wet * F::splat(self.evaporation);
        [ground + gone * F::splat(self.share), water - gone]
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
