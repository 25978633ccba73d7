//! A point of a file, and what is wrong with it.

use crate::Problem;
use crate::lines::FARTHEST;

/// A point of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// World x.
    pub x: f64,
    /// World y.
    pub y: f64,
    /// Its height, where the file tells.
    pub height: Option<f64>,
    /// Where the file tells of it.
    pub entry: Entry,
}

/// Where a file tells of a point.
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

/// What is wrong with a point.
pub fn problem(entry: Entry, detail: String, remedy: &'static str) -> Problem {
    Problem::Points { at: entry.line(), detail, remedy }
}

/// A number of a point, unless it is none or too large; 0 for -0, so that what is one place is one to the
/// bit.
pub fn number(value: f64, name: &str, entry: Entry) -> Result<f64, Problem> {
    if value.abs() <= FARTHEST {
        return Ok(value + 0.0);
    }
    let detail = format!("{name} of the point of {entry} is {value}");
    Err(problem(entry, detail, "give a finite number within 1e12 of 0"))
}
