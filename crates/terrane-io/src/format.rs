//! The formats, what they hold, and how to tell them.

use std::{fmt, path::Path};

use crate::{IoError, Problem, Sample};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Network Graphics: grey of 8 or 16 bits, or pictures.
    Png,
    /// TIFF and GeoTIFF.
    Tiff,
    /// OpenEXR.
    Exr,
    /// `NumPy`'s array file.
    Npy,
    /// Bare unsigned 16-bit samples, row by row.
    Raw16,
    /// Bare 32-bit real samples, row by row.
    Raw32,
    /// Moving pictures of 256 colours each.
    Gif,
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0 as text with its buffer inside.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
}

/// A kind of value that a file can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A [`Heightmap`](terrane_grid::Heightmap): any scalar map.
    Heightmap,
    /// A `Grid<[u8; 3]>` of sRGB samples.
    Picture,
    /// Several pictures, one after the other.
    Animation,
    /// A [`Mesh`](terrane_grid::Mesh).
    Mesh,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 10] = [
        Self::Png,
        Self::Tiff,
        Self::Exr,
        Self::Npy,
        Self::Raw16,
        Self::Raw32,
        Self::Gif,
        Self::Obj,
        Self::Gltf,
        Self::Glb,
    ];

    /// The format that a file's extension names, whatever its case.
    #[must_use]
    pub fn from_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The extensions of a format, without the dot, the usual one first.
    #[must_use]
    pub const fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Tiff => &["tif", "tiff"],
            Self::Exr => &["exr"],
            Self::Npy => &["npy"],
            Self::Raw16 => &["r16", "raw"],
            Self::Raw32 => &["r32", "f32"],
            Self::Gif => &["gif"],
            Self::Obj => &["obj"],
            Self::Gltf => &["gltf"],
            Self::Glb => &["glb"],
        }
    }

    /// Whether a value of this kind can be written to this format.
    #[must_use]
    pub fn holds(self, kind: Kind) -> bool {
        kind.formats().contains(&self)
    }

    /// The types of sample in which a heightmap can be written, the default first. More are read.
    #[must_use]
    pub const fn samples(self) -> &'static [Sample] {
        match self {
            Self::Png => &[Sample::U16, Sample::U8],
            Self::Tiff => &[Sample::F32, Sample::U16, Sample::I16, Sample::U8],
            Self::Exr | Self::Npy | Self::Raw32 => &[Sample::F32],
            Self::Raw16 => &[Sample::U16],
            Self::Gif | Self::Obj | Self::Gltf | Self::Glb => &[],
        }
    }

    /// The raster format that a file's first bytes show. Raw files show nothing.
    #[must_use]
    pub fn from_content(start: &[u8]) -> Option<Self> {
        const TIFF: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];
        if start.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if TIFF.iter().any(|magic| start.starts_with(magic)) {
            Some(Self::Tiff)
        } else if start.starts_with(&[0x76, 0x2f, 0x31, 0x01]) {
            Some(Self::Exr)
        } else if start.starts_with(b"\x93NUMPY") {
            Some(Self::Npy)
        } else {
            None
        }
    }

    /// Whether a file of this format is bare samples without a header.
    pub(crate) const fn is_raw(self) -> bool {
        matches!(self, Self::Raw16 | Self::Raw32)
    }
}

impl Kind {
    /// The format that a file's extension names, where it holds values of this kind.
    pub(crate) fn format_of(self, path: &Path) -> Result<Format, IoError> {
        match Format::from_extension(path) {
            Some(format) if format.holds(self) => Ok(format),
            Some(format) => Err(Problem::WrongKind { format, kind: self }.at(path)),
            None => Err(Problem::UnknownExtension { kind: self }.at(path)),
        }
    }

    /// The formats that hold a value of this kind, the best first.
    #[must_use]
    pub const fn formats(self) -> &'static [Format] {
        match self {
            Self::Heightmap => {
                &[Format::Tiff, Format::Npy, Format::Exr, Format::Png, Format::Raw16, Format::Raw32]
            }
            Self::Picture => &[Format::Png],
            Self::Animation => &[Format::Gif],
            Self::Mesh => &[Format::Glb, Format::Gltf, Format::Obj],
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Tiff => "TIFF",
            Self::Exr => "OpenEXR",
            Self::Npy => "NPY",
            Self::Raw16 => "raw 16-bit",
            Self::Raw32 => "raw 32-bit",
            Self::Gif => "GIF",
            Self::Obj => "OBJ",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Heightmap => "heightmap",
            Self::Picture => "picture",
            Self::Animation => "moving picture",
            Self::Mesh => "mesh",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_one_format_each() {
        for format in Format::ALL {
            for extension in format.extensions() {
                let path = format!("a.b/c.{}", extension.to_uppercase());
                assert_eq!(Format::from_extension(Path::new(&path)), Some(format));
            }
        }
        assert_eq!(Format::from_extension(Path::new("png")), None);
        assert_eq!(Format::from_extension(Path::new("a.jpeg")), None);
    }

    #[test]
    fn heightmap_formats_are_those_with_samples() {
        for format in Format::ALL {
            assert_eq!(format.holds(Kind::Heightmap), !format.samples().is_empty(), "{format}");
        }
    }
}
