//! Reading points in world coordinates from CSV and GeoJSON files.

mod geojson;
mod point;
mod table;

use std::collections::BTreeMap;
use std::path::Path;

pub use point::{Entry, Point};

use self::geojson::of_points;
use point::problem;

use crate::lines::{MAX_POINTS, content};
use crate::open::{Open, from_disk};
use crate::{IoError, LonLat, Problem};

/// Reads the points of a file: a table if the name ends in `.csv`, otherwise GeoJSON.
///
/// A table has a header line with columns `x` and `y`, and optionally `height`; other columns are ignored.
/// GeoJSON files contain points, alone, as features or in a collection; the height is a feature's property
/// `height`, otherwise the third coordinate. The coordinates of a table are world coordinates; those of
/// GeoJSON are the ones of [`LonLat`] for a world without a place. No two points may have the same position.
///
/// # Errors
/// [`IoError`] for a file that cannot be read, has another format, or contains no points.
pub fn read_points(path: &Path) -> Result<Vec<Point>, IoError> {
    read_points_from(&from_disk, path, &LonLat::of(None))
}

/// Like [`read_points`], for a file opened by `open` and a world with these coordinates.
///
/// # Errors
/// As [`read_points`].
pub fn read_points_from(open: &Open<'_>, path: &Path, lonlat: &LonLat) -> Result<Vec<Point>, IoError> {
    let bytes = content(open, path)
        .map_err(|IoError { path, problem }| IoError { path, problem: of_points(problem) })?;
    let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let points = if is_table { table::parse(&bytes) } else { geojson::parse(&bytes, lonlat) };
    points.and_then(checked).map_err(|problem| problem.at(path))
}

/// The points, unless there are none, too many, or several at one position.
fn checked(points: Vec<Point>) -> Result<Vec<Point>, Problem> {
    let all = |detail: String, remedy| Err(Problem::Points { at: None, detail, remedy });
    if points.is_empty() {
        return all("there are no points".to_owned(), "add a point");
    }
    if points.len() > MAX_POINTS {
        return all(format!("there are more than {MAX_POINTS} points"), "remove everything outside the map");
    }
    let mut known = BTreeMap::new();
    for point in &points {
        if let Some(first) = known.insert((point.x.to_bits(), point.y.to_bits()), point.entry) {
            let detail =
                format!("two points are at ({}, {}): of {first} and of {}", point.x, point.y, point.entry);
            return Err(problem(point.entry, detail, "remove one of them"));
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<Point>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        read_points(&path).map_err(|error| match &error.problem {
            Problem::Points { at, detail, remedy } => format!("{at:?} {detail}; {remedy}"),
            other => other.to_string(),
        })
    }

    #[test]
    fn the_extension_selects_the_format() {
        let expected = Point { x: 1.0, y: 2.0, height: Some(3.0), entry: Entry::Line(2) };
        assert_eq!(read("a.CSV", "\u{feff}x,y,height\n1,2,3\n"), Ok(vec![expected]));
        let expected = Point { y: -2.0, entry: Entry::Feature(0), ..expected };
        assert_eq!(read("a.geojson", r#"{"type": "Point", "coordinates": [1, 2, 3]}"#), Ok(vec![expected]));
    }

    #[test]
    fn empty_files_and_equal_positions_are_refused() {
        assert!(read("a.csv", "").unwrap_err().contains("empty"));
        assert!(read("a.csv", "x,y\n").unwrap_err().contains("there are no points"));
        assert!(
            read("a.json", r#"{"type": "FeatureCollection", "features": []}"#)
                .unwrap_err()
                .contains("no points")
        );
        let error = read("a.csv", "x,y,height\n0,5,1\n3,4,5\n-0.0,5,1\n").unwrap_err();
        assert!(
            error.contains("Some((4, None)) two points are at (0, 5): of line 2 and of line 4"),
            "{error}"
        );
        let error = read("a.json", r#"{"type": "MultiPoint", "coordinates": [[1, 2], [1, 2]]}"#).unwrap_err();
        assert!(error.contains("of feature 0 and of feature 0"), "{error}");
    }
}
