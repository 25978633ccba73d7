//! How a heightmap is read and written.

use crate::{Effort, Endian, Format, Preset, Sample, error::Outcome, error::Problem};

/// How a heightmap is read. The default takes everything from the file and its sidecar.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The format; by default told from the content, and for raw files from the extension.
    pub format: Option<Format>,
    /// Heights of the lowest and the highest code of an integer file, or of the lowest and the highest valid
    /// sample of a real-valued one. By default the sidecar's, and without one values are taken as they are.
    pub range: Option<(f64, f64)>,
    /// The value, as stored, that marks missing samples; by default the file's or the sidecar's. Compared
    /// after both are rounded to f32.
    pub nodata: Option<f64>,
    /// World units between samples; by default the sidecar's, else the georeference's, else 1.
    pub spacing: Option<f64>,
    /// World position of the first sample; by default the sidecar's, else the georeference's, else (0, 0).
    pub origin: Option<(f64, f64)>,
    /// Columns and rows of a raw file; by default the sidecar's, else those of a square.
    pub size: Option<(usize, usize)>,
    /// Order of bytes of a raw file; by default the sidecar's, else little.
    pub endian: Option<Endian>,
    /// The most samples that a file may have; 2³¹ by default.
    pub max_samples: u64,
    /// Bytes of memory that reading may take; without a limit by default. A sample takes 4, and 12 where some
    /// are missing.
    pub memory: u64,
    /// BLAKE3 of the file, from whoever has it already: a sidecar that says which data it is of is compared
    /// with it. By default it is computed where that is needed.
    pub digest: Option<[u8; 32]>,
    /// Whether the sidecar beside the file is used; it is by default.
    pub sidecar: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            range: None,
            nodata: None,
            spacing: None,
            origin: None,
            size: None,
            endian: None,
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
    /// The lowest height becomes the lowest code, the highest the highest.
    #[default]
    MinMax,
    /// These two heights become the lowest and the highest code; what lies outside is clamped.
    Fixed(f64, f64),
    /// A height becomes the nearest whole number, clamped to the codes: what elevation models in whole metres
    /// do.
    Whole,
}

/// When a sidecar is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SidecarPolicy {
    /// When the file alone would not give the same heights, size, spacing and origin back.
    #[default]
    WhenNeeded,
    /// Always.
    Always,
    /// Never; an older sidecar of ours is removed, as it would be wrong.
    Never,
}

/// How a heightmap is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// The format; by default that of the extension.
    pub format: Option<Format>,
    /// The type of the samples; by default the format's first of [`Format::samples`].
    pub sample: Option<Sample>,
    /// How heights become integer codes; not used for real samples.
    pub range: CodeRange,
    /// Order of bytes of a raw file.
    pub endian: Endian,
    /// When a sidecar is written.
    pub sidecar: SidecarPolicy,
    /// The game engine that the file is for: it limits formats and sizes, and the sidecar, then always
    /// written, says what to enter in the engine.
    pub preset: Option<Preset>,
    /// The unit of the heights, noted in the sidecar: `m`.
    pub units: Option<String>,
    /// How hard the samples are compressed.
    pub effort: Effort,
    /// Whether to wait until the bytes are on the disk, so that they survive a power cut.
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

impl WriteOptions {
    pub(crate) fn check(&self) -> Outcome<()> {
        if let CodeRange::Fixed(low, high) = self.range {
            heights(&[low, high])?;
            if low > high {
                let value = format!("{low} to {high}");
                return Err(Problem::BadOption { name: "range", value, expected: "the lower height first" });
            }
        }
        Ok(())
    }
}

/// Heights of codes: in a map they are 32-bit numbers.
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
