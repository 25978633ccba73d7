//! JPEG, WebP, BMP and TGA: 8-bit pictures, also read as heights.
//!
//! Builds without the feature `image` recognise these files, and say that they cannot read or write them.

#[cfg(feature = "image")]
mod decode;
#[cfg(feature = "image")]
mod encode;
#[cfg(feature = "image")]
mod jpeg;
#[cfg(not(feature = "image"))]
mod lacking;

use crate::{
    Format,
    codec::{Codec, Reader},
    format::Description,
};
#[cfg(not(feature = "image"))]
use lacking::{WRITE_JPEG, WRITE_WEBP, head, heights, picture};
#[cfg(feature = "image")]
use {
    decode::{head, heights, picture},
    encode::{WRITE_JPEG, WRITE_WEBP},
};

const MISSING: Option<&str> = if cfg!(feature = "image") { None } else { Some("image") };

impl Format {
    /// WebP: pictures without loss, which are written, and with loss. It needs the feature `image`.
    pub const WEBP: Self = Self(&Description {
        name: "WebP",
        extensions: &["webp"],
        work: 8,
        missing: MISSING,
        ..Description::DEFAULT
    });

    /// JPEG: pictures with loss. It needs the feature `image`.
    pub const JPEG: Self = Self(&Description {
        name: "JPEG",
        extensions: &["jpg", "jpeg"],
        has_quality: true,
        missing: MISSING,
        ..Description::DEFAULT
    });

    /// Windows bitmap, which is only read. It needs the feature `image`.
    pub const BMP: Self =
        Self(&Description { name: "BMP", extensions: &["bmp"], missing: MISSING, ..Description::DEFAULT });

    /// Truevision TGA, which is only read. It needs the feature `image`.
    pub const TGA: Self = Self(&Description {
        name: "TGA",
        extensions: &["tga"],
        has_magic: false,
        missing: MISSING,
        ..Description::DEFAULT
    });
}

pub(super) static WEBP: Codec = Codec {
    // One less than the format allows: the decoder takes 16384 for 0.
    longest_side: (1 << 14) - 1,
    reader: Some(Reader {
        recognise: is_webp,
        head: |input| head(Format::WEBP, input),
        read: |input| heights(Format::WEBP, input),
    }),
    picture: WRITE_WEBP,
    read_picture: Some(|input| picture(Format::WEBP, input)),
    ..Codec::new(Format::WEBP)
};

pub(super) static JPEG: Codec = Codec {
    longest_side: u16::MAX as usize,
    reader: Some(Reader {
        recognise: is_jpeg,
        head: |input| head(Format::JPEG, input),
        read: |input| heights(Format::JPEG, input),
    }),
    picture: WRITE_JPEG,
    read_picture: Some(|input| picture(Format::JPEG, input)),
    ..Codec::new(Format::JPEG)
};

pub(super) static BMP: Codec = Codec {
    reader: Some(Reader {
        recognise: is_bmp,
        head: |input| head(Format::BMP, input),
        read: |input| heights(Format::BMP, input),
    }),
    read_picture: Some(|input| picture(Format::BMP, input)),
    ..Codec::new(Format::BMP)
};

pub(super) static TGA: Codec = Codec {
    reader: Some(Reader {
        recognise: |_| false,
        head: |input| head(Format::TGA, input),
        read: |input| heights(Format::TGA, input),
    }),
    read_picture: Some(|input| picture(Format::TGA, input)),
    ..Codec::new(Format::TGA)
};

/// A container of the right kind, and the first chunk of a picture.
fn is_webp(start: &[u8]) -> bool {
    start.starts_with(b"RIFF") && start.get(8..15) == Some(b"WEBPVP8")
}

/// The start of an image, and a segment that ends where another one begins. Raw samples may start with the
/// same three bytes.
fn is_jpeg(start: &[u8]) -> bool {
    let [0xff, 0xd8, 0xff, marker, high, low, ..] = *start else { return false };
    let next = 4 + usize::from(u16::from_be_bytes([high, low]));
    marker >= 0xc0 && next >= 6 && start.get(next).is_none_or(|&byte| byte == 0xff)
}

/// Two letters, unused zeros, and a header of a known length for one plane. Raw samples may start with the
/// same two letters.
fn is_bmp(start: &[u8]) -> bool {
    let Some((start, _)) = start.split_first_chunk::<30>() else { return false };
    let header = u32::from_le_bytes([start[14], start[15], start[16], start[17]]);
    let (planes, bits) = if header == 12 { (22, 24) } else { (26, 28) };
    start.starts_with(b"BM")
        && start[6..10] == [0; 4]
        && [12, 40, 52, 56, 64, 108, 124].contains(&header)
        && start[planes..planes + 2] == [1, 0]
        && [1, 2, 4, 8, 16, 24, 32].contains(&start[bits])
}

#[cfg(feature = "image")]
#[cfg(test)]
mod tests;
