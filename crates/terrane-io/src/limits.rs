//! What a raster may take: bounds that are kept before memory is taken.

use crate::{Problem, ReadOptions, error::Outcome};

/// Bytes of a sample as a height.
const HEIGHT: u64 = 4;

/// Bytes of a sample when some are missing: the height, the mask, and the pyramid that fills, of two values
/// at each level and a quarter of the samples from one level to the next.
const FILLED: u64 = HEIGHT + 4 + 4;

/// The most samples for each byte of a file that may leave samples out, as a sparse TIFF does. What real
/// files reach: a picture of one bit in deflate 8,256 (1,032 bytes in one, of 8 samples each); a constant
/// elevation model in deflate 1,032 at most, in LZW 2,560; a sparse file without a single tile, which has 8
/// bytes of tables for each, 8,192 with tiles of 256 x 256 and 32,768 with tiles of 512 x 512.
pub(crate) const SPARSEST: u64 = 1 << 15;

/// How much a reader may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Samples.
    pub samples: u64,
    /// Bytes of memory.
    pub memory: u64,
}

impl Limits {
    pub(crate) fn of(options: &ReadOptions) -> Self {
        Self { samples: options.max_samples, memory: options.memory }
    }

    /// So many samples, whatever memory they take.
    pub(crate) fn samples(samples: u64) -> Self {
        Self { samples, memory: u64::MAX }
    }

    /// Columns and rows as sizes, when there is at least one sample and there are not too many.
    pub(crate) fn size(self, width: u64, height: u64) -> Outcome<(usize, usize)> {
        let too_large = Problem::TooLarge { width, height, limit: self.samples };
        match width.checked_mul(height) {
            Some(samples) if samples > 0 && samples <= self.samples => {
                self.room(width, height, HEIGHT)?;
                match (width.try_into(), height.try_into()) {
                    (Ok(width), Ok(height)) => Ok((width, height)),
                    _ => Err(too_large),
                }
            }
            _ => Err(too_large),
        }
    }

    /// Whether there is memory for a raster of which samples are missing.
    pub(crate) fn with_missing(self, (width, height): (usize, usize)) -> Outcome<()> {
        self.room(width as u64, height as u64, FILLED)
    }

    fn room(self, width: u64, height: u64, bytes: u64) -> Outcome<()> {
        let needs = width.saturating_mul(height).saturating_mul(bytes);
        if needs <= self.memory {
            Ok(())
        } else {
            Err(Problem::Room { width, height, needs, has: self.memory })
        }
    }
}

/// What a file's header says of the raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub size: (usize, usize),
    /// Whether samples may be missing: there is a value that marks them, or transparency.
    pub missing: bool,
    /// Bytes that decoding takes beside the samples.
    pub beside: u64,
}

impl Head {
    /// Bytes that reading takes.
    pub(crate) fn bytes(self) -> u64 {
        let samples = (self.size.0 as u64).saturating_mul(self.size.1 as u64);
        let filled = samples.saturating_mul(if self.missing { FILLED } else { HEIGHT });
        filled.max(samples.saturating_mul(HEIGHT).saturating_add(self.beside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_without_overflow() {
        assert_eq!(Limits::samples(15).size(3, 5).unwrap(), (3, 5));
        assert!(Limits::samples(15).size(4, 4).is_err());
        assert!(Limits::samples(15).size(0, 5).is_err());
        assert!(Limits::samples(u64::MAX).size(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn what_the_machine_does_not_hold_is_told_with_what_it_needs() {
        let limits = Limits { samples: 1 << 31, memory: 4 << 30 };
        assert!(limits.size(32_768, 32_768).is_ok());
        let told = limits.size(32_769, 32_768).unwrap_err().to_string();
        assert_eq!(told, "32769 x 32768 samples need 4.0 GiB of memory, and there are 4.0 GiB");
        assert!(limits.with_missing((18_918, 18_918)).is_ok());
        assert!(matches!(
            limits.with_missing((20_000, 20_000)),
            Err(Problem::Room { needs: 4_800_000_000, .. })
        ));
    }
}
