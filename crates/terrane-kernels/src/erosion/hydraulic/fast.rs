//! The fast scheme: water flows only to the lowest neighbour (Olsen 2004, p. 10). Samples change in place, in
//! index order.
//!
//! Water always holds as much sediment as it can. Sediment is therefore a fixed share of the water and needs
//! no map. Rain dissolves this share of ground, flow carries it along, and evaporation deposits it.

use fearless_simd::prelude::*;
use terrane_grid::Grid;

use super::flow::Flow;
use super::parameters::Hydraulic;
use crate::Cancelled;
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::scan::{Scan, Visit};
use crate::simd::lesser;

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
    fn before<S: Simd>(&self, _: S, [ground, water]: [S::f32s; 2]) -> [S::f32s; 2] {
        [ground - self.rain * self.share, water + self.rain]
    }

    #[inline(always)]
    fn level<S: Simd>(&self, _: S, [ground, water]: [S::f32s; 2]) -> S::f32s {
        ground + water
    }

    /// The amount of water that levels the sample and its lowest neighbour, or all of the sample's water if
    /// there is less.
    #[inline(always)]
    fn amount<S: Simd>(&self, simd: S, [_, water]: [S::f32s; 2], greatest: S::f32s) -> S::f32s {
        let zero = S::f32s::splat(simd, 0.0);
        greatest.simd_gt(zero).select(lesser(simd, greatest * 0.5, water), zero)
    }

    #[inline(always)]
    fn after<S: Simd>(&self, _: S, [ground, water]: [S::f32s; 2], given: S::f32s) -> [S::f32s; 2] {
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
