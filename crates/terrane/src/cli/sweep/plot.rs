//! Metrics over what was varied, as a chart.

use std::io::Write;
use std::path::Path;

use plotters::prelude::*;
use terrane_io::write_atomic;
use terrane_nodes::pictures::COLOURS;

use super::cases::Cases;
use super::table::{Row, metric_names};
use crate::cli::console::Failure;

/// What the horizontal axis shows.
pub enum Axis {
    /// A parameter, by its position.
    Parameter(usize),
    Seed,
}

impl Axis {
    /// The first parameter that has several numbers, else the seed.
    pub fn new(cases: &Cases) -> Result<Self, Failure> {
        let numeric = |values: &[String]| values.len() > 1 && values.iter().all(|v| number(v).is_some());
        if let Some(at) = cases.varied.iter().position(|one| numeric(&one.values)) {
            return Ok(Self::Parameter(at));
        }
        if cases.seeds.len() > 1 {
            return Ok(Self::Seed);
        }
        Err(Failure::usage("--plot has nothing to go along", "sweep a parameter that is a number, or seeds"))
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A line: its name, and per place mean, least and greatest over seeds.
struct Line {
    name: String,
    places: Vec<(f64, Vec<f64>)>,
}

impl Line {
    fn means(&self) -> Vec<(f64, f64)> {
        self.places.iter().map(|(x, ys)| (*x, ys.iter().sum::<f64>() / ys.len() as f64)).collect()
    }

    /// The outline of all values: greatest forth, least back.
    fn band(&self) -> Vec<(f64, f64)> {
        let ends = |pick: fn(f64, f64) -> f64, start: f64| {
            let of = move |(x, ys): &(f64, Vec<f64>)| (*x, ys.iter().copied().fold(start, pick));
            self.places.iter().map(of).collect::<Vec<_>>()
        };
        ends(f64::max, f64::NEG_INFINITY)
            .into_iter()
            .chain(ends(f64::min, f64::INFINITY).into_iter().rev())
            .collect()
    }
}

fn lines(rows: &[&Row], axis: &Axis, metric: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let others =
            row.set.iter().enumerate().filter(|(at, _)| !matches!(axis, Axis::Parameter(x) if x == at));
        let name = others.map(|(_, (name, value))| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
        let x = match axis {
            Axis::Parameter(at) => number(&row.set[*at].1),
            Axis::Seed => Some(row.seed as f64),
        };
        let (Some(x), Some(y)) = (x, row.metric(metric).filter(|y| y.is_finite())) else { continue };
        let at = lines.iter().position(|line| line.name == name).unwrap_or_else(|| {
            lines.push(Line { name, places: Vec::new() });
            lines.len() - 1
        });
        match lines[at].places.iter_mut().find(|(place, _)| *place == x) {
            Some((_, ys)) => ys.push(y),
            None => lines[at].places.push((x, vec![y])),
        }
    }
    for line in &mut lines {
        line.places.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines
}

/// Draws a chart per metric, one below the other: a line for each combination of the other parameters, the mean over
/// seeds, with a band from the least to the greatest.
pub fn write(path: &Path, rows: &[&Row], axis: &Axis) -> Result<(), Failure> {
    let metrics = metric_names(rows.iter().copied());
    let charts: Vec<(&str, Vec<Line>)> = metrics
        .into_iter()
        .map(|metric| (metric, lines(rows, axis, metric)))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    if charts.is_empty() {
        return Err(Failure::evaluation(
            "--plot has no number to draw",
            "see the column `error` of the table",
        ));
    }
    let x_name = match (axis, rows.first()) {
        (Axis::Parameter(at), Some(row)) => row.set[*at].0.as_str(),
        _ => "seed",
    };
    let svg = draw(&charts, x_name)
        .map_err(|error| Failure::evaluation(format!("{}: {error}", path.display()), "look at the table"))?;
    write_atomic(path, false, |out| out.write_all(svg.as_bytes())).map(|_| ()).map_err(|error| {
        Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
    })
}

fn draw(charts: &[(&str, Vec<Line>)], x_name: &str) -> Result<String, Box<dyn std::error::Error>> {
    const SIZE: (u32, u32) = (720, 360);
    let mut text = String::new();
    {
        let area =
            SVGBackend::with_string(&mut text, (SIZE.0, SIZE.1 * charts.len() as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        for ((metric, lines), area) in charts.iter().zip(area.split_evenly((charts.len(), 1))) {
            let points =
                || lines.iter().flat_map(|line| &line.places).flat_map(|(x, ys)| ys.iter().map(|y| (*x, *y)));
            let (left, right) = ends(points().map(|p| p.0));
            let (low, high) = ends(points().map(|p| p.1));
            let margin = 0.05 * (high - low).max(1e-9);
            let mut chart = ChartBuilder::on(&area)
                .margin(12)
                .x_label_area_size(36)
                .y_label_area_size(56)
                .build_cartesian_2d(
                    left..if right > left { right } else { left + 1.0 },
                    low - margin..high + margin,
                )?;
            chart.configure_mesh().x_desc(x_name).y_desc(*metric).light_line_style(TRANSPARENT).draw()?;
            for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
                if line.places.iter().any(|(_, ys)| ys.len() > 1) {
                    chart.draw_series([Polygon::new(line.band(), colour.mix(0.15))])?;
                }
                let series = chart.draw_series(LineSeries::new(line.means(), colour.stroke_width(2)))?;
                if !line.name.is_empty() {
                    series.label(&line.name).legend(move |(x, y)| {
                        PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                    });
                }
            }
            if lines.iter().any(|line| !line.name.is_empty()) {
                let labels = &mut chart.configure_series_labels();
                labels.background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
            }
        }
        area.present()?;
    }
    Ok(text)
}

fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u64, k: &str, mode: &str, m: f64) -> Row {
        let set = vec![("mode".to_owned(), mode.to_owned()), ("k".to_owned(), k.to_owned())];
        Row { seed, set, metrics: vec![("m".to_owned(), m)], error: String::new(), key: String::new() }
    }

    #[test]
    fn a_line_for_each_combination_with_the_mean_over_seeds() {
        let rows =
            [row(1, "2", "A", 1.0), row(2, "2", "A", 3.0), row(1, "1", "A", 5.0), row(1, "1", "B", 9.0)];
        let lines = lines(&rows.iter().collect::<Vec<_>>(), &Axis::Parameter(1), "m");
        assert_eq!(lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["mode A", "mode B"]);
        assert_eq!(lines[0].means(), [(1.0, 5.0), (2.0, 2.0)]);
        assert_eq!(lines[0].band(), [(1.0, 5.0), (2.0, 3.0), (2.0, 1.0), (1.0, 5.0)]);
        assert_eq!(lines[1].means(), [(1.0, 9.0)]);
    }
}
