//! Reading heightmaps.

use std::{
    io::{BufRead, BufReader, Seek},
    path::Path,
    sync::Arc,
};

use terrane_grid::{Domain, GeoReference, Grid, Heightmap};

use crate::{
    Format, IoError, Kind, Placement, Problem, ReadOptions, Sample, Sidecar,
    codec::{Input, RawLayout},
    codes::{Coding, extent},
    error::Outcome,
    fill::fill,
    limits::Limits,
    open::{Open, Opened, from_disk},
    pair,
    raster::{Raster, hex},
};

/// A heightmap read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The heights, all finite: missing ones are filled. Spacing and origin come from the options, otherwise
    /// from the sidecar, otherwise from the georeference (see [`Placement`]: degrees stay degrees), otherwise
    /// they are 1 and (0, 0).
    pub map: Heightmap,
    /// 1 where the file has a height, 0 where a height was filled in; `None` if no sample was missing.
    pub mask: Option<Heightmap>,
    /// The file's geographic tags, also kept in `map`.
    pub georef: Option<Arc<GeoReference>>,
    /// The format of the content, whatever the extension.
    pub format: Format,
    /// The type of the samples in the file.
    pub sample: Sample,
    /// The unit of the heights, if the sidecar names one.
    pub units: Option<String>,
    /// Warnings for the user: a wrong extension, samples that are not square, and the like.
    pub warnings: Vec<String>,
}

/// Reads a heightmap.
///
/// The format is recognised from the content, or from the extension for raw files. Values are used as they
/// are: metres in an elevation model, codes in a picture. A sidecar beside the file (see [`Sidecar`]) or
/// [`ReadOptions::range`] turns integer codes into heights.
///
/// Samples are missing if they equal the nodata value, are NaN or infinite, are omitted from a sparse TIFF,
/// or are fully transparent. They are filled from the valid samples around them by a pyramid of averages that
/// is relaxed to a membrane (Gortler et al., *The Lumigraph*, SIGGRAPH 1996, section 3.4), in time linear in
/// the number of samples.
///
/// # Errors
/// An [`IoError`] with the file and a remedy; [`Problem`] lists all problems. Sizes are checked against
/// [`ReadOptions::max_samples`], [`ReadOptions::memory`] and the file's length before memory is allocated.
pub fn read_heightmap(path: &Path, options: &ReadOptions) -> Result<Imported, IoError> {
    read_heightmap_from(&from_disk, path, options)
}

/// Like [`read_heightmap`], for a file and a sidecar opened by `open`.
///
/// # Errors
/// As [`read_heightmap`].
pub fn read_heightmap_from(open: &Open<'_>, path: &Path, options: &ReadOptions) -> Result<Imported, IoError> {
    let read = || -> Outcome<Imported> {
        options.check()?;
        let Opened { content, length } = open(path).map_err(Problem::Read)?;
        let (sidecar, warning) =
            if options.sidecar { pair::sidecar_of(open, path, options)? } else { (None, None) };
        let input = BufReader::with_capacity(1 << 18, content);
        let mut imported = import(input, length, path, options, sidecar.as_ref())?;
        imported.warnings.extend(warning);
        Ok(imported)
    };
    read().map_err(|problem| problem.at(path))
}

/// Everything except opening files. `path` is used only for its extension and for messages.
pub(crate) fn import(
    mut input: impl BufRead + Seek,
    length: u64,
    path: &Path,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
) -> Outcome<Imported> {
    if length == 0 {
        return Err(Problem::Empty);
    }
    let (format, warning) = detect(&mut input, path, options)?;
    let reader = format.reader().ok_or(Problem::NotRead { format, kind: Kind::Heightmap })?;
    let (limits, layout) = (Limits::of(options), RawLayout::of(options, sidecar));
    let mut raster = (reader.read)(Input { source: &mut input, length, limits, layout })?;
    raster.warnings.extend(warning);
    if let Some(sidecar) = sidecar {
        sidecar.check_size(path, (raster.width, raster.height))?;
    }
    finish(raster, format, options, sidecar)
}

/// The format, and a warning if the extension names another format.
pub(crate) fn detect(
    input: &mut impl BufRead,
    path: &Path,
    options: &ReadOptions,
) -> Outcome<(Format, Option<String>)> {
    let start = input.fill_buf().map_err(Problem::Read)?;
    let (content, named) = (Format::from_content(start), Format::from_extension(path));
    // A format without a reader is accepted here, so that the later error names it.
    let has_no_start = |format: Format| !format.has_magic() || format.reader().is_none();
    if let Some(format) = options.format {
        return if content == Some(format) || has_no_start(format) {
            Ok((format, None))
        } else {
            Err(Problem::WrongMagic { format, found: hex(start) })
        };
    }
    match (content, named) {
        (Some(content), Some(named)) if content != named => {
            Ok((content, Some(format!("the extension says {named}, the content is {content}"))))
        }
        (Some(content), _) => Ok((content, None)),
        (None, Some(named)) if has_no_start(named) => Ok((named, None)),
        (None, Some(format)) => Err(Problem::WrongMagic { format, found: hex(start) }),
        (None, None) => Err(Problem::Unrecognised { found: hex(start) }),
    }
}

