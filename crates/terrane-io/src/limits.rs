//! Limits on rasters, checked before memory is allocated.

use terrane_grid::GeoReference;

use crate::{Problem, ReadOptions, error::Outcome};

/// Bytes per sample if none is missing: the height.
const HEIGHT: u64 = 4;

/// Bytes per sample if some are missing: the height, the mask, and the pyramid for filling, which has two
/// values per sample at each level and a quarter of the samples from one level to the next.
const FILLED: u64 = HEIGHT + 4 + 4;

/// The maximum number of samples per byte of a file that may omit samples, as a sparse TIFF does. Ratios of
/// real files: 8,256 for a one-bit picture in deflate (1,032 bytes per byte, with 8 samples each); at most
/// 1,032 in deflate and 2,560 in LZW for a constant elevation model; 8,192 with tiles of 256 x 256 and 32,768
/// with tiles of 512 x 512 for a sparse file without any tile, which has 8 bytes of tables per tile.
pub(crate) const MAX_SAMPLES_PER_BYTE: u64 = 1 << 15;

/// The limits of a reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The number of samples.
    pub samples: u64,
    /// Memory in bytes.
    pub memory: u64,
}

impl Limits {
    pub(crate) fn of(options: &ReadOptions) -> Self {
        Self { samples: options.max_samples, memory: options.memory }
    }

    /// A limit on samples, without a limit on memory.
    pub(crate) fn samples(samples: u64) -> Self {
        Self { samples, memory: u64::MAX }
    }

    /// Columns and rows as `usize`, if the number of samples is at least one and within the limit.
    pub(crate) fn size(self, width: u64, height: u64) -> Outcome<(usize, usize)> {
        if width == 0 || height == 0 {
            return Err(Problem::NoSample { width, height });
        }
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

    /// Checks that there is memory for a raster with missing samples.
    pub(crate) fn with_missing(self, (width, height): (usize, usize)) -> Outcome<()> {
        self.room(width as u64, height as u64, FILLED)
    }

    /// Checks that there is memory for decoding a raster with this many bytes per sample besides the heights.
    #[cfg(feature = "image")]
    pub(crate) fn with_work(self, (width, height): (usize, usize), bytes: u64) -> Outcome<()> {
        self.room(width as u64, height as u64, HEIGHT + bytes)
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

/// The description of a raster in a file's header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    pub size: (usize, usize),
    /// Whether samples may be missing: the file has a nodata value or transparency.
    pub missing: bool,
    /// The memory for decoding besides the samples, in bytes.
    pub overhead: u64,
    /// The tags that place the raster.
    pub georef: Option<GeoReference>,
}

impl Head {
    /// The memory for reading, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let samples = (self.size.0 as u64).saturating_mul(self.size.1 as u64);
        let filled = samples.saturating_mul(if self.missing { FILLED } else { HEIGHT });
        filled.max(samples.saturating_mul(HEIGHT).saturating_add(self.overhead))
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
    fn exceeding_the_memory_limit_is_reported_with_the_need() {
        let limits = Limits { samples: 1 << 31, memory: 4 << 30 };
        assert!(limits.size(32_768, 32_768).is_ok());
        let text = limits.size(32_769, 32_768).unwrap_err().to_string();
        assert_eq!(text, "32769 x 32768 samples need 4.0 GiB of memory, but the limit is 4.0 GiB");
        assert!(limits.with_missing((18_918, 18_918)).is_ok());
        assert!(matches!(
            limits.with_missing((20_000, 20_000)),
            Err(Problem::Room { needs: 4_800_000_000, .. })
        ));
    }
}
