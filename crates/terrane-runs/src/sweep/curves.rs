//! Curves from tables with many rows, such as histories. They show a summary of the runs at each position.

use std::path::Path;

use terrane_nodes::values::to_cell;

use super::charts::{Charts, SummaryLine, save};
use super::metric::Curve;
use super::names::split;
use super::summary::Summary;
use crate::Failure;

/// The curves of one run, with the run's parameters.
pub struct RunCurves<'a> {
    pub set: &'a [(String, String)],
    pub curves: &'a [Curve],
}

/// Writes means over the runs of each combination. An .svg file has charts. A .csv file has one row per
/// position.
pub fn write(path: &Path, runs: &[RunCurves<'_>], nodes: &[String]) -> Result<(), Failure> {
    let charts = charts(runs, nodes)?;
    if charts.is_empty() {
        return Err(Failure::evaluation(
            "--curves has no number to draw",
            "see the column `error` of the table",
        ));
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        let bytes =
            csv(&charts).map_err(|error| Failure::evaluation(format!("{}: {error}", path.display()), ""))?;
        save(path, &bytes)
    } else {
        charts.write(path)
    }
}

fn charts(runs: &[RunCurves<'_>], nodes: &[String]) -> Result<Charts, Failure> {
    let mut names: Vec<&str> = Vec::new();
    for curve in runs.iter().flat_map(|run| run.curves) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    let mut charts = Charts::default();
    for name in names {
        // Seeds vary fastest, so the runs of a combination are consecutive.
        for same in runs.chunk_by(|a, b| a.set == b.set) {
            let set = same[0].set;
            let curves: Vec<&Curve> =
                same.iter().flat_map(|run| run.curves).filter(|curve| curve.name == name).collect();
            let Some(first) = curves.first() else { continue };
            let (node, subject) = split(name, nodes);
            let points = mean(&curves).ok_or_else(|| {
                Failure::evaluation(
                    format!("--curves: no two runs of `{name}` share a value of `{}`", first.along),
                    "make the runs use the same values, for example with a Histogram of fixed range",
                )
            })?;
            let line = SummaryLine { node: node.to_owned(), set: set.to_vec(), points };
            charts.add(subject, &first.along, line);
        }
    }
    Ok(charts)
}

/// The summary of curves at each position; `None` if several curves share no position.
///
/// A history ends when nothing changes any more, so a curve that ends early keeps its last value.
fn mean(curves: &[&Curve]) -> Option<Vec<(f64, Summary)>> {
    let mut positions: Vec<f64> =
        curves.iter().flat_map(|curve| &curve.points).map(|point| point.0).collect();
    positions.retain(|x| x.is_finite());
    positions.sort_by(f64::total_cmp);
    let all = positions.len();
    positions.dedup();
    let several = curves.iter().filter(|curve| !curve.points.is_empty()).count() > 1;
    if several && positions.len() == all {
        return None;
    }
    let sorted = |curve: &&Curve| {
        let mut points = curve.points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let curves: Vec<Vec<(f64, f64)>> = curves.iter().map(sorted).collect();
    let at = |points: &[(f64, f64)], x: f64| {
        let here = points.partition_point(|point| point.0 < x);
        let point = if here == points.len() { points.last() } else { points.get(here).filter(|p| p.0 == x) };
        point.map(|point| point.1)
    };
    let sum = |x: &f64| Some((*x, Summary::of(curves.iter().filter_map(|points| at(points, *x)))?));
    Some(positions.iter().filter_map(sum).collect())
}

/// Writes one row per position of each line.
fn csv(charts: &Charts) -> Result<Vec<u8>, std::io::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = charts
        .lines()
        .next()
        .map_or_else(Vec::new, |(_, _, line)| line.set.iter().map(|(name, _)| name.as_str()).collect());
    let mut along: Vec<&str> = charts.lines().map(|(_, along, _)| along).collect();
    along.dedup();
    // If the tables have different first columns, their positions share one column.
    let along = if let [one] = along[..] { one } else { "place" };
    let head = ["node", "column"].into_iter().chain(names);
    let head = head.chain([along, "runs", "mean", "deviation", "least", "most"]);
    writer.write_record(head.map(|name| to_cell(name).into_owned()))?;
    for (subject, _, line) in charts.lines() {
        for (x, summary) in &line.points {
            let mut cells = vec![line.node.clone(), subject.to_owned()];
            cells.extend(line.set.iter().map(|(_, value)| value.clone()));
            cells.extend([x.to_string(), summary.runs.to_string(), summary.mean.to_string()]);
            cells.push(summary.deviation.map_or_else(String::new, |deviation| deviation.to_string()));
            cells.extend([summary.least.to_string(), summary.most.to_string()]);
            writer.write_record(cells.iter().map(|cell| to_cell(cell).into_owned()))?;
        }
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)]) -> Curve {
        Curve { name: "a.history.score".to_owned(), along: "iteration".to_owned(), points: points.to_vec() }
    }

    #[test]
    fn curves_are_summarised_at_each_position() {
        let (a, b) = (curve(&[(0.0, 1.0), (10.0, 4.0)]), curve(&[(0.0, 3.0), (10.0, f64::NAN)]));
        let points = mean(&[&a, &b]).unwrap();
        assert_eq!((points[0].0, points[0].1.mean, points[0].1.deviation), (0.0, 2.0, Some(2.0_f64.sqrt())));
        assert_eq!((points[1].0, points[1].1.mean, points[1].1.runs), (10.0, 4.0, 1), "NaN is left out");
    }

    #[test]
    fn a_history_that_ended_keeps_its_last_value() {
        let (short, long) =
            (curve(&[(0.0, 1.0), (10.0, 2.0)]), curve(&[(0.0, 1.0), (10.0, 4.0), (20.0, 8.0)]));
        let points = mean(&[&short, &long]).unwrap();
        assert_eq!((points[2].0, points[2].1.mean, points[2].1.runs), (20.0, 5.0, 2));
    }

    #[test]
    fn runs_without_a_shared_position_have_no_curve() {
        let (a, b) = (curve(&[(0.1, 1.0), (0.3, 1.0)]), curve(&[(0.2, 1.0), (0.4, 1.0)]));
        assert!(mean(&[&a, &b]).is_none());
        assert!(mean(&[&a]).is_some_and(|points| points.len() == 2), "a single run has its own positions");
        let set = [("k".to_owned(), "1".to_owned())];
        let curves = [curve(&[(0.0, 1.5)])];
        let run = || RunCurves { set: &set, curves: &curves };
        let charts = charts(&[run(), run()], &["a".to_owned()]).unwrap_or_default();
        let text = String::from_utf8(csv(&charts).unwrap()).unwrap();
        assert_eq!(
            text,
            "node,column,k,iteration,runs,mean,deviation,least,most\na,history.score,1,0,2,1.5,0,1.5,1.5\n"
        );
    }
}
