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
    use crate::{Kind, WriteOptions, read_heightmap, read_lines, write_heightmap};
    use terrane_grid::{Domain, Heightmap};

    /// Extensions, each with the feature that it needs and whether this build has the feature.
    const GATED: &[(&str, &str, bool)] =
        &[("exr", "exr", cfg!(feature = "exr")), ("svg", "svg", cfg!(feature = "svg"))];

    #[test]
    fn a_build_without_a_format_knows_its_extension_and_names_the_feature() {
        let folder = tempfile::tempdir().unwrap();
        for &(extension, feature, is_built) in GATED {
            let path = folder.path().join(format!("a.{extension}"));
            assert_eq!(check_readable(&path).is_ok(), is_built);
            if is_built {
                continue;
            }
            let mut errors = vec![check_readable(&path).unwrap_err().at(&path)];
            if let Some(format) = Format::from_extension(&path) {
                assert!(!Kind::Heightmap.formats().contains(&format));
                let map = Heightmap::constant(Domain::new(3, 3), 1.0);
                errors.push(write_heightmap(&path, &map, &WriteOptions::default()).unwrap_err());
            }
            std::fs::write(&path, b"\x76\x2f\x31\x01, then more").unwrap();
            errors.push(match extension {
                "svg" => read_lines(&path).unwrap_err(),
                _ => read_heightmap(&path, &crate::ReadOptions::default()).unwrap_err(),
            });
            for error in errors {
                let text = error.to_string();
                assert!(text.contains("this build of Terrane has no support for"), "{text}");
                assert!(text.ends_with(&format!("build it with the feature `{feature}`")), "{text}");
            }
        }
    }

    #[test]
    fn other_extensions_are_in_every_build() {
        for name in ["a.tif", "a.png", "a.npy", "a.raw", "a.geojson", "a.csv", "a.unknown", "a"] {
            assert!(check_readable(Path::new(name)).is_ok(), "{name}");
        }
    }
}
