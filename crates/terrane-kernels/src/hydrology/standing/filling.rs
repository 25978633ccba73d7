//! How lakes are filled.

use crate::Boundary;

/// Parameters of [`standing_water()`](super::standing_water()).
#[derive(Clone, Copy, Debug)]
pub struct LakeFilling {
    /// Samples below this height are sea, where all water ends. They are no lakes.
    pub sea_level: Option<f32>,
    /// What lies beyond the border. Over the border of an open map, water leaves. On a torus without a sea it
    /// leaves at the lowest sample.
    pub boundary: Boundary,
    /// The smallest area of a lake, in square world units. The ground of smaller ones counts as dry.
    pub least_area: f64,
    /// The smallest depth of a lake at its deepest sample.
    pub least_depth: f32,
}

impl Default for LakeFilling {
    /// All lakes of an open map without a sea.
    fn default() -> Self {
        Self { sea_level: None, boundary: Boundary::Open, least_area: 0.0, least_depth: 0.0 }
    }
}
