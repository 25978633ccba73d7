//! TIFF and GeoTIFF.

use std::io::{self, Cursor};

use terrane_grid::{GeoReference, Grid, Heightmap};
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::encoder::colortype::{ColorType, Gray16, Gray32Float, GrayI16};
use tiff::encoder::compression::DeflateLevel;
use tiff::encoder::{Compression, Predictor, TiffEncoder, TiffValue};
use tiff::tags::Tag;

use crate::atomic::WriteSeek;
use crate::error::Problem;
use crate::read::{Raster, ReadOptions, check_size};
use crate::write::{Codes, Depth};

pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(Problem::broken)?;
    let (width, height) = decoder.dimensions().map_err(Problem::broken)?;
    let (width, height) = check_size(u64::from(width), u64::from(height), options)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = width * height * 8;
    limits.intermediate_buffer_size = width * height * 8 + (1 << 20);
    let mut decoder = decoder.with_limits(limits);
    let georef = georeference(&mut decoder);
    let image = decoder.read_image().map_err(Problem::broken)?;
    let (samples, greatest_code): (Vec<f32>, Option<u32>) = match image {
        DecodingResult::F32(v) => (v, None),
        DecodingResult::F64(v) => (v.into_iter().map(|h| h as f32).collect(), None),
        DecodingResult::F16(v) => (v.into_iter().map(f32::from).collect(), None),
        // Whole heights are heights, unless a sidecar or the user gives a range for the codes.
        DecodingResult::U8(v) => (v.into_iter().map(f32::from).collect(), Some(255)),
        DecodingResult::U16(v) => (v.into_iter().map(f32::from).collect(), Some(65535)),
        DecodingResult::I16(v) => (v.into_iter().map(f32::from).collect(), None),
        DecodingResult::I8(v) => (v.into_iter().map(f32::from).collect(), None),
        DecodingResult::U32(v) => (v.into_iter().map(|h| h as f32).collect(), None),
        DecodingResult::I32(v) => (v.into_iter().map(|h| h as f32).collect(), None),
        DecodingResult::U64(v) => (v.into_iter().map(|h| h as f32).collect(), None),
        DecodingResult::I64(v) => (v.into_iter().map(|h| h as f32).collect(), None),
    };
    if samples.len() != width * height {
        return Err(Problem::new(
            format!("it has {} values for {width} x {height} samples: more than one band", samples.len()),
            "keep the band with the heights only",
        ));
    }
    Ok(Raster { grid: Grid::from_vec(width, height, samples), greatest_code, georef })
}

fn georeference(decoder: &mut Decoder<Cursor<&[u8]>>) -> Option<GeoReference> {
    let mut doubles =
        |tag| decoder.find_tag(tag).ok().flatten().and_then(|v| v.into_f64_vec().ok()).unwrap_or_default();
    let (pixel_scale, tiepoints, transformation, double_params) = (
        doubles(Tag::ModelPixelScaleTag),
        doubles(Tag::ModelTiepointTag),
        doubles(Tag::ModelTransformationTag),
        doubles(Tag::GeoDoubleParamsTag),
    );
    let mut text = |tag| decoder.find_tag(tag).ok().flatten().and_then(|v| v.into_string().ok());
    let (ascii_params, nodata) = (text(Tag::GeoAsciiParamsTag).unwrap_or_default(), text(Tag::GdalNodata));
    let keys = decoder.find_tag(Tag::GeoKeyDirectoryTag).ok().flatten().and_then(|v| v.into_u16_vec().ok());
    let georef = GeoReference {
        pixel_scale,
        tiepoints,
        transformation,
        key_directory: keys.unwrap_or_default(),
        double_params,
        ascii_params,
        nodata,
    };
    (georef != GeoReference::default()).then_some(georef)
}

pub fn encode(out: &mut dyn WriteSeek, map: &Heightmap, codes: &Codes, depth: Depth) -> io::Result<()> {
    match depth {
        Depth::F32 => image::<Gray32Float>(out, map, Predictor::None, map.samples()),
        Depth::I16 => {
            let whole: Vec<i16> =
                map.samples().iter().map(|h| h.round().clamp(-32768.0, 32767.0) as i16).collect();
            image::<GrayI16>(out, map, Predictor::Horizontal, &whole)
        }
        Depth::U8 | Depth::U16 => {
            let codes: Vec<u16> = map.samples().iter().map(|&h| codes.code(h)).collect();
            image::<Gray16>(out, map, Predictor::Horizontal, &codes)
        }
    }
}

fn image<C>(
    out: &mut dyn WriteSeek,
    map: &Heightmap,
    predictor: Predictor,
    samples: &[C::Inner],
) -> io::Result<()>
where
    C: ColorType,
    [C::Inner]: TiffValue,
{
    let (width, height) = map.domain().size;
    let side = |n: usize| u32::try_from(n).map_err(io::Error::other);
    let mut encoder = TiffEncoder::new(out)
        .map_err(io::Error::other)?
        .with_compression(Compression::Deflate(DeflateLevel::Fast))
        .with_predictor(predictor);
    let mut image = encoder.new_image::<C>(side(width)?, side(height)?).map_err(io::Error::other)?;
    if let Some(georef) = map.georef() {
        let mut write = |tag, value: TagValue<'_>| match value {
            TagValue::Doubles(v) => image.encoder().write_tag(tag, v),
            TagValue::Shorts(v) => image.encoder().write_tag(tag, v),
            TagValue::Text(v) => image.encoder().write_tag(tag, v),
        };
        write_georeference(&mut write, georef, depth_holds_nodata::<C>()).map_err(io::Error::other)?;
    }
    image.rows_per_strip(side((1 << 18) / width.max(1) + 1)?).map_err(io::Error::other)?;
    image.write_data(samples).map_err(io::Error::other)
}

/// Codes are no heights: a nodata height among them would name some code.
fn depth_holds_nodata<C: ColorType>() -> bool {
    C::BITS_PER_SAMPLE != [16] || C::SAMPLE_FORMAT[0] != tiff::tags::SampleFormat::Uint
}

enum TagValue<'a> {
    Doubles(&'a [f64]),
    Shorts(&'a [u16]),
    Text(&'a str),
}

fn write_georeference(
    write: &mut dyn FnMut(Tag, TagValue<'_>) -> tiff::TiffResult<()>,
    georef: &GeoReference,
    nodata: bool,
) -> tiff::TiffResult<()> {
    for (tag, values) in [
        (Tag::ModelPixelScaleTag, &georef.pixel_scale),
        (Tag::ModelTiepointTag, &georef.tiepoints),
        (Tag::ModelTransformationTag, &georef.transformation),
        (Tag::GeoDoubleParamsTag, &georef.double_params),
    ] {
        if !values.is_empty() {
            write(tag, TagValue::Doubles(values))?;
        }
    }
    if !georef.key_directory.is_empty() {
        write(Tag::GeoKeyDirectoryTag, TagValue::Shorts(&georef.key_directory))?;
    }
    if !georef.ascii_params.is_empty() {
        write(Tag::GeoAsciiParamsTag, TagValue::Text(&georef.ascii_params))?;
    }
    match &georef.nodata {
        Some(text) if nodata => write(Tag::GdalNodata, TagValue::Text(text)),
        _ => Ok(()),
    }
}
