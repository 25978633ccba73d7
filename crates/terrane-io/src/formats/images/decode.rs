//! Reading JPEG, WebP, BMP and TGA as heights and as pictures.

use std::io;

use image::codecs::{bmp::BmpDecoder, tga::TgaDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder, ImageError, ImageResult};
use terrane_grid::Grid;

use super::jpeg::{self, Jpeg};
use crate::{
    Format, Problem,
    codec::{Input, Source},
    error::Outcome,
    formats::pixels::{Layout, Rows, further_pictures},
    limits::{Head, Limits, MAX_SAMPLES_PER_BYTE},
    raster::{Raster, guarded, zeros},
};

/// The memory for decoding, in bytes per sample: up to four channels, and what the decoders keep besides,
/// such as three coefficients of two bytes in a progressive JPEG.
const WORK: u64 = 12;

/// The size, and the memory for decoding.
pub(super) fn head(format: Format, input: Input<'_>) -> Outcome<Head> {
    guarded(format, || {
        let Input { source, length, limits, .. } = input;
        if format == Format::JPEG {
            let jpeg = Jpeg::new(source)?;
            return describe(format, jpeg.size, jpeg.channels, (length, limits)).map(|(head, _)| head);
        }
        let decoder = open(format, source, length)?;
        let (size, channels) = header(format, &*decoder)?;
        describe(format, size, channels, (length, limits)).map(|(head, _)| head)
    })
}

/// The pixels as heights.
pub(super) fn heights(format: Format, input: Input<'_>) -> Outcome<Raster> {
    guarded(format, || {
        let Pixels { size, layout, pixels, has_more } = decode(format, input)?;
        let mut rows = Rows::new(format, layout, size)?;
        pixels.chunks_exact(size.0 * layout.pixel_bytes()).try_for_each(|row| rows.push(row))?;
        let mut raster = rows.finish()?;
        raster.warnings.extend(has_more.then(|| further_pictures(format)));
        if format == Format::JPEG {
            raster
                .warnings
                .push("a JPEG has 256 heights and does not keep them: use PNG, TIFF or EXR".into());
        }
        Ok(raster)
    })
}

/// The pixels as a picture.
pub(super) fn picture(format: Format, input: Input<'_>) -> Outcome<Grid<[u8; 3]>> {
    guarded(format, || {
        let Pixels { size, layout, pixels, .. } = decode(format, input)?;
        Ok(layout.picture(size, &pixels))
    })
}

/// A decoded picture.
struct Pixels {
    size: (usize, usize),
    layout: Layout,
    pixels: Vec<u8>,
    /// Whether the file has further pictures.
    has_more: bool,
}

fn decode(format: Format, input: Input<'_>) -> Outcome<Pixels> {
    let Input { source, length, limits, .. } = input;
    let room = |(head, layout): (Head, Layout), has_more| -> Outcome<Pixels> {
        let size = head.size;
        limits.with_work(size, WORK)?;
        Ok(Pixels { size, layout, pixels: zeros(size.0 * size.1 * layout.channels)?, has_more })
    };
    if format == Format::JPEG {
        let jpeg = Jpeg::new(jpeg::content(source)?)?;
        let described = describe(format, jpeg.size, jpeg.channels, (length, limits))?;
        let mut pixels = room(described, jpeg.has_more())?;
        jpeg.decode(&mut pixels.pixels)?;
        return Ok(pixels);
    }
    let has_more = format == Format::WEBP && is_animation(source.fill_buf().map_err(Problem::Read)?);
    let decoder = open(format, source, length)?;
    let (size, channels) = header(format, &*decoder)?;
    let mut pixels = room(describe(format, size, channels, (length, limits))?, has_more)?;
    decoder.read_image_boxed(&mut pixels.pixels).map_err(|error| damaged(format, error))?;
    Ok(pixels)
}

/// Whether a WebP with this start has several pictures.
fn is_animation(start: &[u8]) -> bool {
    const ANIMATION: u8 = 2;
    start.get(12..16) == Some(b"VP8X") && start.get(20).is_some_and(|flags| flags & ANIMATION != 0)
}

/// A decoder that has read the header, and checks no limits: [`describe`] does.
fn open(format: Format, source: &mut dyn Source, length: u64) -> Outcome<Box<dyn ImageDecoder + '_>> {
    if format == Format::WEBP
        && let Some(&[_, _, _, _, a, b, c, d]) = source.fill_buf().map_err(Problem::Read)?.first_chunk()
    {
        // The decoder fills in what is missing at the end of a picture with loss.
        let needed = 8 + u64::from(u32::from_le_bytes([a, b, c, d]));
        if needed > length {
            return Err(Problem::Truncated { format, needed, found: length });
        }
    }
    fn boxed<'a>(decoder: ImageResult<impl ImageDecoder + 'a>) -> ImageResult<Box<dyn ImageDecoder + 'a>> {
        Ok(Box::new(decoder?))
    }
    // Decoders by name: the reader of all formats is larger by each of them.
    let decoder = match format {
        Format::WEBP => boxed(WebPDecoder::new(source)),
        Format::BMP => boxed(BmpDecoder::new(source)),
        _ => boxed(TgaDecoder::new(source)),
    };
    decoder.map_err(|error| damaged(format, error))
}

/// Columns and rows, and the number of channels.
fn header(format: Format, decoder: &dyn ImageDecoder) -> Outcome<((u64, u64), usize)> {
    let (width, height) = decoder.dimensions();
    let channels = match decoder.color_type() {
        ColorType::L8 => 1,
        ColorType::La8 => 2,
        ColorType::Rgb8 => 3,
        ColorType::Rgba8 => 4,
        other => return Err(Problem::Unsupported { format, detail: format!("pixels of type {other:?}") }),
    };
    Ok(((width.into(), height.into()), channels))
}

/// The maximum number of samples for each byte of a file. It is infinite in WebP, which can say with a few
/// bytes that a picture has one colour.
fn samples_per_byte(format: Format) -> u64 {
    match format {
        // A block of 8 x 8 samples has at least one bit.
        Format::JPEG => 512,
        // A run of at most 128 samples has at least two bytes.
        Format::TGA => 64,
        // Runs may skip rows.
        Format::BMP => MAX_SAMPLES_PER_BYTE,
        _ => u64::MAX,
    }
}

fn describe(
    format: Format,
    (width, height): (u64, u64),
    channels: usize,
    (length, limits): (u64, Limits),
) -> Outcome<(Head, Layout)> {
    let size = limits.size(width, height)?;
    let needed = width * height / samples_per_byte(format);
    if needed > length {
        return Err(Problem::Truncated { format, needed, found: length });
    }
    let layout = Layout { channels, wide: false };
    Ok((Head { size, missing: layout.has_alpha(), overhead: width * height * WORK, georef: None }, layout))
}

fn damaged(format: Format, error: ImageError) -> Problem {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match error {
        ImageError::IoError(e) if !matches!(e.kind(), UnexpectedEof | InvalidData | InvalidInput) => {
            Problem::Read(e)
        }
        ImageError::Unsupported(detail) => Problem::Unsupported { format, detail: detail.to_string() },
        other => Problem::Damaged { format, detail: other.to_string() },
    }
}
