//! Reading PNG as heights: grey of 1 to 16 bits.
//!
//! `pixels.rs` says what becomes of colours and of transparency.

use std::io::{self, BufRead, Seek};

use png::{BitDepth, ColorType, DecodingError, Transformations};

use crate::{
    Format, Problem,
    codec::Input,
    error::Outcome,
    formats::pixels::{Layout, Rows, further_pictures},
    limits::{Head, Limits},
    raster::{Raster, guarded, zeros},
};

/// The maximum compression of deflate: 258 bytes into two bits, minus the overhead.
const DEFLATE_RATIO: u64 = 1032;

/// The description of the raster, without decoding it.
pub(super) fn head(input: Input<'_>) -> Outcome<Head> {
    guarded(Format::PNG, || Ok(begin(input.source, input.length, input.limits)?.1))
}

pub(super) fn begin<R: BufRead + Seek>(
    input: R,
    length: u64,
    limits: Limits,
) -> Outcome<(png::Decoder<R>, Head)> {
    let mut decoder = png::Decoder::new_with_limits(input, png::Limits { bytes: 1 << 28 });
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(damaged)?;
    let size = limits.size(header.width.into(), header.height.into())?;
    let all = (header.raw_row_length() as u64).saturating_mul(size.1 as u64);
    let needed = all / DEFLATE_RATIO;
    if needed > length {
        return Err(Problem::Truncated { format: Format::PNG, needed, found: length });
    }
    let missing = matches!(header.color_type, ColorType::GrayscaleAlpha | ColorType::Rgba);
    // The rows of an interlaced picture are decoded all at once.
    let overhead = if header.interlaced { all } else { 0 };
    Ok((decoder, Head { size, missing, overhead, georef: None }))
}

pub(super) fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { source, length, limits, .. } = input;
    guarded(Format::PNG, || {
        let (decoder, Head { size, .. }) = begin(source, length, limits)?;
        let mut reader = decoder.read_info().map_err(damaged)?;
        let layout = layout(&reader);
        let mut rows = Rows::new(Format::PNG, layout, size)?;
        if reader.info().interlaced {
            let bytes = reader.output_buffer_size().ok_or_else(|| too_wide(size))?;
            let mut frame = zeros::<u8>(bytes)?;
            reader.next_frame(&mut frame).map_err(damaged)?;
            let line = bytes / size.1;
            frame.chunks_exact(line).try_for_each(|row| rows.push(row))?;
        } else {
            while let Some(row) = reader.next_row().map_err(damaged)? {
                rows.push(row.data())?;
            }
        }
        let mut raster = rows.finish()?;
        let frames = reader.info().animation_control().map_or(1, |animation| animation.num_frames);
        raster.warnings.extend((frames > 1).then(|| further_pictures(Format::PNG)));
        if let (ColorType::Grayscale, Some(highest)) = (reader.info().color_type, few_bits(&reader)) {
            // The library scales fewer than 8 bits to 8.
            let factor = 255.0 / highest;
            raster.samples.iter_mut().for_each(|sample| *sample /= factor);
            raster.highest = Some(highest.into());
        }
        Ok(raster)
    })
}

/// The layout of the rows that the reader returns.
pub(super) fn layout<R: BufRead + Seek>(reader: &png::Reader<R>) -> Layout {
    let (colour, depth) = reader.output_color_type();
    let channels = match colour {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    Layout { channels, wide: depth == BitDepth::Sixteen }
}

/// The highest number of a picture of fewer than 8 bits a channel.
fn few_bits<R: BufRead + Seek>(reader: &png::Reader<R>) -> Option<f32> {
    match reader.info().bit_depth {
        BitDepth::One => Some(1.0),
        BitDepth::Two => Some(3.0),
        BitDepth::Four => Some(15.0),
        BitDepth::Eight | BitDepth::Sixteen => None,
    }
}

fn too_wide(size: (usize, usize)) -> Problem {
    Problem::TooLarge { width: size.0 as u64, height: size.1 as u64, limit: usize::MAX as u64 }
}

pub(super) fn damaged(error: DecodingError) -> Problem {
    match error {
        DecodingError::LimitsExceeded => {
            Problem::Unsupported { format: Format::PNG, detail: "rows of more than 256 MiB".into() }
        }
        DecodingError::IoError(e) if e.kind() != io::ErrorKind::UnexpectedEof => Problem::Read(e),
        other => Problem::Damaged { format: Format::PNG, detail: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn encode(colour: ColorType, depth: BitDepth, size: (u32, u32), data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    fn decode(bytes: &[u8]) -> Outcome<Raster> {
        decode_up_to(bytes, 1000)
    }

    fn decode_up_to(bytes: &[u8], samples: u64) -> Outcome<Raster> {
        read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, Limits::samples(samples)))
    }

    #[test]
    fn few_bits_keep_their_numbers() {
        for (depth, data, numbers) in [
            (BitDepth::One, [0b0110_0000, 0], vec![0.0, 1.0, 1.0, 0.0]),
            (BitDepth::Two, [0b00_01_10_11, 0], vec![0.0, 1.0, 2.0, 3.0]),
            (BitDepth::Four, [0x07, 0xf1], vec![0.0, 7.0, 15.0, 1.0]),
        ] {
            let bytes = &data[..(numbers.len() * depth as usize).div_ceil(8)];
            let raster = decode(&encode(ColorType::Grayscale, depth, (4, 1), bytes)).unwrap();
            assert_eq!(raster.samples, numbers);
            assert_eq!(raster.highest, Some(f64::from((1 << depth as u32) - 1)));
        }
    }

    #[test]
    fn grey_saved_as_colour_is_read_and_colour_is_not() {
        let grey = decode(&encode(ColorType::Rgb, BitDepth::Eight, (2, 1), &[9, 9, 9, 4, 4, 4])).unwrap();
        assert_eq!(grey.samples, [9.0, 4.0]);
        assert_eq!(grey.warnings.len(), 1);
        let coloured = decode(&encode(ColorType::Rgb, BitDepth::Eight, (1, 2), &[9, 9, 9, 4, 4, 5]));
        assert!(matches!(coloured, Err(Problem::Colour { column: 0, row: 1, .. })));
    }

    #[test]
    fn transparent_samples_are_missing() {
        let data = [1, 0, 255, 255, 2, 0, 0, 0];
        let raster = decode(&encode(ColorType::GrayscaleAlpha, BitDepth::Sixteen, (2, 1), &data)).unwrap();
        assert_eq!(raster.samples, [256.0, 512.0]);
        assert_eq!(raster.transparent, Some(vec![false, true]));
        let data = [7, 1, 2, 0, 5, 5, 5, 255];
        let raster = decode(&encode(ColorType::Rgba, BitDepth::Eight, (2, 1), &data)).unwrap();
        assert_eq!(raster.transparent, Some(vec![true, false]));
    }

    #[test]
    fn a_false_size_in_the_header_costs_no_memory() {
        let mut bytes = encode(ColorType::Grayscale, BitDepth::Eight, (2, 1), &[1, 2]);
        bytes[16..20].copy_from_slice(&0x7fff_ffffu32.to_be_bytes());
        // The checksum of IHDR.
        let mut crc = flate2::Crc::new();
        crc.update(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.sum().to_be_bytes());
        assert!(matches!(decode(&bytes), Err(Problem::TooLarge { limit: 1000, .. })));
        let all = decode_up_to(&bytes, 1 << 36);
        assert!(matches!(all, Err(Problem::Truncated { .. })));
    }
}
