//! Converts problems of files of lines into problems of files of points.

use crate::Problem;

/// The same problem, for a file of points.
pub fn of_points(problem: Problem) -> Problem {
    match problem {
        Problem::Lines { at, detail, remedy } => {
            Problem::Points { at: at.map(|(line, column)| (line, Some(column))), detail, remedy }
        }
        other => other,
    }
}
