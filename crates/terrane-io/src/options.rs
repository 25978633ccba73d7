//! Options for reading and writing heightmaps.

use std::sync::Arc;

use terrane_grid::Place;

use crate::{Effort, Endian, Format, Preset, Sample, error::Outcome, error::Problem};

/// Options for reading a heightmap. By default everything comes from the file and its sidecar.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The format. Default: recognised from the content, or from the extension for raw files.
    pub format: Option<Format>,
    /// The heights of the lowest and highest code of an integer file, or of 0 and 1 in a floating-point file.
    /// Default: the sidecar's; without a sidecar, values are used as they are.
    pub range: Option<(f64, f64)>,
    /// A stored value that marks missing samples, in addition to the sidecar's or, without one, the file's
    /// own. It is compared with samples as they are stored.
    pub nodata: Option<f64>,
    /// Whether missing samples are filled from their surroundings. Otherwise they are not-a-number. Default:
    /// true.
    pub fill: bool,
    /// World units between samples. Default: the sidecar's, otherwise the georeference's, otherwise 1.
    pub spacing: Option<f64>,
    /// World position of the first sample. Default: the sidecar's, otherwise the georeference's, otherwise
    /// (0, 0).
    pub origin: Option<(f64, f64)>,
    /// Columns and rows of a raw file. Default: the sidecar's, otherwise a square.
    pub size: Option<(usize, usize)>,
    /// Byte order of a raw file. Default: the sidecar's, otherwise little-endian.
    pub endian: Option<Endian>,
    /// The channel of an `OpenEXR` that has several: its name, or `part/name` if several parts have one of
    /// that name. A part without a name has its number. Default: the only channel.
    pub channel: Option<String>,
    /// The maximum number of samples in a file. Default: 2³¹.
    pub max_samples: u64,
    /// The maximum memory for reading, in bytes. Default: no limit. A sample needs 4 bytes, or 12 if some are
    /// missing.
    pub memory: u64,
    /// The BLAKE3 hash of the file, if the caller already has it. It is compared with the sidecar's `data`.
    /// Default: computed if needed.
    pub digest: Option<[u8; 32]>,
    /// Whether to use the sidecar beside the file. Default: true.
    pub sidecar: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            range: None,
            nodata: None,
            fill: true,
            spacing: None,
            origin: None,
            size: None,
            endian: None,
            channel: None,
            max_samples: 1 << 31,
            memory: u64::MAX,
            digest: None,
            sidecar: true,
        }
    }
}

/// How heights become integer codes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CodeRange {
    /// The minimum height becomes the lowest code, the maximum the highest.
    #[default]
    MinMax,
    /// These two heights become the lowest and the highest code; heights outside are clamped.
    Fixed(f64, f64),
    /// A height becomes the nearest integer, clamped to the codes, as in elevation models in whole metres.
    Whole,
}

/// Options for writing a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// How strongly a PNG is compressed.
    pub effort: Effort,
    /// Quality of a JPEG, from 1 (smallest) to 100 (best). Default: 90.
    pub quality: u8,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { effort: Effort::default(), quality: 90 }
    }
}

impl From<Effort> for PictureOptions {
    fn from(effort: Effort) -> Self {
        Self { effort, ..Self::default() }
    }
}

impl From<&WriteOptions> for PictureOptions {
    fn from(options: &WriteOptions) -> Self {
        let default = Self::default();
        Self { effort: options.effort, quality: options.quality.unwrap_or(default.quality) }
    }
}

/// When to write a sidecar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidecarPolicy {
    /// Only if the file alone would not restore the same heights, size, spacing and origin.
    #[default]
    WhenNeeded,
    /// Always.
    Always,
    /// Never. An older sidecar of this program is removed, because it would be wrong.
    Never,
}

/// Options for writing a heightmap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// The format. Default: that of the extension.
    pub format: Option<Format>,
    /// The type of the samples. Default: the first of [`Format::samples`].
    pub sample: Option<Sample>,
    /// How heights become integer codes; not used for floating-point samples.
    pub range: CodeRange,
    /// Byte order of a raw file.
    pub endian: Endian,
    /// When to write a sidecar.
    pub sidecar: SidecarPolicy,
    /// The place of the world on a map, for formats that store one. Default: the map's own georeference,
    /// otherwise the world is its own map.
    pub place: Option<Arc<Place>>,
    /// The game engine that the file is for. It restricts formats and sizes. The sidecar is then always
    /// written and lists the settings to enter in the engine.
    pub preset: Option<Preset>,
    /// The unit of the heights for the sidecar, such as `m`.
    pub units: Option<String>,
    /// How strongly the samples are compressed.
    pub effort: Effort,
    /// Quality of a JPEG, from 1 to 100. Default: 90.
    pub quality: Option<u8>,
    /// Whether to wait until the bytes are on disk, so that they survive a power cut.
    pub sync: bool,
}

impl ReadOptions {
    pub(crate) fn check(&self) -> Outcome<()> {
        if let Some((low, high)) = self.range {
            heights(&[low, high])?;
        }
        if let Some((x, y)) = self.origin {
            finite("origin", &[x, y])?;
        }
        let bad = |name, value: String, expected| Err(Problem::BadOption { name, value, expected });
        match (self.spacing, self.size) {
            (Some(spacing), _) if !(spacing > 0.0 && spacing.is_finite()) => {
                bad("spacing", spacing.to_string(), "a finite number above zero")
            }
            (_, Some((width, height))) if width == 0 || height == 0 => {
                bad("size", format!("{width} x {height}"), "at least one column and one row")
            }
            _ => Ok(()),
        }
    }
}

impl PictureOptions {
    pub(crate) fn check(self) -> Outcome<()> {
        if (1..=100).contains(&self.quality) {
            return Ok(());
        }
        let (value, expected) = (self.quality.to_string(), "a quality from 1 to 100");
        Err(Problem::BadOption { name: "quality", value, expected })
    }
}

impl WriteOptions {
    pub(crate) fn check(&self) -> Outcome<()> {
        if let CodeRange::Fixed(low, high) = self.range {
            heights(&[low, high])?;
            if low > high {
                let value = format!("{low} to {high}");
                return Err(Problem::BadOption {
                    name: "range",
                    value,
                    expected: "the lower height and then the higher one",
                });
            }
        }
        Ok(())
    }
}

/// Checks that the heights of codes stay finite when a map stores them as 32-bit numbers.
fn heights(values: &[f64]) -> Outcome<()> {
    match values.iter().find(|&&height| !(height as f32).is_finite()) {
        Some(height) => Err(Problem::BadOption {
            name: "range",
            value: height.to_string(),
            expected: "finite heights within 3.4e38 of 0",
        }),
        None => Ok(()),
    }
}

fn finite(name: &'static str, values: &[f64]) -> Outcome<()> {
    match values.iter().find(|v| !v.is_finite()) {
        Some(value) => Err(Problem::BadOption { name, value: value.to_string(), expected: "finite numbers" }),
        None => Ok(()),
    }
}
