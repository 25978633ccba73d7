//! What a format is called and what its files have, and the kinds of values that files hold.
//!
//! A format's constant, as [`Format::PNG`], is declared in its own file in `formats/`; here is what all of
//! them have. Nothing here reads or writes: errors name formats, and what reads and writes fails with errors,
//! so that it comes later (`codec.rs`).

use std::fmt;

use crate::Sample;

/// A file format. Its constants can stand in patterns, as an enum's variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format(pub(crate) &'static Description);

/// What is said of a format without reading or writing a file.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Description {
    /// The name in messages and sidecars; no two formats have the same.
    pub name: &'static str,
    /// Without the dot and in lower case, the usual one first.
    pub extensions: &'static [&'static str],
    /// The types of sample in which a heightmap can be written, the default first.
    pub samples: &'static [Sample],
    /// Whether a file is bare samples: it has no header, so the size and the order of bytes are in the
    /// sidecar or the options.
    pub is_raw: bool,
    /// Whether a file keeps a map's georeference, from which spacing and origin are read again.
    pub has_georef: bool,
}

impl Description {
    /// What most formats have; a description says what is its own.
    pub const DEFAULT: Self =
        Self { name: "", extensions: &[], samples: &[], is_raw: false, has_georef: false };
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

    /// The types of sample in which a heightmap can be written, the default first. More are read.
    #[must_use]
    pub const fn samples(self) -> &'static [Sample] {
        self.0.samples
    }

    /// Whether a file of this format is bare samples without a header.
    pub(crate) const fn is_raw(self) -> bool {
        self.0.is_raw
    }

    /// Whether a file of this format keeps the map's georeference.
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
