//! In-place erosion of the ground alone: half of the way down to the lowest neighbour, or a part of it, where the slope calls
//! for it.

use terrane_grid::Grid;

use super::Neighbourhood;
use super::iterate::{Iterate, Report};
use super::scan::{Scan, Visit};
use crate::{Boundary, Cancelled};

/// Where material slides.
#[derive(Clone, Copy)]
pub enum Where {
    /// Where the lowest neighbour lies further below than the limit: talus.
    Steep,
    /// Where it does not.
    Gentle,
}

/// Which part of the difference slides, and where.
#[derive(Clone, Copy)]
pub struct Slide {
    pub limit: f32,
    pub part: f32,
    pub place: Where,
}

impl Visit<1> for Slide {
    #[inline(always)]
    fn level(&self, [height]: [f32; 1]) -> f32 {
        height
    }

    #[inline(always)]
    fn amount(&self, _: [f32; 1], greatest: f32) -> f32 {
        let slides = match self.place {
            Where::Steep => greatest > self.limit,
            Where::Gentle => greatest <= self.limit,
        };
        if slides { greatest * self.part } else { 0.0 }
    }
}

/// A map that slides.
pub struct Sliding(Scan<Slide, 1>);

impl Sliding {
    pub fn new(map: &Grid<f32>, boundary: Boundary, neighbourhood: Neighbourhood, slide: Slide) -> Self {
        Self(Scan::new(map, boundary, neighbourhood, slide))
    }
}

impl Iterate for Sliding {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        self.0.advance(iterations, report)
    }

    fn grid(&self) -> Grid<f32> {
        self.0.grid(0)
    }
}
