//! PNG: heights in 8- or 16-bit grey, and pictures in 8-bit sRGB.

mod deflate;
mod filter;
mod picture;
mod read;
mod stream;

use std::io;

use png::{BitDepth, ColorType};

use crate::{
    Format, Sample,
    codec::{Codec, Heights, Picture, Reader, Sink},
    codes::encode_row,
    format::Description,
};
use deflate::Method;
use stream::Png;

/// The methods for small files of heights. The lowest bits of heights have no matches, but if heights have
/// few bits, a slow method may leave fewer bytes.
const SMALL_HEIGHTS: &[Method] = &[Method::Quick, Method::Level(6)];
/// The methods for pictures: fast, and small.
const PICTURE: Method = Method::Level(2);
const SMALL_PICTURE: &[Method] = &[Method::Level(6)];

impl Format {
    /// Portable Network Graphics: 8- or 16-bit grey, or pictures.
    pub const PNG: Self = Self(&Description {
        name: "PNG",
        extensions: &["png"],
        samples: &[Sample::U16, Sample::U8],
        ..Description::DEFAULT
    });
}

pub(super) static CODEC: Codec = Codec {
    reader: Some(Reader {
        recognise: |start| start.starts_with(b"\x89PNG\r\n\x1a\n"),
        head: read::head,
        read: read::read,
    }),
    heightmap: Some(write_heights),
    picture: Some(write_picture),
    read_picture: Some(picture::read),
    ..Codec::new(Format::PNG)
};

/// Writes 8- or 16-bit grey.
fn write_heights(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    let &Heights { grid, sample, effort, .. } = heights;
    let Some(coding) = heights.coding else { return Err(io::Error::other("PNG has no real samples")) };
    let depth = if sample == Sample::U8 { BitDepth::Eight } else { BitDepth::Sixteen };
    let row = |y: usize, out: &mut Vec<u8>| encode_row(coding, sample, true, grid.row(y), out);
    let size = grid.size();
    Png {
        size,
        colour: ColorType::Grayscale,
        depth,
        effort,
        fast: Method::Quick,
        small: SMALL_HEIGHTS,
        row: &row,
    }
    .write(w)
}

/// Writes 8-bit colour.
fn write_picture(w: &mut dyn Sink, picture: &Picture<'_>) -> io::Result<()> {
    let &Picture { samples, effort, .. } = picture;
    let row = |y: usize, out: &mut Vec<u8>| out.extend_from_slice(samples.row(y).as_flattened());
    let (size, depth) = (samples.size(), BitDepth::Eight);
    Png { size, colour: ColorType::Rgb, depth, effort, fast: PICTURE, small: SMALL_PICTURE, row: &row }
        .write(w)
}
