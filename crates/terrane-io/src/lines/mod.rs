//! Lines of the world out of files: GeoJSON and SVG.

pub(crate) mod geojson;
mod svg;
mod svg_limits;
mod svg_lists;

use std::io::Read;
use std::path::Path;

use terrane_grid::Polyline;

use crate::open::{Open, Opened, from_disk};
use crate::{IoError, Problem};

/// The most bytes of a file of lines or points.
const BYTES: u64 = 64 << 20;

/// The most points of a file.
pub(crate) const POINTS: usize = 1_000_000;

/// The farthest that a coordinate may be from 0.
pub(crate) const FARTHEST: f64 = 1.0e12;

/// A line of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its points, in world units; open, also where the last is the first.
    pub line: Polyline,
    /// The feature or path that it is of, counted from 0.
    pub feature: usize,
    /// The feature's property `slope`.
    pub slope: Option<f64>,
    /// The feature's property `width`.
    pub width: Option<f64>,
}

/// The lines of a file: of an SVG picture where the name ends in `.svg`, else of GeoJSON.
///
/// From GeoJSON they are line strings, alone, as features or in a collection of these, with coordinates as they are. From SVG they are the outlines of all
/// displayed shapes, in pixels from the upper left corner, as 32-bit numbers; curves are made lines that are off by 0.05 pixels at most.
///
/// # Errors
/// [`IoError`]: a file that cannot be read, is of another format, or holds no lines.
pub fn read_lines(path: &Path) -> Result<Vec<Line>, IoError> {
    read_lines_from(&from_disk, path)
}

/// [`read_lines`], of a file that `open` opens.
///
/// # Errors
/// As [`read_lines`].
pub fn read_lines_from(open: &Open<'_>, path: &Path) -> Result<Vec<Line>, IoError> {
    let bytes = content(open, path)?;
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_svg { svg::parse(&bytes) } else { geojson::parse(&bytes) }.map_err(|problem| problem.at(path))
}

/// What a file of text holds, unless it is too long or empty.
pub(crate) fn content(open: &Open<'_>, path: &Path) -> Result<Vec<u8>, IoError> {
    let read = |error| Problem::Read(error).at(path);
    let Opened { mut content, length } = open(path).map_err(read)?;
    if length > BYTES {
        let detail = format!("{} MiB are more than the {} that are read", length >> 20, BYTES >> 20);
        return Err(problem(detail, "leave out what lies outside the world that is made").at(path));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    content.read_to_end(&mut bytes).map_err(read)?;
    // Editors of other systems put a mark before the first character.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::Empty.at(path));
    }
    Ok(bytes)
}

fn problem(detail: String, remedy: &'static str) -> Problem {
    Problem::Lines { at: None, detail, remedy }
}

/// The lines, unless there are none or too many.
fn checked(lines: Vec<Line>, remedy: &'static str) -> Result<Vec<Line>, Problem> {
    if lines.is_empty() {
        return Err(problem("there are no lines".to_owned(), remedy));
    }
    if lines.iter().map(|line| line.line.points.len()).sum::<usize>() > POINTS {
        return Err(too_many_points());
    }
    Ok(lines)
}

fn too_many_points() -> Problem {
    let remedy = "leave out what lies outside the world that is made, or simplify the lines";
    problem(format!("there are more than {POINTS} points"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_long_or_empty_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(read_lines(file.path()).unwrap_err().to_string().contains("empty"));
        file.as_file().set_len(BYTES + (1 << 20)).unwrap();
        let error = read_lines(file.path()).unwrap_err();
        assert!(error.to_string().contains("65 MiB are more than the 64"), "{error}");
    }

    #[test]
    fn the_name_tells_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.SVG");
        let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0L3 4" stroke="red"/></svg>"#;
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_lines(&path).unwrap()[0].line.points, [(0.0, 0.0), (3.0, 4.0)]);
        let path = folder.path().join("lines.json");
        std::fs::write(&path, "\u{feff}{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 2]]}")
            .unwrap();
        assert_eq!(read_lines(&path).unwrap()[0].line.points, [(0.0, 0.0), (1.0, 2.0)]);
    }
}
