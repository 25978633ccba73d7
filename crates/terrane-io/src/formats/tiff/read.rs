//! Reading TIFF and GeoTIFF: one channel of 8 to 64 bits in strips or tiles, uncompressed or with deflate,
//! LZW or `PackBits`, with predictors.
//!
//! Chunks that a sparse file omits are missing samples, or zeros if the file has no nodata value.

use std::io::{Read, Seek};

use terrane_grid::GeoReference;
use tiff::{
    ColorType, TiffError,
    decoder::{ChunkType, Decoder, DecodingResult, Limits, ifd::Value},
    tags::{Tag, Type, ValueBuffer},
};

use crate::{
    Format, Problem, Sample,
    codec::Input,
    error::Outcome,
    limits::{Head, Limits as MemoryLimits, MAX_SAMPLES_PER_BYTE},
    raster::{Raster, guarded, reserve},
};

/// Above the ratio of any compression (LZW, the strongest on a flat raster, reaches 2,560). A chunk that
/// claims more is damaged, and memory must not be allocated for it.
const MAX_COMPRESSION: u64 = 4096;

/// The description of the raster, without decoding it.
pub(super) fn head(input: Input<'_>) -> Outcome<Head> {
    guarded(Format::TIFF, || {
        let (mut decoder, size) = begin(input.source, input.length, input.limits)?;
        let nodata = text(&mut decoder, Tag::GdalNodata);
        let nodata = GeoReference { nodata, ..GeoReference::default() }.nodata_value();
        Ok(Head { size, missing: nodata.is_some(), overhead: 0 })
    })
}

/// The size, unless the file is far too short for it. A sparse file needs memory for all samples, even the
/// omitted ones.
fn begin<R: Read + Seek>(
    input: R,
    length: u64,
    memory: MemoryLimits,
) -> Outcome<(Decoder<R>, (usize, usize))> {
    let mut decoder = Decoder::new(input).map_err(damaged)?.with_limits(table_limits(length));
    let (width, height) = decoder.dimensions().map_err(damaged)?;
    let (width, height) = (width.into(), height.into());
    let size = memory.size(width, height)?;
    if width * height / MAX_SAMPLES_PER_BYTE > length {
        return Err(Problem::Sparse { format: Format::TIFF, width, height, bytes: length });
    }
    Ok((decoder, size))
}

pub(super) fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { source, length, limits, .. } = input;
    guarded(Format::TIFF, || {
        let (mut decoder, size) = begin(source, length, limits)?;
        let sample = sample_type(&mut decoder)?;
        let (georef, warnings) = georeference(&mut decoder);
        let nodata = georef.as_ref().and_then(GeoReference::nodata_value).unwrap_or(0.0) as f32;
        let chunks = Chunks::new(&mut decoder, length, size, sample)?;
        let samples = chunks.read(&mut decoder.with_limits(chunk_limits()), nodata)?;
        let mut raster = Raster::new(size, samples, sample);
        raster.georef = georef;
        raster.warnings = warnings;
        Ok(raster)
    })
}

/// Limits for the tables: each value needs at least one byte in the file and 32 in memory.
fn table_limits(length: u64) -> Limits {
    let mut limits = Limits::default();
    let values = usize::try_from(length.saturating_mul(32)).unwrap_or(usize::MAX);
    limits.decoding_buffer_size = limits.decoding_buffer_size.min(values);
    limits
}

/// Limits for the chunks, which are checked individually against their bytes in the file.
fn chunk_limits() -> Limits {
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::MAX;
    limits.intermediate_buffer_size = usize::MAX;
    limits
}

fn damaged(error: TiffError) -> Problem {
    match error {
        TiffError::UnsupportedError(e) => {
            Problem::Unsupported { format: Format::TIFF, detail: e.to_string() }
        }
        TiffError::IoError(e) if e.kind() == std::io::ErrorKind::PermissionDenied => Problem::Read(e),
        other => Problem::Damaged { format: Format::TIFF, detail: other.to_string() },
    }
}

