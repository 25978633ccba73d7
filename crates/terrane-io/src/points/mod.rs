//! Points of the world out of files: CSV and GeoJSON.

mod geojson;
mod of_lines;
mod point;
mod table;

use std::collections::BTreeMap;
use std::path::Path;

pub use point::{Entry, Point};

use of_lines::of_points;
use point::problem;

use crate::lines::{POINTS, content};
use crate::open::{Open, from_disk};
use crate::{IoError, Problem};

/// The points of a file: of a table where the name ends in `.csv`, else of GeoJSON.
///
/// A table has a line of names and columns `x` and `y`, and may have a column `height`; its other columns are
/// left out. From GeoJSON they are points, alone, as features or in a collection of these; a feature's
/// property `height` is the height, or else the third coordinate. Coordinates are taken as they are. No two
/// points are at one place.
///
/// # Errors
/// [`IoError`]: a file that cannot be read, is of another format, or holds no points.
pub fn read_points(path: &Path) -> Result<Vec<Point>, IoError> {
    read_points_from(&from_disk, path)
}

/// [`read_points`], of a file that `open` opens.
///
/// # Errors
/// As [`read_points`].
pub fn read_points_from(open: &Open<'_>, path: &Path) -> Result<Vec<Point>, IoError> {
    let bytes = content(open, path)
        .map_err(|IoError { path, problem }| IoError { path, problem: of_points(problem) })?;
    let is_table = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let points = if is_table { table::parse(&bytes) } else { geojson::parse(&bytes) };
    points.and_then(checked).map_err(|problem| problem.at(path))
}

/// The points, unless there are none, too many, or several at one place.
fn checked(points: Vec<Point>) -> Result<Vec<Point>, Problem> {
    let all = |detail: String, remedy| Err(Problem::Points { at: None, detail, remedy });
    if points.is_empty() {
        return all("there are no points".to_owned(), "add a point");
    }
    if points.len() > POINTS {
        return all(format!("there are more than {POINTS} points"), "leave out what lies outside the map");
    }
    let mut known = BTreeMap::new();
    for point in &points {
        if let Some(first) = known.insert((point.x.to_bits(), point.y.to_bits()), point.entry) {
            let detail =
                format!("two points lie at ({}, {}): of {first} and of {}", point.x, point.y, point.entry);
            return Err(problem(point.entry, detail, "leave one of them out"));
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> Result<Vec<Point>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        read_points(&path).map_err(|error| match &error.problem {
            Problem::Points { at, detail, remedy } => format!("{at:?} {detail}; {remedy}"),
            other => other.to_string(),
        })
    }

    #[test]
    fn the_name_tells_the_format() {
        let expected = Point { x: 1.0, y: 2.0, height: Some(3.0), entry: Entry::Line(2) };
        assert_eq!(told("a.CSV", "\u{feff}x,y,height\n1,2,3\n"), Ok(vec![expected]));
        let expected = Point { entry: Entry::Feature(0), ..expected };
        assert_eq!(told("a.geojson", r#"{"type": "Point", "coordinates": [1, 2, 3]}"#), Ok(vec![expected]));
    }

    #[test]
    fn files_without_points_and_places_with_two_are_refused() {
        assert!(told("a.csv", "").unwrap_err().contains("empty"));
        assert!(told("a.csv", "x,y\n").unwrap_err().contains("there are no points"));
        assert!(
            told("a.json", r#"{"type": "FeatureCollection", "features": []}"#)
                .unwrap_err()
                .contains("no points")
        );
        let error = told("a.csv", "x,y,height\n0,5,1\n3,4,5\n-0.0,5,1\n").unwrap_err();
        assert!(
            error.contains("Some((4, None)) two points lie at (0, 5): of line 2 and of line 4"),
            "{error}"
        );
        let error = told("a.json", r#"{"type": "MultiPoint", "coordinates": [[1, 2], [1, 2]]}"#).unwrap_err();
        assert!(error.contains("of feature 0 and of feature 0"), "{error}");
    }
}
