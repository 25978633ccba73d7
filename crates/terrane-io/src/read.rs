//! Reading heightmaps.

use std::{
    io::{BufRead, BufReader, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use terrane_grid::{Domain, GeoReference, Grid, Heightmap, Place};

use crate::{
    Format, Ground, IoError, Kind, Placement, Problem, ReadOptions, Sample, Sidecar,
    beside::{self, Beside},
    codec::{Input, Layout},
    codes::Coding,
    error::Outcome,
    exact,
    extremes::Extremes,
    fill::fill,
    ground,
    limits::Limits,
    missing::{hint, valid},
    open::{Open, Opened, from_disk},
    pair,
    raster::{Raster, hex},
    units,
    upright::upright,
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
    /// The file's geographic tags, also kept in `map` unless they only repeat its spacing and origin.
    pub georef: Option<Arc<GeoReference>>,
    /// The format of the content, whatever the extension.
    pub format: Format,
    /// The type of the samples in the file.
    pub sample: Sample,
    /// The distance between columns and between rows, if the sidecar or the georeference gives one: in
    /// metres, or in the file's own unit if it names none.
    pub distance: Option<(f64, f64)>,
    /// The unit of the heights, if the sidecar or the file names one.
    pub units: Option<String>,
    /// Warnings for the user: a wrong extension, tags that were not used, and the like.
    pub warnings: Vec<String>,
}

/// Reads a heightmap.
///
/// The format is recognised from the content, or from the extension for raw files. Values are used as they
/// are: metres in an elevation model, codes in a picture. A sidecar beside the file (see [`Sidecar`]) or
/// [`ReadOptions::range`] turns integer codes into heights.
///
/// Samples are missing if they equal the nodata value, are NaN or infinite, are omitted from a sparse TIFF,
/// are masked, or are fully transparent. From 1e30 on, the nodata value need only be within 1 % of the
/// sample. They are filled from the valid samples around them by a pyramid of averages that is relaxed to a
/// membrane (Gortler et al., *The Lumigraph*, SIGGRAPH 1996, section 3.4), in time linear in the number of
/// samples.
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
        let mut imported = import_beside(open, input, length, path, options, sidecar.as_ref())?;
        imported.warnings.extend(warning);
        Ok(imported)
    };
    read().map_err(|problem| problem.at(path))
}

/// A file without others beside it.
#[cfg(test)]
pub(crate) fn import(
    input: impl BufRead + Seek,
    length: u64,
    path: &Path,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
) -> Outcome<Imported> {
    let nothing = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    import_beside(&nothing, input, length, path, options, sidecar)
}

/// Everything except opening the file and its sidecar.
fn import_beside(
    open: &Open<'_>,
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
    if options.channel.is_some() && format != Format::EXR {
        let (value, expected) =
            (options.channel.clone().unwrap_or_default(), "left out: only OpenEXR has named channels");
        return Err(Problem::BadOption { name: "channel", value, expected });
    }
    let beside = Beside::of(open, path, options, sidecar);
    let (limits, layout) =
        (Limits::of(options), Layout::of(options, sidecar, beside.given(options, sidecar)));
    let mut raster = (reader.read)(Input { source: &mut input, length, limits, layout })?;
    raster.warnings.extend(warning);
    if let Some(sidecar) = sidecar {
        sidecar.check_size(path, (raster.width, raster.height))?;
    }
    raster.warnings.extend(beside.warnings.iter().cloned());
    let warnings = beside.place(open, path, &mut raster.georef);
    raster.warnings.extend(warnings);
    beside::mask(open, path, &mut raster, limits)?;
    raster.scale = beside.scale.or(raster.scale);
    raster.unit = beside.unit.clone().or(raster.unit);
    upright(format, &mut raster)?;
    if !format.is_raw() && (options.size.is_some() || options.endian.is_some()) {
        raster.warnings.push(format!("size and byte order of raw files do not apply to {format}"));
    }
    finish(raster, format, options, (sidecar, &beside))
}

