//! The JSON file beside a heightmap: the meaning of its codes and its position.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use terrane_grid::Domain;

use crate::{
    Endian, Format, LeadsOut, Preset, Problem, Sample,
    atomic::Staged,
    error::Outcome,
    json::write_json,
    open::{Open, from_disk},
};

/// Distinguishes our sidecars from other programs' JSON files.
const KIND: &str = "terrane heightmap";
const VERSION: u32 = 1;
/// The maximum size in bytes. Our sidecars have less than 1 KiB, or less than 2 KiB while they are replaced.
const MAX_BYTES: u64 = 1 << 16;

/// The content of `<file>.json` beside a heightmap's file.
///
/// Integer files: `height = minimum + (code − code_minimum) / (code_maximum − code_minimum) · (maximum −
/// minimum)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    pub(crate) kind: String,
    pub(crate) version: u32,
    /// The name of the file that the sidecar describes.
    pub name: String,
    /// The BLAKE3 hash, in hexadecimal, of the file that the sidecar was written for. The sidecar is not
    /// valid for other bytes. Without a hash, it is valid for any content: to keep it after editing the file,
    /// remove the hash.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<String>,
    /// While file and sidecar are replaced: the description of the other data.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) other: Option<Other>,
    /// The name of the format.
    pub format: String,
    /// Type of the samples: `u16`, `f32`.
    pub sample: String,
    /// The byte order of raw files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub endian: Option<Endian>,
    /// Columns and rows.
    pub size: [usize; 2],
    /// World units between samples.
    pub spacing: f64,
    /// World position of the first sample.
    pub origin: [f64; 2],
    /// The height of the lowest code. For floating-point samples, the minimum height; `None` if all heights
    /// are NaN.
    pub minimum: Option<f64>,
    /// The height of the highest code. For floating-point samples, the maximum height.
    pub maximum: Option<f64>,
    /// Lowest code of integer samples.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code_minimum: Option<f64>,
    /// Highest code of integer samples.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code_maximum: Option<f64>,
    /// The stored value that marks missing samples. This version reads it but never writes it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nodata: Option<f64>,
    /// Unit of the heights.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub units: Option<String>,
    /// The game engine that the file is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<Preset>,
    /// The settings to enter in the engine's import.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settings: Option<serde_json::Map<String, serde_json::Value>>,
}

/// The description of the other data while a file is replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Other {
    /// The digest of that data.
    pub(crate) data: String,
    /// Its sidecar, if it has one.
    pub(crate) sidecar: Option<Box<Sidecar>>,
}

impl Sidecar {
    /// An empty sidecar for a file.
    pub(crate) fn about(path: &Path) -> Self {
        Self {
            kind: KIND.into(),
            version: VERSION,
            name: path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            data: None,
            other: None,
            format: String::new(),
            sample: String::new(),
            endian: None,
            size: [0, 0],
            spacing: 1.0,
            origin: [0.0, 0.0],
            minimum: None,
            maximum: None,
            code_minimum: None,
            code_maximum: None,
            nodata: None,
            units: None,
            engine: None,
            settings: None,
        }
    }

    /// The sidecar for a file of heights, with their minimum and maximum, if any.
    pub(crate) fn of_heights(
        path: &Path,
        format: Format,
        sample: Sample,
        domain: &Domain,
        heights: Option<(f64, f64)>,
    ) -> Self {
        Self {
            format: format.to_string(),
            sample: sample.to_string(),
            size: domain.size.into(),
            spacing: domain.spacing,
            origin: domain.origin.into(),
            minimum: heights.map(|h| h.0),
            maximum: heights.map(|h| h.1),
            ..Self::about(path)
        }
    }

    /// The path of a file's sidecar: the file's name plus `.json`.
    #[must_use]
    pub fn path_of(file: &Path) -> PathBuf {
        let mut name = OsString::from(file);
        name.push(".json");
        name.into()
    }

    /// The sidecar of a file, if this program wrote one.
    ///
    /// # Errors
    /// [`Problem::Sidecar`] if it is not valid JSON, is incomplete, or has a later version: silently wrong
    /// heights would be worse. Another program's JSON does not count as a sidecar.
    pub fn of(file: &Path) -> Result<Option<Self>, Problem> {
        Self::opened(&from_disk, file)
    }

