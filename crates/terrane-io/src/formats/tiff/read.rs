//! Reading TIFF and GeoTIFF: one channel of 1 to 64 bits in strips or tiles, uncompressed or with deflate,
//! LZW or `PackBits`, with predictors; its mask, and the tags that give numbers their meaning.
//!
//! Chunks that a sparse file omits are missing samples, or zeros if the file has no nodata value.

use std::io::{Read, Seek};

use terrane_grid::GeoReference;
use tiff::{
    decoder::{IfdDecoder, ifd::Value},
    tags::{Tag, Type, ValueBuffer},
};

use super::{
    metadata::{self, Metadata},
    open::Opened,
    pages::{Pages, endian, masked},
    problems::{broken, unsupported},
    stored::{Chunks, Stored},
    tags,
};
use crate::{
    Format, Problem, Sample,
    codec::Input,
    error::Outcome,
    exact::{Rules, number},
    limits::{Head, Limits, MAX_SAMPLES_PER_BYTE},
    raster::{Raster, guarded},
};

/// GDAL's metadata.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

/// The description of the raster, without decoding it.
pub(super) fn head(input: Input<'_>) -> Outcome<Head> {
    guarded(Format::TIFF, || {
        let (mut file, size) = begin(input.source, input.length, input.limits)?;
        let georef = georeference(&mut file.tags()).0;
        let nodata = georef.as_ref().and_then(GeoReference::nodata_value);
        let missing = nodata.is_some() || !Pages::of(&mut file, size).masks.is_empty();
        Ok(Head { size, missing, overhead: 0, georef })
    })
}

/// The size, unless the file is far too short for it. A sparse file needs memory for all samples, even the
/// omitted ones.
fn begin<R: Read + Seek>(input: R, length: u64, memory: Limits) -> Outcome<(Opened<R>, (usize, usize))> {
    let mut file = Opened::new(input, length)?;
    let mut side = |tag| -> Outcome<u64> {
        let side = file.number::<u32>(tag)?;
        side.map(u64::from).ok_or_else(|| broken("its columns or its rows are missing"))
    };
    let (width, height) = (side(Tag::ImageWidth)?, side(Tag::ImageLength)?);
    let size = memory.size(width, height)?;
    if width * height / MAX_SAMPLES_PER_BYTE > length {
        return Err(Problem::Sparse { format: Format::TIFF, width, height, bytes: length });
    }
    Ok((file, size))
}

pub(super) fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { source, length, limits, layout } = input;
    guarded(Format::TIFF, || {
        let (mut file, size) = begin(source, length, limits)?;
        let stored = stored(&mut file)?;
        let (georef, mut warnings) = georeference(&mut file.tags());
        let metadata = match text(&mut file.tags(), GDAL_METADATA).map(|text| metadata::parse(&text)) {
            Some(Ok(metadata)) => metadata,
            Some(Err(warning)) => {
                warnings.push(warning);
                Metadata::default()
            }
            None => Metadata::default(),
        };
        let pages = Pages::of(&mut file, size);
        warnings.extend(pages.warning());
        warnings.extend(tags::unused(&file.first));
        let description = text(&mut file.tags(), Tag::ImageDescription);
        warnings.extend(description.filter(|_| pages.others == 0).and_then(|text| tags::stack(&text, size)));
        let orientation = file.number::<u16>(Tag::Orientation).ok().flatten();
        warnings.extend(orientation.and_then(tags::orientation));
        let own = georef.as_ref().and_then(|georef| georef.nodata.as_deref());
        let rules = Rules::of(stored.sample(), &layout.given, own, metadata.scale);
        // What the file or the sidecar says, not what a reader is told to treat as missing.
        let mark = layout.given.of_file(own).and_then(number);
        let missing = match rules.are_applied() {
            true => mark.map_or_else(|| rules.zero(), |_| f32::NAN),
            false => mark.unwrap_or(0.0) as f32,
        };
        let endian = endian(&file.decoder);
        let chunks = Chunks::new(&mut file.tags(), endian, length, size, stored)?;
        let samples = chunks.read(file.decoder.inner(), &rules, missing)?;
        let mut raster = Raster::new(size, samples, stored.sample());
        if let Stored::Bits(bits) = stored {
            raster.highest = Some(f64::from((1u32 << bits) - 1));
        }
        if !pages.masks.is_empty() {
            limits.with_missing(size)?;
            raster.transparent = masked(&mut file.decoder, &pages.masks, length, size)?;
        }
        (raster.scale, raster.unit, raster.rules) = (metadata.scale, metadata.unit, rules);
        raster.georef = georef;
        raster.warnings = warnings;
        Ok(raster)
    })
}

/// How samples are stored. What a display would make of them, such as colours of a palette, does not matter.
fn stored<R: Read + Seek>(file: &mut Opened<R>) -> Outcome<Stored> {
    const TRANSPARENCY: [u16; 2] = [1, 2];
    let channels = file.number::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    let extra = file.numbers::<u16>(Tag::ExtraSamples)?.unwrap_or_default();
    match (channels, &extra[..]) {
        (1, _) => {}
        (2, [meaning]) if TRANSPARENCY.contains(meaning) => {
            return Err(Problem::Transparency { format: Format::TIFF });
        }
        _ => return Err(unsupported(format!("several channels ({channels})"))),
    }
    let first = |numbers: Option<Vec<u16>>| numbers.and_then(|numbers| numbers.first().copied()).unwrap_or(1);
    let bits = first(file.numbers(Tag::BitsPerSample)?);
    // An undefined format, 4, is read as if none was given.
    Ok(Stored::Bytes(match (first(file.numbers(Tag::SampleFormat)?), bits) {
        (1 | 4, 1 | 2 | 4) => return Ok(Stored::Bits(bits.into())),
        (1 | 4, 8) => Sample::U8,
        (1 | 4, 16) => Sample::U16,
        (1 | 4, 32) => Sample::U32,
        (1 | 4, 64) => Sample::U64,
        (2, 8) => Sample::I8,
        (2, 16) => Sample::I16,
        (2, 32) => Sample::I32,
        (2, 64) => Sample::I64,
        (3, 16) => Sample::F16,
        (3, 32) => Sample::F32,
        (3, 64) => Sample::F64,
        (5 | 6, _) => return Err(unsupported(format!("complex numbers of {bits} bits"))),
        (format, _) => {
            return Err(unsupported(format!("samples of {bits} bits and sample format {format}")));
        }
    }))
}

/// The georeferencing tags, unchanged. A tag that cannot be read is omitted with a warning, because the
/// heights are still valid.
fn georeference(tags: &mut IfdDecoder<'_>) -> (Option<GeoReference>, Vec<String>) {
    let mut warnings = Vec::new();
    let mut reals = |tag: Tag| match tags.find_tag(tag).and_then(|v| v.map(Value::into_f64_vec).transpose()) {
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
    let key_directory = match tags.find_tag_unsigned_vec::<u16>(Tag::GeoKeyDirectoryTag) {
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
        ascii_params: text(tags, Tag::GeoAsciiParamsTag).unwrap_or_default(),
        nodata: text(tags, Tag::GdalNodata),
    };
    if georef.nodata.is_some() && georef.nodata_value().is_none() {
        warnings.push("the nodata value is not a number and was ignored".into());
    }
    ((georef != GeoReference::default()).then_some(georef), warnings)
}

/// A text tag without its closing zero.
fn text(tags: &mut IfdDecoder<'_>, tag: Tag) -> Option<String> {
    let mut value = ValueBuffer::empty(Type::ASCII);
    tags.find_tag_buf(tag, &mut value).ok()??;
    let bytes = value.as_bytes();
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
