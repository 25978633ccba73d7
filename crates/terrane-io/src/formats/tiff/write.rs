//! Writing TIFF and GeoTIFF: one channel in deflated strips or tiles with a predictor, compressed on all
//! threads.
//!
//! Bytes are in the machine's order, which is little-endian on every supported machine. Above 3.5 GiB of
//! samples the file is a `BigTIFF`.

use std::{
    borrow::Cow,
    io::{self, Seek, Write},
};

use terrane_grid::GeoReference;
use tiff::{
    TiffError,
    encoder::{DirectoryEncoder, TiffEncoder, TiffKind, TiffValue},
    tags::{Tag, Type},
};

use super::{
    chunks::Chunks,
    compress,
    geo::{Values, geo_tags},
    predict::Line,
};
use crate::{
    Sample,
    codec::{Heights, Sink},
    deflate::Deflate,
    pieces,
};

/// The number of bytes of samples above which a file is a `BigTIFF`. TIFF has 32-bit offsets, and deflate may
/// slightly enlarge data that it cannot compress.
pub(super) const BIG: u64 = 7 << 29;

pub(super) fn write(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    write_above(w, heights, BIG)
}

/// Writes a file, as a `BigTIFF` if its samples have more than `max` bytes.
pub(super) fn write_above(w: &mut dyn Sink, heights: &Heights<'_>, max: u64) -> io::Result<()> {
    let image = Image { heights, chunks: Chunks::new(heights) };
    let result = if image.chunks.bytes() > max {
        TiffEncoder::new_big(w).and_then(|mut encoder| image.write(encoder.image_directory()?))
    } else {
        TiffEncoder::new(w).and_then(|mut encoder| image.write(encoder.image_directory()?))
    };
    result.map_err(into_io)
}

fn into_io(error: TiffError) -> io::Error {
    match error {
        TiffError::IoError(e) => e,
        other => io::Error::other(other),
    }
}

/// Heights and their division into chunks.
struct Image<'a> {
    heights: &'a Heights<'a>,
    chunks: Chunks<'a>,
}

/// The working memory of a thread.
#[derive(Default)]
struct Tools {
    line: Line,
    data: Vec<u8>,
    deflate: Deflate,
}

impl Image<'_> {
    fn write<W: Write + Seek, K: TiffKind>(
        &self,
        mut directory: DirectoryEncoder<'_, W, K>,
    ) -> Result<(), TiffError> {
        let &Heights { grid, sample, georef, .. } = self.heights;
        let ((width, height), chunk) = (grid.size(), self.chunks.size);
        let (mut offsets, mut counts) = (Vec::new(), Vec::new());
        pieces::in_order(
            self.chunks.count(),
            Tools::default,
            |number, tools, bytes| self.compress(number, tools, bytes),
            |_, bytes, ()| {
                offsets.push(directory.write_data(&bytes[..]).map_err(into_io)?);
                counts.push(bytes.len() as u64);
                Ok(())
            },
        )?;
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
        directory.write_tag(Tag::PlanarConfiguration, 1u16)?;
        directory.write_tag(Tag::Predictor, predictor)?;
        directory.write_tag(Tag::SampleFormat, format)?;
        let tables = if self.chunks.tiled {
            directory.write_tag(Tag::TileWidth, u32::try_from(chunk.0)?)?;
            directory.write_tag(Tag::TileLength, u32::try_from(chunk.1)?)?;
            (Tag::TileOffsets, Tag::TileByteCounts)
        } else {
            directory.write_tag(Tag::RowsPerStrip, u32::try_from(chunk.1)?)?;
            (Tag::StripOffsets, Tag::StripByteCounts)
        };
        write_offsets(&mut directory, tables.0, &offsets)?;
        write_offsets(&mut directory, tables.1, &counts)?;
        if let Some(georef) = georef {
            write_georef(&mut directory, georef)?;
        }
        // Programs that know no not-a-number read this tag.
        if grid.as_slice().iter().any(|height| height.is_nan()) {
            directory.write_tag(Tag::GdalNodata, Text("nan"))?;
        } else if let Some(georef) = georef
            && let Some(nodata) = &georef.nodata
            && self.nodata_still_marks(georef)
        {
            directory.write_tag(Tag::GdalNodata, Text(nodata))?;
        }
        directory.finish()
    }

    fn compress(&self, number: usize, tools: &mut Tools, bytes: &mut Vec<u8>) -> io::Result<()> {
        let Tools { line, data, deflate } = tools;
        data.clear();
        self.chunks.push(number, line, data);
        compress::compress(self.heights.effort, data, deflate, bytes)
    }

    /// Whether the nodata value can be written: it must be one of the file's values but not that of any
    /// height. Otherwise a reader would treat real heights as missing.
    fn nodata_still_marks(&self, georef: &GeoReference) -> bool {
        let Some(nodata) = georef.nodata_value() else { return true };
        let heights = self.heights.grid.as_slice();
        match (self.heights.coding, self.heights.sample.codes()) {
            (Some(coding), Some((lowest, highest))) => {
                coding.is_whole()
                    && (lowest..=highest).contains(&nodata)
                    && heights.iter().all(|&h| f64::from(coding.steps(h)) + lowest != nodata)
            }
            _ => heights.iter().all(|&h| h != nodata as f32),
        }
    }
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
) -> Result<(), TiffError> {
    for (tag, values) in geo_tags(georef) {
        match values {
            Values::Shorts(values) => directory.write_tag(tag, values)?,
            Values::Reals(values) => directory.write_tag(tag, values)?,
            Values::Text(text) => directory.write_tag(tag, Text(text))?,
        }
    }
    Ok(())
}

/// Text with its closing zero. The library's own type accepts only ASCII, but names of reference systems may
/// have accents.
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
