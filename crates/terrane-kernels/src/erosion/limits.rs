//! Height differences above which material slides.

use terrane_grid::{Grid, Heightmap};

use crate::ScalarMap;

/// The distance between neighbours from which slopes are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Distance {
    /// One spacing, as in the paper. A cone turns into a square pyramid over time.
    Steps,
    /// The true distance, √2 spacings.
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

/// The height difference per spacing above which material slides: the talus times the spacing.
pub enum Limits {
    Same(f32),
    Each(Grid<f32>),
}

impl Limits {
    /// The limits for `part` of a talus. Negative values count as 0, NaN as unlimited.
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

    /// The limit of a sample.
    pub fn at(&self, position: (usize, usize)) -> f32 {
        match self {
            Self::Same(limit) => *limit,
            Self::Each(limits) => limits[position],
        }
    }
}
