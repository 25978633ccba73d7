//! Heightmaps from files.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use terrane_grid::{Domain, GeoReference, Grid, Heightmap};

use crate::error::{IoError, Problem};
use crate::format::Format;
use crate::sidecar::Sidecar;

/// Byte order of bare files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

/// How to read a heightmap.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Heights of the least and greatest code of an integer file, in place of the sidecar's; in other files, heights that 0
    /// and 1 stand for.
    pub range: Option<(f64, f64)>,
    /// Columns and rows of a bare file without sidecar; without, it is taken to be square.
    pub size: Option<(usize, usize)>,
    /// Byte order of a bare file.
    pub endian: Endian,
    /// A value that marks missing samples, beside the file's own.
    pub nodata: Option<f64>,
    /// The most samples that are read.
    pub max_samples: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { range: None, size: None, endian: Endian::Little, nodata: None, max_samples: 1 << 31 }
    }
}

/// A heightmap from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The heights, with missing samples filled in. Spacing and origin are the file's, where it has any: units of its
    /// reference system (metres when projected, degrees when geographic), rows downward.
    pub map: Heightmap,
    /// 1 where a sample was there, 0 where it was filled.
    pub mask: Heightmap,
    /// Samples that were filled.
    pub missing: u64,
}

/// What a decoder finds in a file.
pub struct Raster {
    pub grid: Grid<f32>,
    /// Greatest code of an integer file.
    pub greatest_code: Option<u32>,
    pub georef: Option<GeoReference>,
}

/// Reads a heightmap; the format is told by the content, and for bare files by the extension.
///
/// Samples that are not finite, or that equal the nodata value, are missing: they are filled from their surroundings.
///
/// # Errors
/// [`IoError`] for a file that is missing, empty, damaged, too large, without any valid sample, or of no known format.
pub fn read_heightmap(path: &Path, options: &ReadOptions) -> Result<Imported, IoError> {
    let bytes = std::fs::read(path)
        .map_err(|error| IoError::new(path, error, "check the path and its permissions"))?;
    decode(path, &bytes, options).map_err(|problem| problem.at(path))
}

fn decode(path: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Problem> {
    if bytes.is_empty() {
        return Err(Problem::new("the file is empty", "export it again"));
    }
    let sidecar = Sidecar::beside(path);
    let format = Format::from_content(bytes).or_else(|| {
        Format::from_extension(path).filter(|format| matches!(format, Format::R16 | Format::R32))
    });
    // Decoders from elsewhere may panic on damaged files; that is a damaged file, not a defect of the program.
    let raster = catch_unwind(AssertUnwindSafe(|| match format {
        Some(Format::Png) => crate::png::decode(bytes, options),
        Some(Format::Tiff) => crate::tiff::decode(bytes, options),
        Some(Format::Exr) => crate::exr::decode(bytes, options),
        Some(Format::Npy) => crate::npy::decode(bytes, options),
        Some(format @ (Format::R16 | Format::R32)) => {
            crate::raw::decode(bytes, format, options, sidecar.as_ref())
        }
        _ => Err(Problem::new(
            "this is no PNG, TIFF, EXR or NPY file",
            "heights are read from .png, .tif, .exr, .npy, .r16, .raw and .r32 files",
        )),
    }))
    .unwrap_or_else(|_| Err(Problem::broken("its decoder gave up")))?;
    finish(raster, sidecar, options)
}

/// Refuses sizes that are empty or beyond the limit, before anything is allocated for them.
pub fn check_size(width: u64, height: u64, options: &ReadOptions) -> Result<(usize, usize), Problem> {
    if width == 0 || height == 0 {
        return Err(Problem::broken(format!("it has {width} x {height} samples")));
    }
    match width.checked_mul(height) {
        Some(samples) if samples <= options.max_samples => Ok((width as usize, height as usize)),
        _ => Err(Problem::new(
            format!("it has {width} x {height} samples, more than {} that are read", options.max_samples),
            "cut it into tiles, or take every second sample, with a GIS",
        )),
    }
}

fn finish(raster: Raster, sidecar: Option<Sidecar>, options: &ReadOptions) -> Result<Imported, Problem> {
    let Raster { mut grid, greatest_code, georef } = raster;
    let nodata = [options.nodata, georef.as_ref().and_then(GeoReference::nodata_value)];
    let is_known = |h: f32| h.is_finite() && !nodata.iter().flatten().any(|&nodata| h == nodata as f32);
    let known = grid.map(|&h| is_known(h));
    let sidecar = sidecar.filter(|s| s.size == [grid.width(), grid.height()]);
    let scale: Option<Sidecar> = match (options.range, &sidecar) {
        (Some((minimum, maximum)), _) => Some(mapping(minimum, maximum, greatest_code.unwrap_or(1))),
        (None, Some(sidecar)) if greatest_code == Some(sidecar.greatest_code) => Some(sidecar.clone()),
        _ => None,
    };
    if let Some(scale) = scale {
        grid.as_mut_slice().iter_mut().for_each(|h| *h = scale.height(f64::from(*h)) as f32);
    }
    let missing = known.as_slice().iter().filter(|known| !**known).count() as u64;
    let size = grid.size();
    let grid = crate::fill::fill(grid, &known).ok_or_else(|| {
        Problem::new(
            "not one sample is valid: all are nodata or not finite",
            "check the nodata value, or choose another file",
        )
    })?;
    let domain = place(size, georef.as_ref(), sidecar.as_ref());
    let mask = Heightmap::from_grid(domain, known.map(|&known| f32::from(u8::from(known))));
    Ok(Imported { map: Heightmap::from_grid(domain, grid).with_georef(georef.map(Arc::new)), mask, missing })
}

fn mapping(minimum: f64, maximum: f64, greatest_code: u32) -> Sidecar {
    Sidecar {
        terrane_sidecar: Sidecar::VERSION,
        file: String::new(),
        samples: String::new(),
        size: [0, 0],
        spacing: 1.0,
        origin: [0.0, 0.0],
        minimum,
        maximum,
        greatest_code,
    }
}

fn place(size: (usize, usize), georef: Option<&GeoReference>, sidecar: Option<&Sidecar>) -> Domain {
    let domain = Domain::new(size.0, size.1);
    if let Some(sidecar) = sidecar.filter(|s| s.spacing.is_finite() && s.spacing > 0.0) {
        return domain.with_spacing(sidecar.spacing).with_origin(sidecar.origin[0], sidecar.origin[1]);
    }
    match georef.and_then(|g| g.pixel_scale.first().copied()) {
        Some(scale) if scale.is_finite() && scale > 0.0 => domain.with_spacing(scale),
        _ => domain,
    }
}
