//! Samples of a map at every scale, given part by part to whoever writes them.

use crate::IoError;

/// Where the samples of a pyramid come from.
///
/// Level 0 is the map. Each further level has every second sample of the one below, from the first, in
/// columns and in rows; so sample (x, y) of level `l` is sample (x · 2ˡ, y · 2ˡ) of the map, and a level has
/// half of what the one below has, rounded up.
pub trait Levels {
    /// Columns and rows of level 0.
    fn size(&self) -> (usize, usize);

    /// The bytes of so many columns and rows of a level, from the sample `first` on: row by row, each number
    /// little-endian, the channels of a sample side by side. Only what lies on the map is asked for.
    ///
    /// # Errors
    /// Whatever keeps the samples from being read; writing ends with the same error.
    fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError>;
}

/// What a sample of [`Levels`] is.
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
