//! In-place erosion of the ground alone: part of the difference to the lowest neighbour slides, depending on
//! the slope.

use fearless_simd::prelude::*;
use terrane_grid::{Grid, Heightmap};

use super::iterate::{Iterate, Report};
use super::limits::{Distance, Limits};
use super::scan::{Scan, Visit};
use super::{Neighbourhood, Visited};
use crate::{Boundary, Cancelled};

/// The slopes on which material slides.
#[derive(Clone, Copy)]
pub enum SlideOn {
    /// Where the lowest neighbour is lower by more than the limit.
    Steep,
    /// Where the lowest neighbour is lower by at most the limit.
    Gentle,
}

/// The part of the difference that slides, and the slopes on which it slides. `TRUE` selects true distances.
#[derive(Clone, Copy)]
struct Slide<const TRUE: bool> {
    /// The limit, if it is the same everywhere.
    limit: f32,
    part: f32,
    on: SlideOn,
}

impl<const TRUE: bool> Slide<TRUE> {
    #[inline(always)]
    fn sliding<S: Simd>(&self, simd: S, limit: S::f32s, greatest: S::f32s) -> S::f32s {
        let slides = match self.on {
            SlideOn::Steep => greatest.simd_gt(limit),
            SlideOn::Gentle => limit.simd_ge(greatest),
        };
        slides.select(greatest * self.part, S::f32s::splat(simd, 0.0))
    }

    #[inline(always)]
    fn scale(offset: (isize, isize)) -> f32 {
        if TRUE { Distance::True.inverse(offset) } else { 1.0 }
    }
}

impl<const TRUE: bool> Visit<1> for Slide<TRUE> {
    const SCALES: bool = TRUE;

    #[inline(always)]
    fn scale(&self, offset: (isize, isize)) -> f32 {
        Self::scale(offset)
    }

    #[inline(always)]
    fn level<S: Simd>(&self, _: S, [height]: [S::f32s; 1]) -> S::f32s {
        height
    }

    #[inline(always)]
    fn amount<S: Simd>(&self, simd: S, _: [S::f32s; 1], greatest: S::f32s) -> S::f32s {
        self.sliding(simd, S::f32s::splat(simd, self.limit), greatest)
    }
}

/// Visits with each sample's limit as a second layer.
impl<const TRUE: bool> Visit<2> for Slide<TRUE> {
    const SCALES: bool = TRUE;

    #[inline(always)]
    fn scale(&self, offset: (isize, isize)) -> f32 {
        Self::scale(offset)
    }

    #[inline(always)]
    fn level<S: Simd>(&self, _: S, [height, _]: [S::f32s; 2]) -> S::f32s {
        height
    }

    #[inline(always)]
    fn amount<S: Simd>(&self, simd: S, [_, limit]: [S::f32s; 2], greatest: S::f32s) -> S::f32s {
        self.sliding(simd, limit, greatest)
    }
}

/// The rules by which a map slides.
pub struct Sliding<'a> {
    pub neighbourhood: Neighbourhood,
    pub boundary: Boundary,
    pub visited: Visited,
    pub distance: Distance,
    pub limits: &'a Limits,
    /// The part of the difference that slides. With true distances, this is the difference per spacing.
    pub part: f32,
    pub on: SlideOn,
}

impl Sliding<'_> {
    /// The scheme for a map.
    pub fn of(&self, map: &Heightmap) -> Box<dyn Iterate> {
        match self.distance {
            Distance::Steps => self.scheme::<false>(map),
            Distance::True => self.scheme::<true>(map),
        }
    }

    fn scheme<const TRUE: bool>(&self, map: &Heightmap) -> Box<dyn Iterate> {
        let &Self { neighbourhood, part, on, .. } = self;
        let border = (self.boundary, self.visited);
        let slide = |limit| Slide::<TRUE> { limit, part, on };
        match self.limits {
            Limits::Same(limit) => {
                Box::new(SlidingMap::<TRUE, 1>(Scan::new([map.grid()], border, neighbourhood, slide(*limit))))
            }
            Limits::Each(limits) => {
                let layers = [map.grid(), limits];
                Box::new(SlidingMap::<TRUE, 2>(Scan::new(layers, border, neighbourhood, slide(0.0))))
            }
        }
    }
}

/// A map that slides.
struct SlidingMap<const TRUE: bool, const K: usize>(Scan<Slide<TRUE>, K>);

impl<const TRUE: bool, const K: usize> Iterate for SlidingMap<TRUE, K>
where
    Slide<TRUE>: Visit<K>,
{
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        self.0.advance(iterations, report)
    }

    fn grid(&self) -> Grid<f32> {
        self.0.grid(0)
    }
}
