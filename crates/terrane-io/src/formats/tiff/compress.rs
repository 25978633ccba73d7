//! How strongly the chunks of a TIFF are deflated.

use std::io;

use crate::{Effort, deflate::Deflate};

/// The deflate level for fast compression.
const LEVEL: i32 = 1;
/// The deflate levels for small files.
const SMALL_LEVELS: [i32; 2] = [6, LEVEL];

/// Fills `bytes` with a deflated chunk.
pub(super) fn compress(
    effort: Effort,
    data: &[u8],
    deflate: &mut Deflate,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    effort.compress(LEVEL, &SMALL_LEVELS, bytes, |level, out| deflate.zlib(data, level, out))
}
