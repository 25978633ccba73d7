//! A point of a file, and errors in it.

use crate::Problem;
use crate::lines::MAX_COORDINATE;

/// A point of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// World x.
    pub x: f64,
    /// World y.
    pub y: f64,
    /// Its height, if the file gives one.
    pub height: Option<f64>,
    /// Its position in the file.
    pub entry: Entry,
}

/// The position of a point in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// On a line, counted from 1.
    Line(usize),
    /// In a feature, counted from 0.
    Feature(usize),
}

impl Entry {
    fn line(self) -> Option<(usize, Option<usize>)> {
        match self {
            Self::Line(line) => Some((line, None)),
            Self::Feature(_) => None,
        }
    }
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Feature(feature) => write!(f, "feature {feature}"),
        }
    }
}

/// An error in a point.
pub fn problem(entry: Entry, detail: String, remedy: &'static str) -> Problem {
    Problem::Points { at: entry.line(), detail, remedy }
}

/// Checks a number of a point: it must be finite and not too large. Turns -0 into 0, so that equal positions
/// have equal bits.
pub fn number(value: f64, name: &str, entry: Entry) -> Result<f64, Problem> {
    if value.abs() <= MAX_COORDINATE {
        return Ok(value + 0.0);
    }
    let detail = format!("{name} of the point of {entry} is {value}");
    Err(problem(entry, detail, "give a finite number within 1e12 of 0"))
}
