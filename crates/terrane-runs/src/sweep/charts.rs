//! Charts of summaries over several runs, for metrics and curves.

use std::io::Write;
use std::path::Path;

use terrane_charts::{Line, Panel, panels};
use terrane_io::write_atomic;

use super::summary::Summary;
use crate::Failure;

/// Charts of one subject each. Each line of a chart has a summary of the runs at each position.
#[derive(Default)]
pub struct Charts {
    charts: Vec<Chart>,
}

struct Chart {
    subject: String,
    along: String,
    lines: Vec<SummaryLine>,
}

/// A line of a chart.
pub struct SummaryLine {
    pub node: String,
    /// The parameters that the line's runs share.
    pub set: Vec<(String, String)>,
    pub points: Vec<(f64, Summary)>,
}

impl Charts {
    /// Adds a line to the chart of its subject. An empty line is dropped.
    pub fn add(&mut self, subject: &str, along: &str, line: SummaryLine) {
        if line.points.is_empty() {
            return;
        }
        let same = |one: &&mut Chart| one.subject == subject && one.along == along;
        match self.charts.iter_mut().find(same) {
            Some(one) => one.lines.push(line),
            None => self.charts.push(Chart {
                subject: subject.to_owned(),
                along: along.to_owned(),
                lines: vec![line],
            }),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.charts.is_empty()
    }

    /// All lines, each with its subject and the name of its horizontal axis.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str, &SummaryLine)> {
        self.charts
            .iter()
            .flat_map(|one| one.lines.iter().map(|line| (one.subject.as_str(), one.along.as_str(), line)))
    }

    /// The panels to draw: means, with a band of one deviation on both sides.
    pub fn panels(&self) -> Vec<Panel> {
        self.charts.iter().map(Chart::panel).collect()
    }

    /// Draws one chart per subject, below each other.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let chart = panels(&self.panels())
            .map_err(|error| Failure::evaluation(format!("{}: {error}", path.display()), "see the table"))?;
        save(path, chart.as_bytes())
    }
}

/// Writes a file atomically.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, false, |out| out.write_all(bytes)).map(|_| ()).map_err(|error| {
        Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
    })
}

impl Chart {
    fn panel(&self) -> Panel {
        let first = &self.lines[0];
        let one_node = self.lines.iter().all(|line| line.node == first.node);
        let differs = |name: &str, value: &str| {
            self.lines.iter().any(|line| line.set.iter().any(|(other, v)| other == name && v != value))
        };
        let name = |line: &SummaryLine| {
            let node = (!one_node).then(|| line.node.clone());
            let set = line.set.iter().filter(|(name, value)| differs(name, value));
            node.into_iter()
                .chain(set.map(|(name, value)| format!("{name} {value}")))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let subject = match (one_node, self.subject.as_str()) {
            (true, "") => first.node.clone(),
            (true, subject) => format!("{}.{subject}", first.node),
            (false, "") => "value".to_owned(),
            (false, subject) => subject.to_owned(),
        };
        let lines = self.lines.iter().map(|line| {
            let around = |(x, s): &(f64, Summary)| s.deviation.map(|d| (*x, s.mean - d, s.mean + d));
            Line {
                name: name(line),
                points: line.points.iter().map(|(x, summary)| (*x, summary.mean)).collect(),
                band: line.points.iter().filter_map(around).collect(),
            }
        });
        Panel { axes: [self.along.clone(), subject], lines: lines.collect() }
    }
}
