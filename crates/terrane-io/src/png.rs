//! PNG.

use std::io::{self, Cursor};

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder};
use png::{BitDepth, ColorType};
use terrane_grid::{Grid, Heightmap};

use crate::atomic::WriteSeek;
use crate::error::Problem;
use crate::read::{Raster, ReadOptions, check_size};
use crate::write::{Codes, Depth};

/// Grey of 8 or 16 bits; fewer bits are widened, and colour is refused, since which channel is the height is not known.
pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let decoder = PngDecoder::new(Cursor::new(bytes)).map_err(Problem::broken)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = check_size(u64::from(width), u64::from(height), options)?;
    let (samples, greatest): (Vec<f32>, u32) = match DynamicImage::from_decoder(decoder)
        .map_err(Problem::broken)?
    {
        DynamicImage::ImageLuma8(image) => (image.into_raw().into_iter().map(f32::from).collect(), 255),
        DynamicImage::ImageLuma16(image) => (image.into_raw().into_iter().map(f32::from).collect(), 65535),
        DynamicImage::ImageLumaA8(image) => (image.pixels().map(|p| f32::from(p.0[0])).collect(), 255),
        DynamicImage::ImageLumaA16(image) => (image.pixels().map(|p| f32::from(p.0[0])).collect(), 65535),
        _ => {
            return Err(Problem::new(
                "it is a colour picture, and heights are grey",
                "convert it to grey (8 or 16 bits) with a picture editor",
            ));
        }
    };
    Ok(Raster { grid: Grid::from_vec(width, height, samples), greatest_code: Some(greatest), georef: None })
}

pub fn encode(out: &mut dyn WriteSeek, map: &Heightmap, codes: &Codes, depth: Depth) -> io::Result<()> {
    let bits = if depth == Depth::U8 { BitDepth::Eight } else { BitDepth::Sixteen };
    rows(out, map.domain().size, ColorType::Grayscale, bits, |row, bytes| {
        for &height in map.grid().row(row) {
            let code = codes.code(height);
            if bits == BitDepth::Eight {
                bytes.push(code as u8);
            } else {
                bytes.extend_from_slice(&code.to_be_bytes());
            }
        }
    })
}

pub fn encode_picture(out: &mut dyn WriteSeek, picture: &Grid<[u8; 3]>) -> io::Result<()> {
    rows(out, picture.size(), ColorType::Rgb, BitDepth::Eight, |row, bytes| {
        bytes.extend(picture.row(row).iter().flatten());
    })
}

/// Writes a picture row by row, so that it never stands in memory twice.
fn rows(
    out: &mut dyn WriteSeek,
    (width, height): (usize, usize),
    colour: ColorType,
    depth: BitDepth,
    mut fill: impl FnMut(usize, &mut Vec<u8>),
) -> io::Result<()> {
    let side = |n: usize| u32::try_from(n).map_err(io::Error::other);
    let mut encoder = png::Encoder::new(out, side(width)?, side(height)?);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    let mut stream = writer.stream_writer().map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    for row in 0..height {
        bytes.clear();
        fill(row, &mut bytes);
        io::Write::write_all(&mut stream, &bytes)?;
    }
    stream.finish().map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
