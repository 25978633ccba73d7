//! Samples of a map at every scale, provided part by part.

use crate::IoError;

/// A source of the samples of a pyramid.
///
/// Level 0 is the map. Each further level has every second sample of the one below, starting with the first,
/// in columns and in rows. Sample (x, y) of level `l` is thus sample (x · 2ˡ, y · 2ˡ) of the map, and each
/// side is half that of the level below, rounded up.
pub trait Levels {
    /// Columns and rows of level 0.
    fn size(&self) -> (usize, usize);

    /// The bytes of `size` columns and rows of a level, starting with the sample `first`: row by row, numbers
    /// in little-endian order, the channels of a sample side by side. Only samples on the map are requested.
    ///
    /// # Errors
    /// Any error that prevents reading; writing then fails with the same error.
    fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError>;
}

/// The type of a sample of [`Levels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CogSamples {
    /// Heights: one f32.
    Heights,
    /// Colours: red, green and blue, a byte each.
    Colours,
}

impl CogSamples {
    /// Bytes of one sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Heights => 4,
            Self::Colours => 3,
        }
    }
}
