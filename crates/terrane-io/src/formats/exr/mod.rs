//! OpenEXR: one channel of 16- or 32-bit floating-point numbers (or 32-bit integers).
//!
//! Builds without the feature `exr` recognise these files, and say that they cannot read or write them.

#[cfg(feature = "exr")]
mod read;
#[cfg(feature = "exr")]
mod write;

use crate::{
    Format, Sample,
    codec::{Codec, Reader},
    format::Description,
};

/// The first bytes of every file.
const MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

impl Format {
    /// OpenEXR. It needs the feature `exr`.
    pub const EXR: Self = Self(&Description {
        name: "OpenEXR",
        extensions: &["exr"],
        samples: if cfg!(feature = "exr") { &[Sample::F32] } else { &[] },
        missing: if cfg!(feature = "exr") { None } else { Some("exr") },
        ..Description::DEFAULT
    });
}

#[cfg(feature = "exr")]
pub(super) static CODEC: Codec = Codec {
    reader: Some(Reader { recognise, head: read::head, read: read::read }),
    heightmap: Some(write::write),
    ..Codec::new(Format::EXR)
};

#[cfg(not(feature = "exr"))]
pub(super) static CODEC: Codec = Codec {
    reader: Some(Reader {
        recognise,
        head: |_| Err(Format::EXR.missing()),
        read: |_| Err(Format::EXR.missing()),
    }),
    ..Codec::new(Format::EXR)
};

fn recognise(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}
