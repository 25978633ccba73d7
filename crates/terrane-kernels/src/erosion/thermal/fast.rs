//! The Fast scheme: in place, in index order, all to the lowest neighbour, half the difference (Olsen 2004, p. 6).

use terrane_grid::Grid;

use super::{Iterate, Thermal};
use crate::Cancelled;
use crate::erosion::scan::{Scan, Slide};

/// Half the difference, where it exceeds the limit.
#[derive(Clone, Copy)]
struct Half {
    limit: f32,
}

impl Slide for Half {
    #[inline(always)]
    fn amount(&self, greatest: f32) -> f32 {
        if greatest > self.limit { greatest * 0.5 } else { 0.0 }
    }
}

pub struct Fast(Scan<Half>);

impl Fast {
    pub fn new(map: &Grid<f32>, parameters: &Thermal, limit: f32) -> Self {
        Self(Scan::new(map, parameters.boundary, parameters.neighbourhood, Half { limit }))
    }
}

impl Iterate for Fast {
    fn advance(
        &mut self,
        iterations: u32,
        report: &dyn Fn(f64) -> Result<(), Cancelled>,
    ) -> Result<bool, Cancelled> {
        self.0.advance(iterations, report)
    }

    fn grid(&self) -> Grid<f32> {
        self.0.grid()
    }
}