fn sample_type<R: Read + Seek>(decoder: &mut Decoder<R>) -> Outcome<Sample> {
    let unsupported = |detail: String| Problem::Unsupported { format: Format::TIFF, detail };
    let colour = decoder.colortype().map_err(damaged)?;
    let bits = match colour {
        ColorType::Gray(bits) | ColorType::Multiband { bit_depth: bits, num_samples: 1 } => bits,
        other => return Err(unsupported(format!("several channels or colours ({other:?})"))),
    };
    let format = decoder.find_tag_unsigned::<u16>(Tag::SampleFormat).map_err(damaged)?.unwrap_or(1);
    Ok(match (format, bits) {
        (1, 8) => Sample::U8,
        (1, 16) => Sample::U16,
        (1, 32) => Sample::U32,
        (1, 64) => Sample::U64,
        (2, 8) => Sample::I8,
        (2, 16) => Sample::I16,
        (2, 32) => Sample::I32,
        (2, 64) => Sample::I64,
        (3, 16) => Sample::F16,
        (3, 32) => Sample::F32,
        (3, 64) => Sample::F64,
        _ => return Err(unsupported(format!("samples of {bits} bits and sample format {format}"))),
    })
}

fn broken(detail: &str) -> Problem {
    Problem::Damaged { format: Format::TIFF, detail: detail.into() }
}

/// The strips or tiles of an image.
struct Chunks {
    size: (usize, usize),
    chunk: (usize, usize),
    across: usize,
    /// The bytes of each chunk in the file; 0 if a sparse file omits it.
    bytes: Vec<u64>,
    sample: Sample,
}

impl Chunks {
    fn new<R: Read + Seek>(
        decoder: &mut Decoder<R>,
        length: u64,
        size: (usize, usize),
        sample: Sample,
    ) -> Outcome<Self> {
        let (offset_tag, bytes_tag) = match decoder.get_chunk_type() {
            ChunkType::Strip => (Tag::StripOffsets, Tag::StripByteCounts),
            ChunkType::Tile => (Tag::TileOffsets, Tag::TileByteCounts),
        };
        let mut table = |tag| {
            let values = decoder.find_tag_unsigned_vec::<u64>(tag).map_err(damaged)?;
            values.ok_or_else(|| broken("the table of chunks is missing"))
        };
        let (offsets, bytes) = (table(offset_tag)?, table(bytes_tag)?);
        let (width, height) = decoder.chunk_dimensions();
        let chunk = (width as usize, (height as usize).min(size.1));
        let chunk =
            if decoder.get_chunk_type() == ChunkType::Tile { (chunk.0, height as usize) } else { chunk };
        let across = size.0.div_ceil(chunk.0.max(1));
        if offsets.len() != bytes.len() || bytes.len() < across * size.1.div_ceil(chunk.1.max(1)) {
            return Err(broken("there are too few chunks for the size"));
        }
        for (&offset, &count) in offsets.iter().zip(&bytes).filter(|&(_, &count)| count > 0) {
            let end = offset.saturating_add(count);
            if end > length {
                return Err(Problem::Truncated { format: Format::TIFF, needed: end, found: length });
            }
        }
        Ok(Self { size, chunk, across, bytes, sample })
    }

    /// All samples, row by row. Memory is filled band by band, each only after its chunks were found to have
    /// enough bytes.
    fn read<R: Read + Seek>(&self, decoder: &mut Decoder<R>, missing: f32) -> Outcome<Vec<f32>> {
        let (width, height) = self.size;
        let mut samples = reserve(width * height)?;
        for (band, first) in (0..height).step_by(self.chunk.1).enumerate() {
            let rows = self.chunk.1.min(height - first);
            let present = self.present(decoder, band)?;
            samples.resize((first + rows) * width, missing);
            let band_samples = &mut samples[first * width..];
            for (column, index, columns) in present {
                let decoded = decoder.read_chunk(index).map_err(damaged)?;
                place_chunk(&decoded, band_samples, width, (column * self.chunk.0, columns))?;
            }
        }
        Ok(samples)
    }

