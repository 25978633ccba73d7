//! A line of a file, and errors in files of lines.

use terrane_grid::Polyline;

use crate::Problem;

/// The maximum number of points in a file.
pub const MAX_POINTS: usize = 1_000_000;

/// The maximum absolute value of a coordinate.
pub const MAX_COORDINATE: f64 = 1.0e12;

/// A line of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its points, in world units. Open, even if the last point equals the first.
    pub line: Polyline,
    /// The feature or path that it belongs to, counted from 0.
    pub feature: usize,
    /// The feature's property `slope`.
    pub slope: Option<f64>,
    /// The feature's property `width`.
    pub width: Option<f64>,
}

/// An error in a file of lines.
pub fn problem(detail: String, remedy: &'static str) -> Problem {
    Problem::Lines { at: None, detail, remedy }
}

/// The lines, unless there are none or too many points.
pub fn checked(lines: Vec<Line>, remedy: &'static str) -> Result<Vec<Line>, Problem> {
    if lines.is_empty() {
        return Err(problem("there are no lines".to_owned(), remedy));
    }
    if lines.iter().map(|line| line.line.points.len()).sum::<usize>() > MAX_POINTS {
        return Err(too_many_points());
    }
    Ok(lines)
}

/// The error for a file with too many points.
pub fn too_many_points() -> Problem {
    let remedy = "remove everything outside the world, or simplify the lines";
    problem(format!("there are more than {MAX_POINTS} points"), remedy)
}
