//! Curves of tables with many rows, such as histories: what runs have in common at each place.

use std::path::Path;

use super::charts::{Charts, Summed, save};
use super::metric::Curve;
use super::names::split;
use super::summary::Summary;
use crate::Failure;

/// What the curves of one run belong to.
pub struct Drawn<'a> {
    pub set: &'a [(String, String)],
    pub curves: &'a [Curve],
}

/// Writes means over the runs of each combination: a chart for an .svg, a row per place for a .csv.
pub fn write(path: &Path, runs: &[Drawn<'_>], nodes: &[String]) -> Result<(), Failure> {
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

fn charts(runs: &[Drawn<'_>], nodes: &[String]) -> Result<Charts, Failure> {
    let mut names: Vec<&str> = Vec::new();
    for curve in runs.iter().flat_map(|run| run.curves) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    let mut charts = Charts::default();
    for name in names {
        // Seeds change fastest, so that the runs of a combination follow each other.
        for same in runs.chunk_by(|a, b| a.set == b.set) {
            let set = same[0].set;
            let curves: Vec<&Curve> =
                same.iter().flat_map(|run| run.curves).filter(|curve| curve.name == name).collect();
            let Some(first) = curves.first() else { continue };
            let (node, subject) = split(name, nodes);
            let places = mean(&curves).ok_or_else(|| {
                Failure::evaluation(
                    format!("--curves: no two runs of `{name}` have a place of `{}` in common", first.along),
                    "let runs have the same places, such as a Histogram with a range of its own",
                )
            })?;
            let line = Summed { node: node.to_owned(), set: set.to_vec(), places };
            charts.add(subject, &first.along, line);
        }
    }
    Ok(charts)
}

/// What curves have in common at each place; `None` where each of several has places of its own.
///
/// A history ends when nothing changes any more, so a curve that ends before others stays at its last value.
fn mean(curves: &[&Curve]) -> Option<Vec<(f64, Summary)>> {
    let mut places: Vec<f64> = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0).collect();
    places.retain(|place| place.is_finite());
    places.sort_by(f64::total_cmp);
    let all = places.len();
    places.dedup();
    let several = curves.iter().filter(|curve| !curve.points.is_empty()).count() > 1;
    if several && places.len() == all {
        return None;
    }
    let sorted = |curve: &&Curve| {
        let mut points = curve.points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let curves: Vec<Vec<(f64, f64)>> = curves.iter().map(sorted).collect();
    let at = |points: &[(f64, f64)], place: f64| {
        let here = points.partition_point(|point| point.0 < place);
        let point =
            if here == points.len() { points.last() } else { points.get(here).filter(|p| p.0 == place) };
        point.map(|point| point.1)
    };
    let sum =
        |place: &f64| Some((*place, Summary::of(curves.iter().filter_map(|points| at(points, *place)))?));
    Some(places.iter().filter_map(sum).collect())
}

/// A row per place of each line.
fn csv(charts: &Charts) -> Result<Vec<u8>, std::io::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = charts
        .lines()
        .next()
        .map_or_else(Vec::new, |(_, _, line)| line.set.iter().map(|(name, _)| name.as_str()).collect());
    let mut along: Vec<&str> = charts.lines().map(|(_, along, _)| along).collect();
    along.dedup();
    // Tables of several kinds share one column for their places.
    let along = if let [one] = along[..] { one } else { "place" };
    let head = ["node", "column"].into_iter().chain(names);
    writer.write_record(head.chain([along, "runs", "mean", "deviation", "least", "most"]))?;
    for (subject, _, line) in charts.lines() {
        for (place, summary) in &line.places {
            let mut cells = vec![line.node.clone(), subject.to_owned()];
            cells.extend(line.set.iter().map(|(_, value)| value.clone()));
            cells.extend([place.to_string(), summary.runs.to_string(), summary.mean.to_string()]);
            cells.push(summary.deviation.map_or_else(String::new, |deviation| deviation.to_string()));
            cells.extend([summary.least.to_string(), summary.most.to_string()]);
            writer.write_record(cells)?;
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
    fn curves_are_summed_up_place_by_place() {
        let (a, b) = (curve(&[(0.0, 1.0), (10.0, 4.0)]), curve(&[(0.0, 3.0), (10.0, f64::NAN)]));
        let places = mean(&[&a, &b]).unwrap();
        assert_eq!((places[0].0, places[0].1.mean, places[0].1.deviation), (0.0, 2.0, Some(2.0_f64.sqrt())));
        assert_eq!(
            (places[1].0, places[1].1.mean, places[1].1.runs),
            (10.0, 4.0, 1),
            "what is no number is left out"
        );
    }

    #[test]
    fn a_history_that_ended_stays_as_it_was() {
        let (short, long) =
            (curve(&[(0.0, 1.0), (10.0, 2.0)]), curve(&[(0.0, 1.0), (10.0, 4.0), (20.0, 8.0)]));
        let places = mean(&[&short, &long]).unwrap();
        assert_eq!((places[2].0, places[2].1.mean, places[2].1.runs), (20.0, 5.0, 2));
    }

    #[test]
    fn places_that_no_runs_share_make_no_curve() {
        let (a, b) = (curve(&[(0.1, 1.0), (0.3, 1.0)]), curve(&[(0.2, 1.0), (0.4, 1.0)]));
        assert!(mean(&[&a, &b]).is_none());
        assert!(mean(&[&a]).is_some_and(|places| places.len() == 2), "one run has its own");
        let set = [("k".to_owned(), "1".to_owned())];
        let curves = [curve(&[(0.0, 1.5)])];
        let run = || Drawn { set: &set, curves: &curves };
        let charts = charts(&[run(), run()], &["a".to_owned()]).unwrap_or_default();
        let text = String::from_utf8(csv(&charts).unwrap()).unwrap();
        assert_eq!(
            text,
            "node,column,k,iteration,runs,mean,deviation,least,most\na,history.score,1,0,2,1.5,0,1.5,1.5\n"
        );
    }
}
