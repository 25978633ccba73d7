//! TIFF and GeoTIFF: one channel of numbers with georeferencing tags.

mod chunks;
pub(crate) mod cog;
mod compress;
mod geo;
mod metadata;
mod open;
mod pages;
mod predict;
mod problems;
mod read;
mod stored;
mod tags;
mod unpack;
mod write;

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod write_tests;

use crate::{
    Format, Sample,
    codec::{Codec, Reader},
    format::Description,
};

impl Format {
    /// TIFF and GeoTIFF.
    pub const TIFF: Self = Self(&Description {
        name: "TIFF",
        extensions: &["tif", "tiff"],
        samples: &[Sample::F32, Sample::U16, Sample::I16, Sample::U8],
        has_georef: true,
        ..Description::DEFAULT
    });
}

pub(crate) static CODEC: Codec = Codec {
    reader: Some(Reader { recognise, head: read::head, read: read::read }),
    heightmap: Some(write::write),
    ..Codec::new(Format::TIFF)
};

/// Recognises both byte orders, with 32-bit offsets or, in a `BigTIFF`, 64-bit ones.
fn recognise(start: &[u8]) -> bool {
    const MAGICS: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];
    MAGICS.iter().any(|magic| start.starts_with(magic))
}
