//! A line of a file, and what is wrong with files of lines.

use terrane_grid::Polyline;

use crate::Problem;

/// The most points of a file.
pub const POINTS: usize = 1_000_000;

/// The farthest that a coordinate may be from 0.
pub const FARTHEST: f64 = 1.0e12;

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

/// What is wrong with a file of lines.
pub fn problem(detail: String, remedy: &'static str) -> Problem {
    Problem::Lines { at: None, detail, remedy }
}

/// The lines, unless there are none or too many.
pub fn checked(lines: Vec<Line>, remedy: &'static str) -> Result<Vec<Line>, Problem> {
    if lines.is_empty() {
        return Err(problem("there are no lines".to_owned(), remedy));
    }
    if lines.iter().map(|line| line.line.points.len()).sum::<usize>() > POINTS {
        return Err(too_many_points());
    }
    Ok(lines)
}

/// That a file has more points than are read.
pub fn too_many_points() -> Problem {
    let remedy = "leave out what lies outside the world that is made, or simplify the lines";
    problem(format!("there are more than {POINTS} points"), remedy)
}
