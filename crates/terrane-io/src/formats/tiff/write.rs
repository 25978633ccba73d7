//! TIFF and GeoTIFF, writing: one channel in deflated strips with a predictor, compressed on all threads.
//! Bytes are in the machine's order, which on every machine that we build for is little-endian. Above 3.5 GiB
//! of samples the file is a `BigTIFF`.

use std::{
    borrow::Cow,
    io::{self, Seek, Write},
};

use flate2::{Compression, write::ZlibEncoder};
use rayon::prelude::*;
use terrane_grid::GeoReference;
use tiff::{
    TiffError,
    encoder::{DirectoryEncoder, TiffEncoder, TiffKind, TiffValue},
    tags::{Tag, Type},
};

use crate::{
    Sample,
    codec::{Heights, Sink},
    codes::encode_row,
};

/// Bytes of a strip before compression: enough for deflate to learn, few enough for many threads.
const STRIP_BYTES: usize = 1 << 17;
/// Deflate's level for files made quickly.
const LEVEL: u32 = 1;
/// Strips that are held in memory at a time.
const GROUP: usize = 64;
/// Offsets of a TIFF have 32 bits; deflate may add a little to what it cannot shrink.
const BIG: u64 = 7 << 29;

pub(super) fn write(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    let strips = Strips(heights);
    let result = if heights.grid.len() as u64 * heights.sample.bytes() as u64 > BIG {
        TiffEncoder::new_big(w).and_then(|mut encoder| strips.write(encoder.image_directory()?))
    } else {
        TiffEncoder::new(w).and_then(|mut encoder| strips.write(encoder.image_directory()?))
    };
    result.map_err(|error| match error {
        TiffError::IoError(e) => e,
        other => io::Error::other(other),
    })
}

/// Rows of heights that are compressed together.
struct Strips<'a>(&'a Heights<'a>);

impl Strips<'_> {
    fn write<W: Write + Seek, K: TiffKind>(
        &self,
        mut directory: DirectoryEncoder<'_, W, K>,
    ) -> Result<(), TiffError> {
        let &Heights { grid, sample, effort, georef, .. } = self.0;
        let (width, height) = grid.size();
        let rows = (STRIP_BYTES / (width * sample.bytes())).clamp(1, height);
        let (mut offsets, mut counts) = (Vec::new(), Vec::new());
        for group in grid.as_slice().chunks(width * rows * GROUP) {
            let strips: Vec<_> = group
                .par_chunks(width * rows)
                .map(|strip| effort.compress(LEVEL, |level| self.compress(strip, level)))
                .collect();
            for strip in strips {
                let strip = strip?;
                offsets.push(directory.write_data(&strip[..])?);
                counts.push(strip.len() as u64);
            }
        }
        let (format, predictor) = match sample {
            Sample::F32 => (3u16, 3u16),
            Sample::I16 => (2, 2),
            _ => (1, 2),
        };
        directory.write_tag(Tag::ImageWidth, u32::try_from(width)?)?;
        directory.write_tag(Tag::ImageLength, u32::try_from(height)?)?;
        directory.write_tag(Tag::BitsPerSample, sample.bytes() as u16 * 8)?;
        directory.write_tag(Tag::Compression, 8u16)?;
        directory.write_tag(Tag::PhotometricInterpretation, 1u16)?;
        directory.write_tag(Tag::SamplesPerPixel, 1u16)?;
        directory.write_tag(Tag::RowsPerStrip, u32::try_from(rows)?)?;
        directory.write_tag(Tag::PlanarConfiguration, 1u16)?;
        directory.write_tag(Tag::Predictor, predictor)?;
        directory.write_tag(Tag::SampleFormat, format)?;
        write_offsets(&mut directory, Tag::StripOffsets, &offsets)?;
        write_offsets(&mut directory, Tag::StripByteCounts, &counts)?;
        if let Some(georef) = georef {
            write_georef(&mut directory, georef, self.nodata_still_marks(georef))?;
        }
        directory.finish()
    }

    /// Whether the nodata value can stand: it is one of the file's values, but no height's. Else a reader
    /// would take real heights for missing ones.
    fn nodata_still_marks(&self, georef: &GeoReference) -> bool {
        let Some(nodata) = georef.nodata_value() else { return true };
        let heights = self.0.grid.as_slice();
        match (self.0.coding, self.0.sample.codes()) {
            (Some(coding), Some((lowest, highest))) => {
                coding.is_whole()
                    && (lowest..=highest).contains(&nodata)
                    && heights.iter().all(|&h| f64::from(coding.steps(h)) + lowest != nodata)
            }
            _ => heights.iter().all(|&h| h != nodata as f32),
        }
    }

    fn compress(&self, samples: &[f32], level: u32) -> io::Result<Vec<u8>> {
        let &Heights { grid, sample, coding, .. } = self.0;
        let width = grid.width();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
        let mut bytes = Vec::with_capacity(width * sample.bytes());
        let mut planes = Vec::with_capacity(bytes.capacity());
        for row in samples.chunks(width) {
            bytes.clear();
            match coding {
                Some(coding) => {
                    encode_row(coding, sample, false, row, &mut bytes);
                    difference_row(sample, &mut bytes);
                }
                None => real_row(row, &mut planes, &mut bytes),
            }
            encoder.write_all(&bytes)?;
        }
        encoder.finish()
    }
}