    /// Like [`Self::of`], for a sidecar opened by `open`.
    pub(crate) fn opened(open: &Open<'_>, file: &Path) -> Result<Option<Self>, Problem> {
        let sidecar = Self::path_of(file);
        let bad = |detail: String| Problem::Sidecar { sidecar: sidecar.clone(), detail };
        let mut text = String::new();
        match open(&sidecar).and_then(|f| f.content.take(MAX_BYTES + 1).read_to_string(&mut text)) {
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(bad(format!("cannot be read ({e})"))),
        }
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| bad(format!("is not valid JSON ({e})")))?;
        if value.get("kind").and_then(|k| k.as_str()) != Some(KIND) {
            return Ok(None);
        }
        let read: Self = serde_json::from_value(value).map_err(|e| bad(format!("is incomplete ({e})")))?;
        if read.version != VERSION {
            return Err(bad(format!(
                "has version {}, but this program supports only {VERSION}",
                read.version
            )));
        }
        let spacing = read.spacing > 0.0 && read.spacing.is_finite();
        // In maps, heights are 32-bit numbers.
        let heights = [read.minimum, read.maximum].into_iter().flatten().all(|v| (v as f32).is_finite());
        if !spacing || !heights || read.origin.iter().any(|v| !v.is_finite()) {
            return Err(bad("has a spacing, origin or height that is not a usable number".into()));
        }
        Ok(Some(read))
    }

    pub(crate) fn stage(&self, file: &Path, sync: bool) -> io::Result<Staged> {
        let path = Self::path_of(file);
        Staged::new(&path, sync, |w| write_json(w, self)).map_err(|error| match error.get_ref() {
            // These errors name the link.
            Some(inner) if inner.is::<LeadsOut>() => error,
            _ => io::Error::new(error.kind(), format!("its sidecar {}: {error}", path.display())),
        })
    }

    /// Removes an older sidecar that no longer describes the file. Another program's JSON stays.
    pub(crate) fn remove(file: &Path) -> io::Result<bool> {
        let stale = match Self::of(file) {
            Ok(sidecar) => sidecar.is_some(),
            Err(_) => false,
        };
        if stale {
            fs::remove_file(Self::path_of(file))?;
        }
        Ok(stale)
    }

    pub(crate) fn mismatch(file: &Path, detail: String) -> Problem {
        Problem::Sidecar { sidecar: Self::path_of(file), detail }
    }

    pub(crate) fn check_size(&self, file: &Path, size: (usize, usize)) -> Outcome<()> {
        let [width, height] = self.size;
        if (width, height) == size {
            return Ok(());
        }
        let detail = format!("says {width} x {height} samples, the file has {} x {}", size.0, size.1);
        Err(Self::mismatch(file, detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.png");
        let mut sidecar = Sidecar::about(&file);
        sidecar.spacing = 0.1 + 0.2;
        sidecar.origin = [-1.0 / 3.0, 5e-324];
        sidecar.minimum = Some(f64::from(f32::MIN_POSITIVE));
        sidecar.stage(&file, false).unwrap().commit().unwrap();
        assert_eq!(Sidecar::of(&file).unwrap().unwrap(), sidecar);
        assert!(Sidecar::remove(&file).unwrap());
        assert_eq!(Sidecar::of(&file).unwrap(), None);
    }

    #[test]
    fn foreign_json_is_ignored_and_broken_sidecars_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.png");
        let put = |text: &str| fs::write(Sidecar::path_of(&file), text).unwrap();
        put(r#"{"kind": "texture"}"#);
        assert_eq!(Sidecar::of(&file).unwrap(), None);
        assert!(!Sidecar::remove(&file).unwrap());
        put(r#"{"kind": "terr"#);
        assert!(Sidecar::of(&file).unwrap_err().to_string().contains("is not valid JSON"));
        put(r#"{"kind": "terrane heightmap", "version": 1}"#);
        assert!(Sidecar::of(&file).unwrap_err().to_string().contains("incomplete"));
        let mut later = Sidecar::about(&file);
        later.version = 2;
        put(&serde_json::to_string(&later).unwrap());
        assert!(Sidecar::of(&file).unwrap_err().to_string().contains("version 2"));
        let mut flat = Sidecar::about(&file);
        flat.spacing = 0.0;
        put(&serde_json::to_string(&flat).unwrap());
        assert!(Sidecar::of(&file).is_err());
        let mut high = Sidecar::about(&file);
        high.maximum = Some(1e39);
        put(&serde_json::to_string(&high).unwrap());
        assert!(Sidecar::of(&file).is_err(), "as a 32-bit number it is infinite");
    }
}
