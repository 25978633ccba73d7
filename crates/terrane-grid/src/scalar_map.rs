//! A number, or one number per sample.

use crate::Heightmap;

/// A number that is the same everywhere, or one per sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarMap<'a> {
    /// The same everywhere.
    Constant(f32),
    /// One number per sample.
    Map(&'a Heightmap),
}

impl From<f32> for ScalarMap<'_> {
    fn from(value: f32) -> Self {
        Self::Constant(value)
    }
}

impl<'a> From<&'a Heightmap> for ScalarMap<'a> {
    fn from(map: &'a Heightmap) -> Self {
        Self::Map(map)
    }
}

impl ScalarMap<'_> {
    /// The value at a sample's index, row by row.
    ///
    /// # Panics
    /// When the map has no such sample.
    #[must_use]
    #[inline]
    pub fn at(&self, index: usize) -> f32 {
        match self {
            Self::Constant(value) => *value,
            Self::Map(map) => map.samples()[index],
        }
    }
}
