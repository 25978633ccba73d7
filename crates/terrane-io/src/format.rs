//! Which files hold what.

use std::path::Path;

/// A format of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Network Graphics: 8 or 16 bit grey, or 8 bit colour.
    Png,
    /// TIFF, with the tags of GeoTIFF where they are known.
    Tiff,
    /// OpenEXR, one channel of f32.
    Exr,
    /// NumPy's array format.
    Npy,
    /// Bare 16 bit codes.
    R16,
    /// Bare 32 bit floats.
    R32,
    /// Wavefront OBJ.
    Obj,
    /// glTF as text with everything embedded.
    Gltf,
    /// glTF in one binary file.
    Glb,
    /// JSON, for numbers and tables.
    Json,
    /// Comma-separated values, for tables.
    Csv,
}

impl Format {
    /// Every format with its extensions.
    pub const ALL: &[(Self, &[&str])] = &[
        (Self::Png, &["png"]),
        (Self::Tiff, &["tif", "tiff"]),
        (Self::Exr, &["exr"]),
        (Self::Npy, &["npy"]),
        (Self::R16, &["r16", "raw"]),
        (Self::R32, &["r32"]),
        (Self::Obj, &["obj"]),
        (Self::Gltf, &["gltf"]),
        (Self::Glb, &["glb"]),
        (Self::Json, &["json"]),
        (Self::Csv, &["csv"]),
    ];

    /// Formats that a heightmap can be written to.
    pub const HEIGHTMAP: &[Self] = &[Self::Png, Self::Tiff, Self::Exr, Self::Npy, Self::R16, Self::R32];
    /// Formats that a picture can be written to.
    pub const PICTURE: &[Self] = &[Self::Png];
    /// Formats that a mesh can be written to.
    pub const MESH: &[Self] = &[Self::Obj, Self::Gltf, Self::Glb];

    /// The format that a file's extension names, in any case.
    #[must_use]
    pub fn from_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .iter()
            .find(|(_, extensions)| extensions.contains(&extension.as_str()))
            .map(|(format, _)| *format)
    }

    /// The extension written by default.
    #[must_use]
    pub fn extension(self) -> &'static str {
        Self::ALL.iter().find(|(format, _)| *format == self).map_or("", |(_, extensions)| extensions[0])
    }

    /// The format that the first bytes of a file show; bare numbers show nothing.
    #[must_use]
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        let starts = |magic: &[u8]| bytes.starts_with(magic);
        if starts(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if starts(b"II*\0") || starts(b"MM\0*") || starts(b"II+\0") || starts(b"MM\0+") {
            Some(Self::Tiff)
        } else if starts(b"\x76\x2f\x31\x01") {
            Some(Self::Exr)
        } else if starts(b"\x93NUMPY") {
            Some(Self::Npy)
        } else {
            None
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, ".{}", self.extension())
    }
}
