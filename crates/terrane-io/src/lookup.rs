//! Finding formats by extension, by content and by kind of value, in the table of all formats.

use std::path::Path;

use crate::{
    Format, IoError, Kind, Problem,
    codec::{Codec, Reader},
    formats::CODECS,
};

impl Format {
    /// Every format.
    pub const ALL: [Self; CODECS.len()] = {
        let mut all = [CODECS[0].format; CODECS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = CODECS[index].format;
            index += 1;
        }
        all
    };

    /// The format of a file's extension, in upper or lower case.
    #[must_use]
    pub fn from_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The raster format recognised from a file's first bytes. Raw files are never recognised.
    #[must_use]
    pub fn from_content(start: &[u8]) -> Option<Self> {
        let recognises = |codec: &&Codec| codec.reader.is_some_and(|reader| (reader.recognise)(start));
        CODECS.iter().copied().find(recognises).map(|codec| codec.format)
    }

    /// Whether a value of this kind can be written to this format.
    #[must_use]
    pub fn holds(self, kind: Kind) -> bool {
        self.codec().is_some_and(|codec| codec.holds(kind))
    }

    /// The functions that read heightmaps of this format.
    pub(crate) fn reader(self) -> Option<Reader> {
        self.codec()?.reader
    }

    /// The functions of this format. A test checks that every format is in the table.
    pub(crate) fn codec(self) -> Option<&'static Codec> {
        CODECS.iter().copied().find(|codec| codec.format == self)
    }
}

impl Kind {
    /// The formats that hold a value of this kind, the preferred one first.
    #[must_use]
    pub const fn formats(self) -> &'static [Format] {
        match self {
            Self::Heightmap => const { &holding::<{ count(Self::Heightmap) }>(Self::Heightmap) },
            Self::Picture => const { &holding::<{ count(Self::Picture) }>(Self::Picture) },
            Self::Animation => const { &holding::<{ count(Self::Animation) }>(Self::Animation) },
            Self::Mesh => const { &holding::<{ count(Self::Mesh) }>(Self::Mesh) },
        }
    }

    /// The codec for a file's extension, with the function that `writer` selects: the one for values of this
    /// kind.
    pub(crate) fn writer<W>(
        self,
        path: &Path,
        writer: impl FnOnce(&Codec) -> Option<W>,
    ) -> Result<(&'static Codec, W), IoError> {
        let format = Format::from_extension(path);
        let format = format.ok_or_else(|| Problem::UnknownExtension { kind: self }.at(path))?;
        format.check_built().map_err(|problem| problem.at(path))?;
        let found = format.codec().and_then(|codec| Some((codec, writer(codec)?)));
        found.ok_or_else(|| Problem::WrongKind { format, kind: self }.at(path))
    }
}

/// The number of formats that hold a kind.
const fn count(kind: Kind) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < CODECS.len() {
        count += CODECS[index].holds(kind) as usize;
        index += 1;
    }
    count
}

/// The formats that hold a kind, in the order of the table. `N` is their number.
const fn holding<const N: usize>(kind: Kind) -> [Format; N] {
    let mut all = [CODECS[0].format; N];
    let (mut count, mut index) = (0, 0);
    while index < CODECS.len() {
        if CODECS[index].holds(kind) {
            all[count] = CODECS[index].format;
            count += 1;
        }
        index += 1;
    }
    all
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
        assert_eq!(Format::from_extension(Path::new("a.jp2")), None);
    }

    #[test]
    fn heightmap_formats_are_those_with_samples() {
        for format in Format::ALL {
            assert_eq!(format.holds(Kind::Heightmap), !format.samples().is_empty(), "{format}");
        }
    }

    #[test]
    fn formats_of_a_kind_are_in_the_order_of_the_table() {
        for kind in [Kind::Heightmap, Kind::Picture, Kind::Animation, Kind::Mesh] {
            let wanted: Vec<_> = Format::ALL.into_iter().filter(|format| format.holds(kind)).collect();
            assert_eq!(kind.formats(), wanted, "{kind}");
        }
        let best = |kind: Kind| kind.formats()[0];
        assert_eq!((best(Kind::Heightmap), best(Kind::Mesh)), (Format::TIFF, Format::GLB));
    }
}
