//! The names and properties of formats, and the kinds of values that files hold.
//!
//! A format's constant, such as [`Format::PNG`], is declared in its own file in `formats/`; this file has
//! what all formats share. Nothing here reads or writes files. Errors name formats, and the code that reads
//! and writes files returns errors, so that code is in `codec.rs`.

use std::fmt;

use crate::Sample;

/// A file format. Its constants can be used as patterns, like an enum's variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format(pub(crate) &'static Description);

/// The static properties of a format.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Description {
    /// The name in messages and sidecars, unique among formats.
    pub name: &'static str,
    /// Extensions in lower case without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// The sample types in which a heightmap can be written, the default first.
    pub samples: &'static [Sample],
    /// Whether a file is only samples: it has no header, so size and byte order come from the sidecar or the
    /// options.
    pub is_raw: bool,
    /// Whether files start with bytes by which they are recognised. The extension alone names other formats.
    pub has_magic: bool,
    /// Whether a file stores a map's georeference, from which spacing and origin can be read.
    pub has_georef: bool,
    /// Whether pictures are written with a chosen loss.
    pub has_quality: bool,
    /// Memory for writing a picture in addition to the picture, in bytes per sample, for a format that is not
    /// written piece by piece.
    pub work: u64,
    /// The feature of this crate that the format needs, if the build lacks it.
    pub missing: Option<&'static str>,
}

impl Description {
    /// The defaults; each format overrides its own.
    pub const DEFAULT: Self = Self {
        name: "",
        extensions: &[],
        samples: &[],
        is_raw: false,
        has_magic: true,
        has_georef: false,
        has_quality: false,
        work: 0,
        missing: None,
    };
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
    /// The extensions of a format, without the dot, the usual one first.
    #[must_use]
    pub const fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions
    }

    /// The sample types in which a heightmap can be written, the default first. More types can be read.
    #[must_use]
    pub const fn samples(self) -> &'static [Sample] {
        self.0.samples
    }

    /// Whether a file of this format is only samples without a header.
    pub(crate) const fn is_raw(self) -> bool {
        self.0.is_raw
    }

    /// Whether the content of a file tells that it has this format.
    pub(crate) const fn has_magic(self) -> bool {
        self.0.has_magic
    }

    /// Whether pictures are written with a quality, which decides how much of them is lost.
    #[must_use]
    pub const fn has_quality(self) -> bool {
        self.0.has_quality
    }

    /// Memory for writing a picture in addition to the picture, in bytes per sample. It is 0 for formats that
    /// are written piece by piece.
    #[must_use]
    pub const fn work(self) -> u64 {
        self.0.work
    }

    /// Whether a file of this format stores the map's georeference.
    pub(crate) const fn has_georef(self) -> bool {
        self.0.has_georef
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
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
