//! Schemes that move water and sediment.

use terrane_grid::Grid;

use crate::erosion::iterate::Iterate;

/// A scheme with water and sediment.
pub trait Flow: Iterate {
    /// The scheme as an [`Iterate`].
    fn as_iterate(&mut self) -> &mut dyn Iterate;

    /// Current water and sediment.
    fn carried(&self) -> [Grid<f32>; 2];
}
