//! Charts of metrics over a swept parameter.

use std::path::Path;

use super::cases::Cases;
use super::charts::{Charts, SummaryLine};
use super::names::split;
use super::summary::Summary;
use super::table::{RunRow, metric_names};
use crate::Failure;

/// What the horizontal axis shows.
pub enum Axis {
    /// A parameter, by index.
    Parameter(usize),
    Seed,
}

impl Axis {
    /// The first parameter with several numbers, otherwise the seed.
    pub fn new(cases: &Cases) -> Result<Self, Failure> {
        let numeric = |values: &[String]| are_distinct(values.iter().map(|value| number(value)));
        if let Some(at) = cases.varied.iter().position(|one| numeric(&one.values)) {
            return Ok(Self::Parameter(at));
        }
        if are_distinct(cases.seeds.iter().map(|seed| Some(*seed as f64))) {
            return Ok(Self::Seed);
        }
        Err(Failure::usage(
            "--plot has no horizontal axis",
            "sweep a parameter that is a number, sizes that differ in their columns, or seeds",
        ))
    }
}

/// Whether there are several values, all numbers and all distinct. Equal values would merge different runs in
/// one point.
fn are_distinct(values: impl Iterator<Item = Option<f64>>) -> bool {
    let Some(mut values) = values.collect::<Option<Vec<f64>>>() else { return false };
    values.sort_by(f64::total_cmp);
    values.len() > 1 && values.windows(2).all(|two| two[0] < two[1])
}

/// A number, or the columns of a size.
pub fn number(text: &str) -> Option<f64> {
    let columns = text.split_once(['x', 'X']).filter(|(_, rows)| rows.parse::<u32>().is_ok());
    columns.map_or(text, |(columns, _)| columns).parse().ok().filter(|number: &f64| number.is_finite())
}

/// Charts of the metrics over an axis, with one line per node and combination of the other parameters.
pub fn charts(rows: &[&RunRow], axis: &Axis, nodes: &[String]) -> Charts {
    let along = match (axis, rows.first()) {
        (Axis::Parameter(at), Some(row)) => row.set[*at].0.as_str(),
        _ => "seed",
    };
    let mut charts = Charts::default();
    for metric in metric_names(rows.iter().copied()) {
        let (node, subject) = split(metric, nodes);
        for (set, points) in lines(rows, axis, metric) {
            let points = points.into_iter().filter_map(|(x, ys)| Some((x, Summary::of(ys)?))).collect();
            charts.add(subject, along, SummaryLine { node: node.to_owned(), set, points });
        }
    }
    charts
}

/// Writes the charts of metrics.
pub fn write(path: &Path, rows: &[&RunRow], axis: &Axis, nodes: &[String]) -> Result<(), Failure> {
    let charts = charts(rows, axis, nodes);
    if charts.is_empty() {
        return Err(Failure::evaluation(
            "--plot has no number to draw",
            "see the column `error` of the table",
        ));
    }
    charts.write(path)
}

/// The other parameters, and for each position on the axis the values of all seeds.
type SeedValues = (Vec<(String, String)>, Vec<(f64, Vec<f64>)>);

fn lines(rows: &[&RunRow], axis: &Axis, metric: &str) -> Vec<SeedValues> {
    let mut lines: Vec<SeedValues> = Vec::new();
    for row in rows {
        let others =
            row.set.iter().enumerate().filter(|(at, _)| !matches!(axis, Axis::Parameter(x) if x == at));
        let set: Vec<(String, String)> = others.map(|(_, one)| one.clone()).collect();
        let x = match axis {
            Axis::Parameter(at) => number(&row.set[*at].1),
            Axis::Seed => Some(row.seed as f64),
        };
        let (Some(x), Some(y)) = (x, row.metric(metric).filter(|y| y.is_finite())) else { continue };
        let at = lines.iter().position(|(other, _)| *other == set).unwrap_or_else(|| {
            lines.push((set, Vec::new()));
            lines.len() - 1
        });
        match lines[at].1.iter_mut().find(|(other, _)| *other == x) {
            Some((_, ys)) => ys.push(y),
            None => lines[at].1.push((x, vec![y])),
        }
    }
    for (_, points) in &mut lines {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::varied::Varied;
    use super::*;

    fn row(seed: u64, k: &str, mode: &str, m: f64) -> RunRow {
        let set = vec![("mode".to_owned(), mode.to_owned()), ("k".to_owned(), k.to_owned())];
        let metrics = vec![("a.m".to_owned(), m), ("b.m".to_owned(), 10.0 * m)];
        RunRow { seed, set, metrics, error: String::new(), key: String::new() }
    }

    #[test]
    fn each_node_and_combination_has_a_line_of_means_over_seeds() {
        let rows =
            [row(1, "2", "A", 1.0), row(2, "2", "A", 3.0), row(1, "1", "A", 5.0), row(1, "1", "B", 9.0)];
        let rows: Vec<&RunRow> = rows.iter().collect();
        let charts = charts(&rows, &Axis::Parameter(1), &["a".to_owned(), "b".to_owned()]);
        let panels = charts.panels();
        assert_eq!(panels.len(), 1, "one subject");
        let panel = &panels[0];
        assert_eq!(panel.axes, ["k", "m"]);
        let names: Vec<&str> = panel.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["a, mode A", "a, mode B", "b, mode A", "b, mode B"]);
        assert_eq!(panel.lines[0].points, [(1.0, 5.0), (2.0, 2.0)]);
        let spread = 2.0_f64.sqrt();
        assert_eq!(panel.lines[0].band, [(2.0, 2.0 - spread, 2.0 + spread)], "one run has no deviation");
        assert_eq!(panel.lines[3].points, [(1.0, 90.0)]);
    }

    #[test]
    fn a_size_counts_by_its_columns() {
        assert_eq!(
            (number("129x65"), number("0.5"), number("x"), number("1xa")),
            (Some(129.0), Some(0.5), None, None)
        );
    }

    #[test]
    fn an_axis_requires_distinct_numbers() {
        let varied = |name: &str, values: &[&str]| Varied {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let axis = |varied: Vec<Varied>, seeds: &[u64]| {
            Axis::new(&Cases { sized: false, varied, seeds: seeds.to_vec() }).ok()
        };
        let sizes = || varied("size", &["33x33", "33x65"]);
        assert!(axis(vec![sizes()], &[]).is_none(), "both have 33 columns");
        assert!(matches!(axis(vec![sizes()], &[1, 2]), Some(Axis::Seed)), "a line for each size");
        assert!(matches!(axis(vec![sizes(), varied("k", &["1", "2"])], &[]), Some(Axis::Parameter(1))));
        assert!(matches!(axis(vec![varied("size", &["33x33", "65x33"])], &[]), Some(Axis::Parameter(0))));
        assert!(axis(vec![], &[1 << 60, (1 << 60) + 1]).is_none(), "these are equal as f64");
    }
}
