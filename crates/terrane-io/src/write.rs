//! Writing heightmaps.

use std::{borrow::Cow, path::Path};

use terrane_grid::{Domain, GeoReference, Heightmap, Place};

use crate::{
    CodeRange, Format, IoError, Kind, PresetFile, Problem, Refusal, Sample, Sidecar, SidecarPolicy, Stop,
    WriteOptions, Written,
    atomic::Staged,
    codec::{Codec, Heights, WriteHeights},
    codes::{Coding, extent},
    error::Outcome,
    pair,
    placement::is_placed_by,
    raster::guarded,
    stop::Until,
};

/// Writes a heightmap, and beside it a sidecar if one is needed to read it back (see [`SidecarPolicy`]).
///
/// Both files are completely written under temporary names and then renamed, one right after the other. A
/// failure while writing leaves neither, and a reader never sees an incomplete file. If the program is killed
/// between the two renames, a reader gets the old map or the new one, because the sidecar names the data that
/// it belongs to. The bytes depend only on the map and the options; files that already have them are not
/// touched. A TIFF stores the tags of [`WriteOptions::place`], otherwise the map's georeference as it is,
/// otherwise the map's spacing and origin with north up, without a reference system. The nodata value is
/// omitted if a height equals it or if the codes are not the heights themselves.
///
/// # Errors
/// [`Problem::UnknownExtension`], [`Problem::WrongKind`] and [`Problem::WrongSample`] by format;
/// [`Problem::Nothing`] for a map without samples; [`Problem::NotFinite`] for integer codes of a map with NaN
/// or infinite heights; [`Problem::BadOption`]; [`Problem::Engine`]; [`Problem::Write`].
pub fn write_heightmap(path: &Path, map: &Heightmap, options: &WriteOptions) -> Result<Written, IoError> {
    write_heightmap_until(path, map, options, &|| false)
}

/// Like [`write_heightmap`], until `stop` returns true: it is asked between strips of rows.
///
/// # Errors
/// As [`write_heightmap`], and [`Problem::Write`] if writing was stopped. File and sidecar are then as
/// before.
pub fn write_heightmap_until(
    path: &Path,
    map: &Heightmap,
    options: &WriteOptions,
    stop: Stop<'_>,
) -> Result<Written, IoError> {
    write(path, map, options, stop, &mut || {}).map_err(|problem| problem.at(path))
}

/// `between` is called after each renamed file except the last.
pub(crate) fn write(
    path: &Path,
    map: &Heightmap,
    options: &WriteOptions,
    stop: Stop<'_>,
    between: &mut dyn FnMut(),
) -> Outcome<Written> {
    options.check()?;
    let (codec, encode, sample) = choose(path, options)?;
    let format = codec.format;
    if map.samples().is_empty() {
        return Err(Problem::Nothing { detail: "the map has no samples" });
    }
    codec.check_size(map.grid().size())?;
    if let Some(preset) = options.preset {
        let refused = |refusal: Refusal| Problem::Engine { detail: refusal.message, remedy: refusal.help };
        preset.check(format, map.domain().size).map_err(refused)?;
    }
    let coding = Coding::choose(sample, options.range, map.samples())?;
    let georef = georef(format, map, options);
    let data = Staged::new(path, options.sync, |w| {
        let heights = Heights {
            grid: map.grid(),
            sample,
            coding: coding.as_ref(),
            georef: georef.as_deref(),
            effort: options.effort,
            endian: options.endian,
        };
        guarded(format, || Ok(encode(&mut Until::new(w, stop), &heights))).map_err(std::io::Error::other)?
    })
    .map_err(Problem::Write)?;
    let wanted = match options.sidecar {
        _ if options.preset.is_some() => true,
        SidecarPolicy::Always => true,
        SidecarPolicy::Never => false,
        SidecarPolicy::WhenNeeded => {
            needs_sidecar(format, sample, &map.domain(), options.range, georef.as_deref())
        }
    };
    let note = wanted.then(|| describe(path, map, options, (format, sample), coding.as_ref()));
    pair::commit(path, data, note, options.sync, between).map_err(Problem::Write)
}