/// Predictor 2: each code less its left neighbour. Codes come little-endian and leave in the machine's order.
fn difference_row(sample: Sample, bytes: &mut [u8]) {
    if sample == Sample::U8 {
        for i in (1..bytes.len()).rev() {
            bytes[i] = bytes[i].wrapping_sub(bytes[i - 1]);
        }
        return;
    }
    let mut left = 0u16;
    for word in bytes.as_chunks_mut::<2>().0 {
        let code = u16::from_le_bytes(*word);
        *word = code.wrapping_sub(left).to_ne_bytes();
        left = code;
    }
}

/// Predictor 3 (Adobe Photoshop TIFF Technical Note 3): the row's first bytes, then its second bytes and so
/// on, most significant first whatever the machine, each less its left neighbour.
fn real_row(row: &[f32], planes: &mut Vec<u8>, bytes: &mut Vec<u8>) {
    planes.clear();
    for plane in [24, 16, 8, 0] {
        planes.extend(row.iter().map(|h| (h.to_bits() >> plane) as u8));
    }
    bytes.push(planes[0]);
    bytes.extend(planes.iter().zip(&planes[1..]).map(|(left, byte)| byte.wrapping_sub(*left)));
}

fn write_offsets<W: Write + Seek, K: TiffKind>(
    directory: &mut DirectoryEncoder<'_, W, K>,
    tag: Tag,
    values: &[u64],
) -> Result<(), TiffError> {
    let short: Result<Vec<u32>, _> = values.iter().map(|&v| u32::try_from(v)).collect();
    match short {
        Ok(short) => directory.write_tag(tag, &short[..]),
        Err(_) => directory.write_tag(tag, values),
    }
}

fn write_georef<W: Write + Seek, K: TiffKind>(
    directory: &mut DirectoryEncoder<'_, W, K>,
    georef: &GeoReference,
    with_nodata: bool,
) -> Result<(), TiffError> {
    let reals = [
        (Tag::ModelPixelScaleTag, &georef.pixel_scale),
        (Tag::ModelTiepointTag, &georef.tiepoints),
        (Tag::ModelTransformationTag, &georef.transformation),
        (Tag::GeoDoubleParamsTag, &georef.double_params),
    ];
    for (tag, values) in reals.into_iter().filter(|(_, values)| !values.is_empty()) {
        directory.write_tag(tag, &values[..])?;
    }
    if !georef.key_directory.is_empty() {
        directory.write_tag(Tag::GeoKeyDirectoryTag, &georef.key_directory[..])?;
    }
    if !georef.ascii_params.is_empty() {
        directory.write_tag(Tag::GeoAsciiParamsTag, Text(&georef.ascii_params))?;
    }
    match &georef.nodata {
        Some(nodata) if with_nodata => directory.write_tag(Tag::GdalNodata, Text(nodata)),
        _ => Ok(()),
    }
}

/// Text with its closing zero. The library's own takes ASCII only, but names of reference systems have
/// accents.
struct Text<'a>(&'a str);

impl TiffValue for Text<'_> {
    const BYTE_LEN: u8 = 1;
    const FIELD_TYPE: Type = Type::ASCII;

    fn count(&self) -> usize {
        self.0.len() + 1
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned([self.0.as_bytes(), &[0]].concat())
    }
}