/// Files beside a file of heights that [`read_heightmap`] also reads if they exist: its sidecar, world files,
/// and the auxiliary files, masks and reference systems of other programs.
#[must_use]
pub fn companions_of(path: &Path) -> Vec<PathBuf> {
    let mut names = beside::names(path);
    names.insert(0, Sidecar::path_of(path));
    names
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
    (sidecar, beside): (Option<&Sidecar>, &Beside),
) -> Outcome<Imported> {
    let size = (raster.width, raster.height);
    let georef = raster.georef.take();
    let own = georef.as_ref().and_then(|georef| georef.nodata.as_deref()).filter(|_| !beside.replaces_nodata);
    let texts = beside.nodata.iter().map(String::as_str).chain(own);
    // Numbers of wide types were compared as they are stored.
    let nodata: Vec<f64> = texts.filter(|_| !raster.rules.are_applied()).filter_map(exact::number).collect();
    let extremes = Extremes::of(&raster.samples);
    let mut valid = valid(&raster, &extremes, &nodata, options.fill, Limits::of(options))?;
    let coding = coding(&mut raster, options, sidecar);
    if coding.is_none() {
        raster.warnings.extend(hint(&raster, &extremes, valid.as_ref()));
    }
    match (coding, raster.scale) {
        (Some(coding), scale) => {
            if scale.is_some() {
                let text = "the file's own scale and offset are not applied: heights were given otherwise";
                raster.warnings.push(text.to_owned());
            }
            coding.decode(&mut raster.samples);
            let warning = without_endless(&raster, &mut valid, options, "the range of heights")?;
            raster.warnings.extend(warning);
        }
        (None, Some((scale, offset))) if !raster.rules.are_applied() => {
            for sample in &mut raster.samples {
                *sample = (f64::from(*sample) * scale + offset) as f32;
            }
            let warning = without_endless(&raster, &mut valid, options, "the file's scale")?;
            raster.warnings.extend(warning);
        }
        (None, _) => {}
    }
    let mut warnings = raster.warnings;
    let domain = place(size, georef.as_ref(), options, sidecar, &mut warnings);
    let mut grid = Grid::from_vec(size.0, size.1, raster.samples);
    let mask = valid.map(|valid| {
        if options.fill {
            fill(&mut grid, &valid);
        } else {
            let samples = grid.as_mut_slice().iter_mut().zip(valid.as_slice());
            samples.filter(|(_, valid)| **valid != 1.0).for_each(|(sample, _)| *sample = f32::NAN);
        }
        Heightmap::from_grid(domain, valid)
    });
    let georef = georef.map(Arc::new);
    // Tags that only repeat the domain say nothing of the Earth.
    let repeats = |georef: &Arc<GeoReference>| **georef == Place::default().georef(&domain);
    let map = Heightmap::from_grid(domain, grid).with_georef(georef.clone().filter(|tags| !repeats(tags)));
    warnings.extend(units::heights(raster.unit.as_deref(), map.georef().map(AsRef::as_ref)));
    let units = sidecar.and_then(|s| s.units.clone()).or(raster.unit);
    warnings.extend(georef.as_deref().and_then(units::unknown));
    warnings.extend(georef.as_deref().and_then(ground::unknown));
    warnings.extend(georef.as_deref().and_then(|georef| too_wide(georef, size)));
    let distance = distance(sidecar, georef.as_deref(), size);
    Ok(Imported { map, mask, georef, format, sample: raster.sample, distance, units, warnings })
}

/// Marks heights as missing that `cause`, a scale or range, makes larger than 32-bit numbers can be. Returns
/// a warning if there are any.
fn without_endless(
    raster: &Raster,
    valid: &mut Option<Grid<f32>>,
    options: &ReadOptions,
    cause: &str,
) -> Outcome<Option<String>> {
    let is_known = |at: usize| valid.as_ref().is_none_or(|valid| valid.as_slice()[at] == 1.0);
    let endless = |(at, height): (usize, &f32)| (!height.is_finite() && is_known(at)).then_some(at);
    let lost: Vec<usize> = raster.samples.iter().enumerate().filter_map(endless).collect();
    if lost.is_empty() {
        return Ok(None);
    }
    let size = (raster.width, raster.height);
    Limits::of(options).with_missing(size)?;
    let mask = valid.get_or_insert_with(|| Grid::from_vec(size.0, size.1, vec![1.0; size.0 * size.1]));
    lost.iter().for_each(|&at| mask.as_mut_slice()[at] = 0.0);
    if options.fill && !mask.as_slice().contains(&1.0) {
        return Err(Problem::AllMissing { samples: size.0 * size.1 });
    }
    Ok(Some(format!(
        "{cause} makes heights larger than 3.4e38 at {} of {} samples, which are missing now: correct it",
        lost.len(),
        size.0 * size.1
    )))
}

/// The coding of the file's values, if they are not heights themselves.
fn coding(raster: &mut Raster, options: &ReadOptions, sidecar: Option<&Sidecar>) -> Option<Coding> {
    let codes = raster.sample.codes().map(|(low, high)| (low, raster.highest.unwrap_or(high)));
    if let Some(range) = options.range {
        return Some(Coding::new(codes.unwrap_or((0.0, 1.0)), range));
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

/// A warning of a raster whose columns are not equally far apart at its upper and lower borders.
fn too_wide(georef: &GeoReference, size: (usize, usize)) -> Option<String> {
    let (top, bottom) = Ground::of(georef)?.widths(size);
    ((top - 1.0).abs().max((bottom - 1.0).abs()) > 0.02).then(|| {
        format!(
            "the scale changes over the raster: at its first row columns are {top:.2}, at its last \
            {bottom:.2} times as far apart as in the middle; `gdalwarp -t_srs` to a local projection makes \
            them equal"
        )
    })
}

/// The distance between columns and between rows that the sidecar or the georeference gives.
pub(crate) fn distance(
    sidecar: Option<&Sidecar>,
    georef: Option<&GeoReference>,
    size: (usize, usize),
) -> Option<(f64, f64)> {
    match sidecar {
        Some(sidecar) => Some((sidecar.spacing, sidecar.spacing)),
        None => Ground::of(georef?)?.metres(size),
    }
}

fn place(
    size: (usize, usize),
    georef: Option<&GeoReference>,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
    warnings: &mut Vec<String>,
) -> Domain {
    let placement = georef.and_then(Placement::of);
    if let (Some(georef), None) = (georef.filter(|georef| georef.is_placed()), placement) {
        let points = georef.tiepoints.len() / 6;
        warnings.push(match points {
            0 | 1 => "the geographic tags are incomplete and do not place the raster".to_owned(),
            _ => format!(
                "the raster is placed by {points} ground control points, which are not used: \
                `gdalwarp` makes it upright"
            ),
        });
    }
    let spacing = options.spacing.or(sidecar.map(|s| s.spacing)).or(placement.map(|p| p.spacing_x));
    let origin = options.origin.or(sidecar.map(|s| s.origin.into())).or(placement.map(|p| p.origin));
    Domain { size, spacing: spacing.unwrap_or(1.0), origin: origin.unwrap_or((0.0, 0.0)) }
}
