//! How hard the chunks of a TIFF are deflated.

use std::io;

use crate::{Effort, deflate::Deflate};

/// Deflate's level for files made quickly.
const LEVEL: i32 = 1;
/// Deflate's levels where bytes count.
const SMALL_LEVELS: [i32; 2] = [6, LEVEL];

/// Fills `bytes` with a chunk, deflated.
pub(super) fn compress(
    effort: Effort,
    data: &[u8],
    deflate: &mut Deflate,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    effort.compress(LEVEL, &SMALL_LEVELS, bytes, |level, out| deflate.zlib(data, level, out))
}
