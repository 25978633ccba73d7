//! What schemes have that move water and sediment.

use terrane_grid::Grid;

use crate::erosion::iterate::Iterate;

/// A scheme that also has water and sediment.
pub trait Flow: Iterate {
    /// As what all schemes are.
    fn as_iterate(&mut self) -> &mut dyn Iterate;

    /// Water and sediment as they are now.
    fn carried(&self) -> [Grid<f32>; 2];
}
