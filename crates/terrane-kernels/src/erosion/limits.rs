//! Differences of height at which material slides.

use terrane_grid::{Grid, Heightmap};

use crate::ScalarMap;

/// How far neighbours are apart where a slope is compared with the talus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// One spacing, on a diagonal too: the paper's. A cone becomes a square pyramid in time.
    Steps,
    /// On a diagonal √2 of them.
    True,
}

impl Distance {
    /// One over the distance to a neighbour, in spacings.
    #[inline(always)]
    pub const fn inverse(self, (dx, dy): (isize, isize)) -> f32 {
        match self {
            Self::True if dx != 0 && dy != 0 => std::f32::consts::FRAC_1_SQRT_2,
            _ => 1.0,
        }
    }
}

/// The difference a spacing above which material slides, talus times the spacing: one, or one per sample.
pub enum Limits {
    Same(f32),
    Each(Grid<f32>),
}

impl Limits {
    /// `part` of a talus. Below 0 counts as 0, not-a-number as any slope.
    pub fn new(talus: ScalarMap<'_>, map: &Heightmap, part: f32) -> Self {
        let of = |talus: f32| {
            let limit = (f64::from(talus) * map.spacing()) as f32 * part;
            if limit.is_nan() { f32::MAX } else { limit.max(0.0) }
        };
        match talus {
            ScalarMap::Constant(talus) => Self::Same(of(talus)),
            ScalarMap::Map(talus) => Self::Each(talus.grid().map(|&talus| of(talus))),
        }
    }

    /// That of a sample.
    pub fn at(&self, place: (usize, usize)) -> f32 {
        match self {
            Self::Same(limit) => *limit,
            Self::Each(limits) => limits[place],
        }
    }
}
