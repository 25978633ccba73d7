//! What files of lines and of points have alike is told as of points.

use crate::Problem;

/// What is said of a file of lines, said of one of points.
pub fn of_points(problem: Problem) -> Problem {
    match problem {
        Problem::Lines { at, detail, remedy } => {
            Problem::Points { at: at.map(|(line, column)| (line, Some(column))), detail, remedy }
        }
        other => other,
    }
}