    /// The chunks of a band that are in the file: position in the band, index and columns. Each has enough
    /// bytes for its claimed size.
    fn present<R: Read + Seek>(
        &self,
        decoder: &Decoder<R>,
        band: usize,
    ) -> Outcome<Vec<(usize, u32, usize)>> {
        let mut present = Vec::new();
        for column in 0..self.across {
            let index = band * self.across + column;
            let count = self.bytes[index];
            if count == 0 {
                continue;
            }
            let index = u32::try_from(index).map_err(|_| broken("there are more than 2³² chunks"))?;
            let (columns, rows) = decoder.chunk_data_dimensions(index);
            let unpacked = u64::from(columns) * u64::from(rows) * self.sample.bytes() as u64;
            if count.saturating_mul(MAX_COMPRESSION) < unpacked {
                return Err(broken("a chunk has too few bytes for its size"));
            }
            present.push((column, index, columns as usize));
        }
        Ok(present)
    }
}

/// Copies the rows of a chunk into a band of the image. `place` is the chunk's first column and its width.
fn place_chunk(
    decoded: &DecodingResult,
    band: &mut [f32],
    width: usize,
    place: (usize, usize),
) -> Outcome<()> {
    let (first, columns) = place;
    macro_rules! copy {
        ($values:expr, $convert:expr) => {{
            if columns == 0 || first + columns > width || $values.len() < columns * (band.len() / width) {
                return Err(broken("a chunk does not fit the image"));
            }
            for (target, row) in band.chunks_exact_mut(width).zip($values.chunks_exact(columns)) {
                for (t, &v) in target[first..first + columns].iter_mut().zip(row) {
                    *t = $convert(v);
                }
            }
        }};
    }
    match decoded {
        DecodingResult::U8(v) => copy!(v, f32::from),
        DecodingResult::U16(v) => copy!(v, f32::from),
        DecodingResult::U32(v) => copy!(v, |n| n as f32),
        DecodingResult::U64(v) => copy!(v, |n| n as f32),
        DecodingResult::I8(v) => copy!(v, f32::from),
        DecodingResult::I16(v) => copy!(v, f32::from),
        DecodingResult::I32(v) => copy!(v, |n| n as f32),
        DecodingResult::I64(v) => copy!(v, |n| n as f32),
        DecodingResult::F16(v) => copy!(v, f32::from),
        DecodingResult::F32(v) => copy!(v, |n| n),
        DecodingResult::F64(v) => copy!(v, |n| n as f32),
    }
    Ok(())
}

/// The georeferencing tags, unchanged. A tag that cannot be read is omitted with a warning, because the
/// heights are still valid.
fn georeference<R: Read + Seek>(decoder: &mut Decoder<R>) -> (Option<GeoReference>, Vec<String>) {
    let mut warnings = Vec::new();
    let mut reals =
        |tag: Tag| match decoder.find_tag(tag).and_then(|v| v.map(Value::into_f64_vec).transpose()) {
            Ok(values) => values.unwrap_or_default(),
            Err(e) => {
                warnings.push(format!("the tag {tag:?} cannot be read and was ignored: {e}"));
                Vec::new()
            }
        };
    let pixel_scale = reals(Tag::ModelPixelScaleTag);
    let tiepoints = reals(Tag::ModelTiepointTag);
    let transformation = reals(Tag::ModelTransformationTag);
    let double_params = reals(Tag::GeoDoubleParamsTag);
    let key_directory = match decoder.find_tag_unsigned_vec::<u16>(Tag::GeoKeyDirectoryTag) {
        Ok(values) => values.unwrap_or_default(),
        Err(e) => {
            warnings.push(format!("the geographic keys cannot be read and were ignored: {e}"));
            Vec::new()
        }
    };
    let georef = GeoReference {
        pixel_scale,
        tiepoints,
        transformation,
        key_directory,
        double_params,
        ascii_params: text(decoder, Tag::GeoAsciiParamsTag).unwrap_or_default(),
        nodata: text(decoder, Tag::GdalNodata),
    };
    if georef.nodata.is_some() && georef.nodata_value().is_none() {
        warnings.push("the nodata value is not a number and was ignored".into());
    }
    ((georef != GeoReference::default()).then_some(georef), warnings)
}

/// A text tag without its closing zero.
fn text<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<String> {
    let mut value = ValueBuffer::empty(Type::ASCII);
    decoder.image_ifd().find_tag_buf(tag, &mut value).ok()??;
    let bytes = value.as_bytes();
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
