//! The ground of a route search: heights, cost factors and forbidden samples.

use terrane_grid::Heightmap;

use super::straight::{Frame, Place};

/// A part of the terrain, and of the maps that belong to it.
#[derive(Clone, Copy)]
pub struct Terrain<'a> {
    pub heights: &'a Heightmap,
    /// Factors of the cost of steps.
    pub cost_map: Option<&'a Heightmap>,
    /// Samples above 0.5 or NaN are forbidden.
    pub forbidden: Option<&'a Heightmap>,
    /// The part, in samples of the whole.
    pub frame: Frame,
    least: f64,
}

/// A sample of a cost map that is not a valid factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadFactor {
    /// The sample.
    pub at: usize,
    /// Its value.
    pub factor: f32,
}

impl<'a> Terrain<'a> {
    /// The terrain of maps that have the same size.
    pub fn new(
        heights: &'a Heightmap,
        cost_map: Option<&'a Heightmap>,
        forbidden: Option<&'a Heightmap>,
        frame: Frame,
    ) -> Result<Self, BadFactor> {
        let mut least = f64::from(if cost_map.is_some() { f32::MAX } else { 1.0 });
        for (at, &factor) in cost_map.iter().flat_map(|map| map.samples()).enumerate() {
            if !(factor > 0.0 && factor.is_finite()) {
                return Err(BadFactor { at, factor });
            }
            least = least.min(f64::from(factor));
        }
        Ok(Self { heights, cost_map, forbidden, frame, least })
    }

    /// Columns and rows of the part.
    pub fn size(&self) -> (usize, usize) {
        let Frame { low, high } = self.frame;
        ((high.0 - low.0 + 1).max(0) as usize, (high.1 - low.1 + 1).max(0) as usize)
    }

    pub fn spacing(&self) -> f64 {
        self.heights.spacing()
    }

    /// The minimum cost factor.
    pub const fn least(&self) -> f64 {
        self.least
    }

    /// The index in the whole of a sample of the part.
    #[inline]
    fn index(&self, x: usize, y: usize) -> usize {
        (y + self.frame.low.1 as usize) * self.heights.width() + x + self.frame.low.0 as usize
    }

    /// A sample's height.
    #[inline]
    pub fn height(&self, x: usize, y: usize) -> f32 {
        self.heights.samples()[self.index(x, y)]
    }

    /// A sample's height, NaN where routes cannot cross.
    #[inline]
    pub fn crossed(&self, x: usize, y: usize) -> f32 {
        let at = self.index(x, y);
        let height = self.heights.samples()[at];
        let free = height.is_finite() && !self.forbidden.is_some_and(|mask| is_forbidden(mask.samples()[at]));
        if free { height } else { f32::NAN }
    }

    /// A sample's cost factor.
    #[inline]
    pub fn factor(&self, x: usize, y: usize) -> f32 {
        self.cost_map.map_or(1.0, |map| map.samples()[self.index(x, y)])
    }

    /// Whether the whole terrain has a sample there that is forbidden.
    pub fn forbids(&self, (x, y): Place) -> bool {
        let (width, height) = self.heights.domain().size;
        let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        inside
            && self
                .forbidden
                .is_some_and(|mask| is_forbidden(mask.samples()[y as usize * width + x as usize]))
    }
}

/// Whether a mask's value forbids.
#[inline]
fn is_forbidden(mask: f32) -> bool {
    mask > 0.5 || mask.is_nan()
}