impl WriteOptions {
    /// Whether each map is scaled on its own in a file of this name: its minimum and maximum become the
    /// lowest and the highest integer code.
    #[must_use]
    pub fn scales_each_map(&self, path: &Path) -> bool {
        self.range == CodeRange::MinMax && self.writes_codes(path)
    }

    /// Whether a file of this name has integer codes, none of which means that a sample is missing.
    #[must_use]
    pub fn writes_codes(&self, path: &Path) -> bool {
        choose(path, self).is_ok_and(|(_, _, sample)| sample.codes().is_some())
    }

    /// The heights of the lowest and of the highest integer code in a file of this name, and the number of
    /// codes; `None` if they are those of each map, or if the file has no codes.
    #[must_use]
    pub fn coded_range(&self, path: &Path) -> Option<((f64, f64), f64)> {
        let (_, _, sample) = choose(path, self).ok()?;
        let (low, high) = sample.codes()?;
        let range = match self.range {
            CodeRange::MinMax => return None,
            CodeRange::Fixed(low, high) => (low, high),
            CodeRange::Whole => (low, high),
        };
        Some((range, high - low + 1.0))
    }
}

/// The codec, its function that writes heightmaps, and the sample type.
fn choose(path: &Path, options: &WriteOptions) -> Outcome<(&'static Codec, WriteHeights, Sample)> {
    let kind = Kind::Heightmap;
    let format = options.format.or_else(|| Format::from_extension(path));
    let format = format.ok_or(Problem::UnknownExtension { kind })?;
    format.check_built()?;
    let found = format.codec().and_then(|codec| Some((codec, codec.heightmap?, *format.samples().first()?)));
    let (codec, encode, first) = found.ok_or(Problem::WrongKind { format, kind })?;
    let sample = options.sample.unwrap_or(first);
    if format.samples().contains(&sample) {
        Ok((codec, encode, sample))
    } else {
        Err(Problem::WrongSample { format, sample })
    }
}

/// The tags that place a map in a format that stores them: of the given place, of the map itself, or of a
/// world that is its own map.
fn georef<'a>(format: Format, map: &'a Heightmap, options: &WriteOptions) -> Option<Cow<'a, GeoReference>> {
    if !format.has_georef() {
        return None;
    }
    Some(match (&options.place, map.georef()) {
        (Some(place), _) => Cow::Owned(place.georef(&map.domain())),
        (None, Some(georef)) => Cow::Borrowed(georef),
        (None, None) => Cow::Owned(Place::default().georef(&map.domain())),
    })
}

/// Whether the file alone would be read as a different map.
fn needs_sidecar(
    format: Format,
    sample: Sample,
    domain: &Domain,
    range: CodeRange,
    georef: Option<&GeoReference>,
) -> bool {
    if format.is_raw() || (sample.codes().is_some() && range != CodeRange::Whole) {
        return true;
    }
    !is_placed_by(georef, domain)
}

fn describe(
    path: &Path,
    map: &Heightmap,
    options: &WriteOptions,
    (format, sample): (Format, Sample),
    coding: Option<&Coding>,
) -> Sidecar {
    let heights = coding.map(|c| (c.minimum, c.maximum)).or_else(|| extent(map.samples()));
    let mut sidecar = Sidecar::of_heights(path, format, sample, &map.domain(), heights);
    sidecar.endian = format.is_raw().then_some(options.endian);
    sidecar.code_minimum = sample.codes().map(|c| c.0);
    sidecar.code_maximum = sample.codes().map(|c| c.1);
    sidecar.units.clone_from(&options.units);
    if let (Some(preset), Some((minimum, maximum))) = (options.preset, heights) {
        let domain = map.domain();
        let file = PresetFile { format, size: domain.size, spacing: domain.spacing, minimum, maximum };
        sidecar.engine = Some(preset);
        sidecar.settings = Some(preset.settings(&file));
    }
    sidecar
}
