//! The fast scheme: water flows only to the lowest neighbour (Olsen 2004, p. 10). Samples change in place, in
//! index order.
//!
//! Water always holds as much sediment as it can. Sediment is therefore a fixed share of the water and needs
//! no map. Rain dissolves this share of ground, flow carries it along, and evaporation deposits it.

use terrane_grid::Grid;

use super::flow::Flow;
use super::parameters::Hydraulic;
use crate::Cancelled;
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::scan::{Scan, Visit};
use crate::simd::Floats;

/// Rain, flow and evaporation at one sample. Layers: ground, water.
#[derive(Clone, Copy)]
struct Pour {
    rain: f32,
    evaporation: f32,
    /// The ratio of sediment to water.
    share: f32,
    /// Whether evaporation is computed from the water before it flowed off, as in the program that made the
    /// paper's figures. Evaporation can then exceed the remaining water. The water becomes negative and draws
    /// water up from the lowest neighbour.
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

    /// The amount of water that levels the sample and its lowest neighbour, or all of the sample's water if
    /// there is less.
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
        // In the published program, water dissolves as much ground as there is water.
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
