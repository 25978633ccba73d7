//! Formats that a build lacks, because it was compiled without their features.

use std::path::Path;

use crate::{Format, Problem, lines};

impl Format {
    /// Checks that this build can read and write the format.
    ///
    /// # Errors
    /// [`Problem::Missing`] if the build lacks the format's feature.
    pub fn check_built(self) -> Result<(), Problem> {
        if self.0.missing.is_some() { Err(self.missing()) } else { Ok(()) }
    }

    /// The error for a format that this build lacks.
    pub(crate) fn missing(self) -> Problem {
        Problem::Missing { format: self.0.name, feature: self.0.missing.unwrap_or("default") }
    }
}

/// Checks that this build can read files with this extension. An unknown extension is accepted: the content
/// decides.
///
/// # Errors
/// [`Problem::Missing`] if the build lacks the format's feature.
pub fn check_readable(path: &Path) -> Result<(), Problem> {
    if lines::is_svg(path) && !cfg!(feature = "svg") {
        return Err(lines::NO_SVG);
    }
    Format::from_extension(path).map_or(Ok(()), Format::check_built)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Effort, Kind, ReadOptions, WriteOptions, read_heightmap, read_lines, read_picture, write_heightmap,
        write_picture,
    };
    use terrane_grid::{Domain, Grid, Heightmap};

    const EXR: bool = cfg!(feature = "exr");
    const IMAGE: bool = cfg!(feature = "image");

    /// Extensions, each with the feature that it needs, whether this build has the feature, and the start of
    /// such a file.
    const GATED: [(&str, &str, bool, &[u8]); 6] = [
        ("exr", "exr", EXR, b"\x76\x2f\x31\x01\x02"),
        ("svg", "svg", cfg!(feature = "svg"), b"<svg/>"),
        ("jpg", "image", IMAGE, b"\xff\xd8\xff\xe0\x00\x02\xff"),
        ("webp", "image", IMAGE, b"RIFF\x10\0\0\0WEBPVP8 "),
        ("bmp", "image", IMAGE, b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0"),
        ("tga", "image", IMAGE, b"\0\0\x02"),
    ];

    #[test]
    fn a_build_without_a_format_knows_its_extension_and_names_the_feature() {
        let folder = tempfile::tempdir().unwrap();
        for (extension, feature, is_built, start) in GATED {
            let path = folder.path().join(format!("a.{extension}"));
            assert_eq!(check_readable(&path).is_ok(), is_built);
            if is_built {
                continue;
            }
            std::fs::write(&path, start).unwrap();
            let mut errors = vec![check_readable(&path).unwrap_err().at(&path)];
            if extension == "svg" {
                errors.push(read_lines(&path).unwrap_err());
            } else {
                let map = Heightmap::constant(Domain::new(3, 3), 1.0);
                errors.push(write_heightmap(&path, &map, &WriteOptions::default()).unwrap_err());
                errors.push(read_heightmap(&path, &ReadOptions::default()).unwrap_err());
            }
            if feature == "image" {
                errors.push(write_picture(&path, &Grid::filled(3, 3, [1, 2, 3]), Effort::Fast).unwrap_err());
                errors.push(read_picture(&path, 9).unwrap_err());
            }
            for error in errors {
                let text = error.to_string();
                assert!(text.contains("this build has no"), "{text}");
                assert!(text.ends_with(&format!("use a build with the feature `{feature}`")), "{text}");
            }
            let format = Format::from_extension(&path);
            let kinds = [Kind::Heightmap, Kind::Picture];
            assert!(kinds.iter().all(|kind| format.is_none_or(|format| !kind.formats().contains(&format))));
        }
    }

    #[test]
    fn other_extensions_are_in_every_build() {
        for name in ["a.tif", "a.png", "a.npy", "a.raw", "a.geojson", "a.csv", "a.unknown", "a"] {
            assert!(check_readable(Path::new(name)).is_ok(), "{name}");
        }
    }
}
