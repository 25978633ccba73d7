//! What an integer or bare file does not say about its heights, in a JSON file beside it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A description of a raster: enough to recover its heights and place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Version of this description.
    pub terrane_sidecar: u32,
    /// Name of the raster's file.
    pub file: String,
    /// How samples are stored: `u8`, `u16` or `f32`, and for bare files the byte order.
    pub samples: String,
    /// Columns and rows.
    pub size: [usize; 2],
    /// World units between samples.
    pub spacing: f64,
    /// World position of the first sample.
    pub origin: [f64; 2],
    /// Height of code 0, in integer files.
    pub minimum: f64,
    /// Height of the greatest code.
    pub maximum: f64,
    /// The greatest code: 255 or 65535; 0 where heights are stored as they are.
    pub greatest_code: u32,
}

impl Sidecar {
    /// The version written now.
    pub const VERSION: u32 = 1;

    /// The height that a code stands for.
    #[must_use]
    pub fn height(&self, code: f64) -> f64 {
        if self.greatest_code == 0 {
            return code;
        }
        self.minimum + code / f64::from(self.greatest_code) * (self.maximum - self.minimum)
    }

    /// The description beside a raster, where there is one that fits it.
    #[must_use]
    pub fn beside(raster: &Path) -> Option<Self> {
        const LONGEST: u64 = 1 << 16;
        let path = sidecar_path(raster);
        if std::fs::metadata(&path).ok()?.len() > LONGEST {
            return None;
        }
        let sidecar: Self = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        (sidecar.terrane_sidecar == Self::VERSION).then_some(sidecar)
    }
}

/// `FILE.json` for FILE.
#[must_use]
pub fn sidecar_path(raster: &Path) -> PathBuf {
    let mut name = raster.as_os_str().to_owned();
    name.push(".json");
    name.into()
}
