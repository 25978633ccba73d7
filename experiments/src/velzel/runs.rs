//! Runs of a sweep, from its table.

use std::path::Path;

use terrane_charts::Line;

use crate::Result;

/// One run: columns by their names.
pub struct Run(Vec<(String, String)>);

/// All runs of a table.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Run>> {
    let problem = |error: csv::Error| format!("{}: {error}", path.display());
    let mut reader = csv::Reader::from_path(path).map_err(problem)?;
    let names = reader.headers().map_err(problem)?.clone();
    let run = |record: csv::StringRecord| {
        Run(names.iter().zip(&record).map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect())
    };
    reader.into_records().map(|record| Ok(run(record.map_err(problem)?))).collect()
}

impl Run {
    /// A column's text; empty if the column does not exist.
    pub fn text(&self, column: &str) -> &str {
        self.0.iter().find(|(name, _)| name == column).map_or("", |(_, cell)| cell)
    }

    /// A column's number; NaN if it has none.
    pub fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or(f64::NAN)
    }

    /// Samples along a side.
    pub fn side(&self) -> f64 {
        self.text("size").split('x').next().and_then(|side| side.parse().ok()).unwrap_or(f64::NAN)
    }
}

/// A line with the mean of its runs at each size, and a band from the minimum to the maximum. Positions are
/// powers of two of the spaces between a side's samples.
pub fn over_sizes(
    name: &str,
    runs: &[Run],
    value: impl Fn(&Run) -> Option<f64>,
    shown: fn(f64) -> f64,
) -> Line {
    let mut sizes: Vec<(f64, Vec<f64>)> = Vec::new();
    for run in runs {
        let Some(value) = value(run).filter(|value| value.is_finite()) else { continue };
        let position = libm::log2(run.side() - 1.0);
        match sizes.iter_mut().find(|(other, _)| *other == position) {
            Some((_, values)) => values.push(value),
            None => sizes.push((position, vec![value])),
        }
    }
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let ends = |values: &[f64]| {
        let (least, most) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
        (shown(least), shown(most))
    };
    Line {
        name: name.to_owned(),
        points: sizes.iter().map(|(position, values)| (*position, shown(mean(values)))).collect(),
        band: sizes
            .iter()
            .map(|(position, values)| {
                let (low, high) = ends(values);
                (*position, low, high)
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_mean_and_the_ends_of_each_size() {
        let run = |size: &str, n: &str| {
            Run(vec![("size".to_owned(), size.to_owned()), ("n".to_owned(), n.to_owned())])
        };
        let runs = [run("17x17", "2"), run("9x9", "1"), run("17x17", "6"), run("9x9", "")];
        let line = over_sizes("a", &runs, |run| Some(run.number("n")), |value| value);
        assert_eq!(line.points, [(3.0, 1.0), (4.0, 4.0)], "cells without a number are ignored");
        assert_eq!(line.band, [(3.0, 1.0, 1.0), (4.0, 2.0, 6.0)]);
    }
}