/// Marks and fills missing samples, turns codes into heights, and places the map.
fn finish(
    mut raster: Raster,
    format: Format,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
) -> Outcome<Imported> {
    let size = (raster.width, raster.height);
    let georef = raster.georef.take();
    let nodata = options.nodata.or_else(|| sidecar?.nodata).or_else(|| georef.as_ref()?.nodata_value());
    let valid = valid(&raster, nodata, Limits::of(options))?;
    if let Some(coding) = coding(&mut raster, valid.as_ref(), options, sidecar) {
        coding.decode(&mut raster.samples);
    }
    let mut warnings = raster.warnings;
    let domain = place(size, georef.as_ref(), options, sidecar, &mut warnings);
    let mut grid = Grid::from_vec(size.0, size.1, raster.samples);
    let mask = valid.map(|valid| {
        fill(&mut grid, &valid);
        Heightmap::from_grid(domain, valid)
    });
    let georef = georef.map(Arc::new);
    let map = Heightmap::from_grid(domain, grid).with_georef(georef.clone());
    let units = sidecar.and_then(|s| s.units.clone());
    Ok(Imported { map, mask, georef, format, sample: raster.sample, units, warnings })
}

/// A mask with 1 for every valid sample, otherwise 0; `None` if all samples are valid.
fn valid(raster: &Raster, nodata: Option<f64>, limits: Limits) -> Outcome<Option<Grid<f32>>> {
    // NaN does not equal any value. A NaN sample is missing in any case.
    let nodata = nodata.map_or(f32::NAN, |value| value as f32);
    let known = |h: f32| h.is_finite() && h != nodata;
    if raster.transparent.is_none() && raster.samples.iter().all(|&h| known(h)) {
        return Ok(None);
    }
    limits.with_missing((raster.width, raster.height))?;
    let mut mask: Vec<f32> = raster.samples.iter().map(|&h| f32::from(u8::from(known(h)))).collect();
    if let Some(transparent) = &raster.transparent {
        for (m, _) in mask.iter_mut().zip(transparent).filter(|(_, t)| **t) {
            *m = 0.0;
        }
    }
    if !mask.contains(&1.0) {
        return Err(Problem::AllMissing { samples: mask.len() });
    }
    Ok(Some(Grid::from_vec(raster.width, raster.height, mask)))
}

/// The coding of the file's values, if they are not heights themselves.
fn coding(
    raster: &mut Raster,
    valid: Option<&Grid<f32>>,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
) -> Option<Coding> {
    let codes = raster.sample.codes();
    if let Some(range) = options.range {
        let values = || match valid {
            None => extent(&raster.samples),
            Some(valid) => {
                let known = raster.samples.iter().zip(valid.as_slice()).filter(|(_, v)| **v == 1.0);
                extent(&known.map(|(h, _)| *h).collect::<Vec<_>>())
            }
        };
        let (low, high) = codes.or_else(values)?;
        // If all floating-point samples are equal, they get the lower end of the range.
        return Some(Coding::new((low, if high > low { high } else { low + 1.0 }), range));
    }
    let sidecar = sidecar?;
    let range = (sidecar.minimum?, sidecar.maximum?);
    let named = (sidecar.code_minimum?, sidecar.code_maximum?);
    let Some(codes) = codes else {
        raster
            .warnings
            .push(format!("the sidecar describes integer codes, but the file has {}", raster.sample));
        return None;
    };
    if named != codes {
        let text = format!(
            "the sidecar describes {} codes, but the file has {}: its heights were stretched to fit",
            sidecar.sample, raster.sample
        );
        raster.warnings.push(text);
    }
    Some(Coding::new(codes, range))
}

fn place(
    size: (usize, usize),
    georef: Option<&GeoReference>,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
    warnings: &mut Vec<String>,
) -> Domain {
    let placement = georef.and_then(Placement::of);
    match (georef, placement) {
        (Some(_), None) if sidecar.is_none() && (options.spacing.is_none() || options.origin.is_none()) => {
            warnings.push(
                "the geographic tags do not describe an upright raster and were not used for spacing and \
            origin"
                    .into(),
            );
        }
        (_, Some(p)) if !p.is_square() => {
            let text = format!(
                "samples are {} wide and {} high, but are treated as squares of that width",
                p.spacing_x, p.spacing_y
            );
            warnings.push(text);
        }
        _ => {}
    }
    let spacing = options.spacing.or(sidecar.map(|s| s.spacing)).or(placement.map(|p| p.spacing_x));
    let origin = options.origin.or(sidecar.map(|s| s.origin.into())).or(placement.map(|p| p.origin));
    Domain { size, spacing: spacing.unwrap_or(1.0), origin: origin.unwrap_or((0.0, 0.0)) }
}
