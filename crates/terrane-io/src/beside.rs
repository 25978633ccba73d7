//! What other files beside a raster say of it: GDAL's auxiliary file and mask, a world file, and a file with
//! the reference system.

use std::{
    ffi::OsString,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use terrane_grid::GeoReference;

use crate::{
    Format, Problem, ReadOptions, Sidecar,
    codec::{Input, Layout},
    error::Outcome,
    exact::Given,
    limits::Limits,
    open::{Open, Opened},
    pam::{self, Pam},
    raster::Raster,
    srs, world_file,
};

/// The largest file with a reference system that is read, in bytes.
const LONGEST_PRJ: u64 = 1 << 16;

/// What options, the sidecar and the auxiliary file say of the numbers of a raster, and of its place.
#[derive(Default)]
pub(crate) struct Beside {
    /// Numbers that mark missing samples, besides the file's own.
    pub nodata: Vec<String>,
    /// Whether the file's own number for missing samples does not count.
    pub replaces_nodata: bool,
    /// Scale and offset instead of the file's own.
    pub scale: Option<(f64, f64)>,
    /// The unit of heights, instead of the file's own.
    pub unit: Option<String>,
    /// What cannot be used.
    pub warnings: Vec<String>,
    pam: Pam,
}

/// The names of the files that may lie beside a raster, apart from its sidecar.
pub(crate) fn names(path: &Path) -> Vec<PathBuf> {
    let mut names = world_file::names(path);
    names.extend([added(path, ".aux.xml"), added(path, ".msk")]);
    names.extend(prj_names(path));
    names
}

fn added(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

fn prj_names(path: &Path) -> [PathBuf; 2] {
    ["prj", "PRJ"].map(|extension| path.with_extension(extension))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The content of a small text file, if it exists. What is not UTF-8 is Latin-1, as older programs write it.
fn text(open: &Open<'_>, path: &Path, longest: u64) -> io::Result<Option<String>> {
    let Opened { content, length } = match open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if length > longest {
        return Err(io::Error::other(format!("it is longer than {longest} bytes")));
    }
    let mut bytes = Vec::new();
    content.take(longest).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|other| other.as_bytes().iter().copied().map(char::from).collect());
    Ok(Some(text))
}

impl Beside {
    /// Reads what lies beside a raster, apart from its mask.
    pub fn of(open: &Open<'_>, path: &Path, options: &ReadOptions, sidecar: Option<&Sidecar>) -> Self {
        let file = added(path, ".aux.xml");
        let (name, mut warnings) = (file_name(&file), Vec::new());
        let text = text(open, &file, pam::LONGEST as u64).map_err(|error| error.to_string());
        let pam = match text.and_then(|text| text.as_deref().map_or(Ok(Pam::default()), pam::parse)) {
            Ok(pam) => pam,
            Err(why) => {
                warnings.push(format!("{name} is not used: {why}"));
                Pam::default()
            }
        };
        warnings.extend(pam.unused.map(|what| {
            format!("{name} places the raster by {what}, which is not used: `gdalwarp` makes it upright")
        }));
        let instead = sidecar.and_then(|s| s.nodata).map(|number| number.to_string());
        let instead = instead.or_else(|| pam.nodata.clone());
        Self {
            replaces_nodata: instead.is_some(),
            nodata: options.nodata.map(|number| number.to_string()).into_iter().chain(instead).collect(),
            scale: pam.scale,
            unit: pam.unit.clone(),
            warnings,
            pam,
        }
    }

    /// Places a raster: by the auxiliary file, by its own tags, or by a world file. Returns warnings of files
    /// that cannot be used.
    pub fn place(&self, open: &Open<'_>, path: &Path, georef: &mut Option<GeoReference>) -> Vec<String> {
        let mut warnings = Vec::new();
        let is_point = georef.as_ref().is_some_and(GeoReference::is_point);
        let is_placed = georef.as_ref().is_some_and(GeoReference::is_placed);
        let matrix = match self.pam.transform {
            Some(transform) => Some(matrix(transform, is_point)),
            None if is_placed => None,
            None => world_file::read(open, path, is_point).unwrap_or_else(|warning| {
                warnings.push(warning);
                None
            }),
        };
        if let Some(matrix) = matrix {
            let georef = georef.get_or_insert_default();
            (georef.pixel_scale, georef.tiepoints, georef.transformation) = (Vec::new(), Vec::new(), matrix);
        }
        if let Some(reference) = &self.pam.reference
            && let Err(why) = srs::apply(reference, georef.get_or_insert_default())
        {
            let name = file_name(&added(path, ".aux.xml"));
            warnings.push(format!("the reference system in {name} is not used: {why}"));
        }
        if let Some(georef) = georef.as_mut().filter(|georef| georef.is_placed() && !has_reference(georef)) {
            warnings.extend(refer_by_prj(open, path, georef));
        }
        warnings
    }

    /// What is known of the numbers in the file.
    pub fn given(&self, options: &ReadOptions, sidecar: Option<&Sidecar>) -> Given<'_> {
        let is_coded =
            |s: &Sidecar| [s.minimum, s.maximum, s.code_minimum, s.code_maximum].iter().all(Option::is_some);
        Given {
            nodata: &self.nodata,
            replaces_nodata: self.replaces_nodata,
            scale: self.scale,
            is_coded: options.range.is_some() || sidecar.is_some_and(is_coded),
        }
    }

    /// Whether a mask lies beside a raster.
    pub fn has_mask(open: &Open<'_>, path: &Path) -> bool {
        open(&added(path, ".msk")).is_ok()
    }
}

/// Whether a raster's own tags name its reference system.
fn has_reference(georef: &GeoReference) -> bool {
    georef.key_directory.chunks_exact(4).skip(1).any(|key| matches!(key[0], 1024 | 2048 | 3072))
}

/// The tag of a matrix, from the corner of the first sample.
fn matrix([x, a, b, y, d, e]: [f64; 6], is_point: bool) -> Vec<f64> {
    let half = if is_point { 0.5 } else { 0.0 };
    let mut matrix = vec![0.0; 16];
    (matrix[0], matrix[1], matrix[3]) = (a, b, x + half * (a + b));
    (matrix[4], matrix[5], matrix[7]) = (d, e, y + half * (d + e));
    matrix[15] = 1.0;
    matrix
}

/// Takes the reference system from a `.prj` file.
fn refer_by_prj(open: &Open<'_>, path: &Path, georef: &mut GeoReference) -> Option<String> {
    for file in prj_names(path) {
        let why = match text(open, &file, LONGEST_PRJ) {
            Ok(None) => continue,
            Ok(Some(text)) => match srs::apply(&text, georef) {
                Ok(()) => return None,
                Err(why) => why.to_owned(),
            },
            Err(error) => error.to_string(),
        };
        return Some(format!("{} is not used: {why}", file_name(&file)));
    }
    None
}

/// Marks the samples of a raster as missing that the mask beside it marks.
pub(crate) fn mask(open: &Open<'_>, path: &Path, raster: &mut Raster, limits: Limits) -> Outcome<()> {
    let file = added(path, ".msk");
    let Opened { content, length } = match open(&file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Problem::Read(error)),
    };
    let size = (raster.width, raster.height);
    limits.with_missing(size)?;
    let mut source = BufReader::new(content);
    let read = || {
        let reader = Format::TIFF.reader()?;
        // Not more than the raster itself.
        let limits = Limits { samples: (size.0 * size.1) as u64, ..limits };
        let input = Input { source: &mut source, length, limits, layout: Layout::default() };
        (reader.read)(input).ok()
    };
    match { read }().filter(|mask| (mask.width, mask.height) == size) {
        Some(mask) => {
            let missing = mask.samples.iter().map(|&known| known == 0.0);
            match &mut raster.transparent {
                Some(all) => all.iter_mut().zip(missing).for_each(|(all, missing)| *all |= missing),
                None => raster.transparent = Some(missing.collect()),
            }
        }
        None => raster.warnings.push(format!(
            "{} is not used: it is not a mask of one channel with the size of the raster",
            file_name(&file)
        )),
    }
    Ok(())
}
