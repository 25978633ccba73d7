//! How hard files are compressed.

use std::io;

/// The level of deflate that leaves little more than the highest, in half of its time.
const SMALL: u32 = 8;

/// How hard PNG and TIFF are compressed; other formats know one way alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Quickly.
    #[default]
    Fast,
    /// To some hundredths fewer bytes, in three to eight times the time.
    Small,
}

impl Effort {
    /// Compresses with deflate's level for what is made quickly, and where bytes count with a higher one too: it leaves fewer
    /// bytes as a rule, but not of rough heights of 16 bits.
    pub(crate) fn compress(
        self,
        fast: u32,
        deflated: impl Fn(u32) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        let quick = deflated(fast)?;
        if self == Self::Fast {
            return Ok(quick);
        }
        let small = deflated(SMALL)?;
        Ok(if small.len() < quick.len() { small } else { quick })
    }
}
