//! Reading lines in world coordinates from GeoJSON and SVG files.

mod content;
pub(crate) mod geojson;
mod geojson_file;
mod line;
#[cfg(feature = "svg")]
mod svg;
#[cfg(feature = "svg")]
mod svg_limits;
#[cfg(feature = "svg")]
mod svg_lists;

use std::path::Path;

pub(crate) use content::content;
pub use line::Line;
pub(crate) use line::{MAX_COORDINATE, MAX_POINTS};

use crate::open::{Open, from_disk};
use crate::{IoError, LonLat, Problem};

/// Reads the lines of a file: an SVG picture if the name ends in `.svg`, otherwise GeoJSON.
///
/// GeoJSON files contain line strings, alone, as features or in a collection, with the coordinates of
/// [`LonLat`] for a world without a place. SVG files contain shapes, whose displayed outlines are read in
/// pixels from the upper left corner, as 32-bit numbers. Curves become lines that deviate by at most 0.05
/// pixels. SVG needs the feature `svg`.
///
/// # Errors
/// [`IoError`] for a file that cannot be read, has another format, or contains no lines.
pub fn read_lines(path: &Path) -> Result<Vec<Line>, IoError> {
    read_lines_from(&from_disk, path, &LonLat::of(None))
}

/// The content of a file of lines, for [`read_lines_from`].
///
/// # Errors
/// [`IoError`] for a file that cannot be read, is empty, or is too long.
pub fn read_content_from(open: &Open<'_>, path: &Path) -> Result<Vec<u8>, IoError> {
    content(open, path)
}

/// Like [`read_lines`], for a file opened by `open` and a world with these coordinates.
///
/// # Errors
/// As [`read_lines`].
pub fn read_lines_from(open: &Open<'_>, path: &Path, lonlat: &LonLat) -> Result<Vec<Line>, IoError> {
    let bytes = content(open, path)?;
    let lines = if is_svg(path) { parse_svg(&bytes) } else { geojson::parse(&bytes, lonlat) };
    lines.map_err(|problem| problem.at(path))
}

pub(crate) fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}

/// The error for an SVG file in builds without the feature `svg`.
pub(crate) const NO_SVG: Problem = Problem::Missing { format: "SVG", feature: "svg" };

#[cfg(feature = "svg")]
fn parse_svg(bytes: &[u8]) -> Result<Vec<Line>, Problem> {
    svg::parse(bytes)
}

#[cfg(not(feature = "svg"))]
fn parse_svg(_: &[u8]) -> Result<Vec<Line>, Problem> {
    Err(NO_SVG)
}

#[cfg(test)]
mod tests {
    use super::content::MAX_BYTES;
    use super::*;

    #[test]
    fn a_file_that_is_too_long_or_empty_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(read_lines(file.path()).unwrap_err().to_string().contains("empty"));
        file.as_file().set_len(MAX_BYTES + (1 << 20)).unwrap();
        let error = read_lines(file.path()).unwrap_err();
        assert!(error.to_string().contains("65 MiB are more than the maximum of 64"), "{error}");
    }

    #[test]
    fn the_extension_selects_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.SVG");
        let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0L3 4"
            stroke="red"/></svg>"#;
        std::fs::write(&path, text).unwrap();
        if cfg!(feature = "svg") {
            assert_eq!(read_lines(&path).unwrap()[0].line.points, [(0.0, 0.0), (3.0, 4.0)]);
        }
        let path = folder.path().join("lines.json");
        std::fs::write(&path, "\u{feff}{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 2]]}")
            .unwrap();
        assert_eq!(read_lines(&path).unwrap()[0].line.points, [(0.0, 0.0), (1.0, -2.0)]);
    }
}
