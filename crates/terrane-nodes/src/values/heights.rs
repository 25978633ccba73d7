//! What maps and levels share: the canonical bytes, numbers and facts of heights.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use terrane_grid::{Domain, GeoReference, Heightmap};
use terrane_kernels::metric::statistics;

use super::bytes::{Reader, invalid, write_f32s, write_f64s, write_text};

/// The numbers that measure heights.
pub(super) const MEASURED: &[&str] = &["min", "max", "mean", "deviation"];

/// The numbers of [`MEASURED`].
pub(super) fn measured(heights: &Heightmap) -> [f64; 4] {
    let s = statistics(heights);
    [s.min, s.max, s.mean, s.deviation]
}

/// Writes the canonical bytes: size, spacing, origin, georeference and samples.
pub(super) fn encode(heights: &Heightmap, out: &mut dyn Write) -> io::Result<()> {
    let domain = heights.domain();
    out.write_all(&(domain.width() as u64).to_le_bytes())?;
    out.write_all(&(domain.height() as u64).to_le_bytes())?;
    for value in [domain.spacing, domain.origin.0, domain.origin.1] {
        out.write_all(&value.to_le_bytes())?;
    }
    match heights.georef() {
        None => out.write_all(&[0])?,
        Some(georef) => {
            out.write_all(&[1])?;
            encode_georef(georef, out)?;
        }
    }
    write_f32s(out, heights.samples())
}

/// Reads the bytes of [`encode`].
pub(super) fn decode(bytes: &[u8]) -> io::Result<Heightmap> {
    let mut reader = Reader(bytes);
    let (width, height) = (reader.u64()?, reader.u64()?);
    let (spacing, x, y) = (reader.f64()?, reader.f64()?, reader.f64()?);
    let georef = match reader.take(1)? {
        [0] => None,
        [1] => Some(Arc::new(decode_georef(&mut reader)?)),
        _ => return Err(invalid("is not a map")),
    };
    let samples = width.checked_mul(height).and_then(|samples| usize::try_from(samples).ok());
    let samples = reader.f32s(samples.ok_or_else(|| invalid("a map is too large"))?)?;
    reader.end()?;
    let domain = Domain { size: (width as usize, height as usize), spacing, origin: (x, y) };
    Ok(Heightmap::from_vec(domain, samples).with_georef(georef))
}

/// Size, position, range and CRS.
pub(super) fn facts(heights: &Heightmap) -> Json {
    let domain = heights.domain();
    let last = |first: f64, samples: usize| first + domain.spacing * (samples.max(1) - 1) as f64;
    let (x, y) = domain.origin;
    let s = statistics(heights);
    let mut facts = json!({
        "size": domain.size, "spacing": domain.spacing, "origin": domain.origin,
        "extent": [x, y, last(x, domain.width()), last(y, domain.height())], "range": [s.min, s.max],
    });
    if let Some(code) = heights.georef().and_then(|georef| georef.epsg()) {
        facts["epsg"] = json!(code);
    }
    facts
}

fn encode_georef(georef: &GeoReference, out: &mut dyn Write) -> io::Result<()> {
    for values in [&georef.pixel_scale, &georef.tiepoints, &georef.transformation, &georef.double_params] {
        write_f64s(out, values)?;
    }
    let keys: Vec<f64> = georef.key_directory.iter().map(|&key| f64::from(key)).collect();
    write_f64s(out, &keys)?;
    write_text(out, &georef.ascii_params)?;
    out.write_all(&[u8::from(georef.nodata.is_some())])?;
    write_text(out, georef.nodata.as_deref().unwrap_or_default())
}

fn decode_georef(reader: &mut Reader<'_>) -> io::Result<GeoReference> {
    let (pixel_scale, tiepoints, transformation, double_params) =
        (reader.f64s()?, reader.f64s()?, reader.f64s()?, reader.f64s()?);
    let key_directory = reader.f64s()?.into_iter().map(|key| key as u16).collect();
    let ascii_params = reader.text()?;
    let has_nodata = reader.take(1)? == [1];
    let nodata = reader.text()?;
    let nodata = has_nodata.then_some(nodata);
    Ok(GeoReference {
        pixel_scale,
        tiepoints,
        transformation,
        key_directory,
        double_params,
        ascii_params,
        nodata,
    })
}
