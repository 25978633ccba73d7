//! Velzel's figures 4, 6 and 8 to 11, from the tables that sweeps of `graphs/velzel/solvers.ron` write.

use std::io::Write;

use terrane_charts::{Line, Panel, panels};

use super::runs::{Run, over_sizes, read};
use crate::{Result, root, say};

/// The thesis's Table 1: iterations from 9 x 9 to 257 x 257.
const TABLE_1: [(&str, [f64; 6]); 3] = [
    ("0.0005", [82.8, 385.7, 2368.7, 8828.1, 51781.6, 219_010.8]),
    ("0.0035", [58.2, 219.1, 1102.5, 5276.0, 26898.2, 116_102.7]),
    ("0.0095", [11.3, 18.3, 39.4, 155.6, 998.3, 3744.4]),
];

/// The bounds at the border and next to the path.
const CONFIGURATIONS: [(&str, &str); 4] =
    [("Free", "Directional"), ("Free", "Roughness"), ("Stitched", "Directional"), ("Stitched", "Roughness")];

/// The thesis's tolerances of slopes.
const TOLERANCES: [&str; 4] = ["0.001", "0.0001", "0.00001", "0.000001"];

const SIZE: &str = "spaces along a side, power of two";
const ITERATIONS: &str = "sweeps.report.iterations";

/// Draws all figures.
///
/// # Errors
/// If a table is missing.
pub fn figures() -> Result<()> {
    let table = |name: &str| read(&root().join("graphs/velzel/tables").join(name));
    let (mut slopes, bounds, tolerances) =
        (table("table_1.csv")?, table("bounds.csv")?, table("tolerance.csv")?);
    // The optimum was only computed for the smaller sizes.
    draw(
        "figure_8",
        "earth moved over the optimum's",
        by(&TABLE_1.map(|(slope, _)| slope), "slope", &slopes, ratio, same),
    )?;
    slopes.extend(table("table_1_large.csv")?);
    let mut iterations = by(&TABLE_1.map(|(slope, _)| slope), "slope", &slopes, iterations, libm::log10);
    iterations.extend(TABLE_1.map(|(slope, means)| Line {
        name: format!("slope {slope}, thesis"),
        points: (3..).zip(means).map(|(power, mean)| (f64::from(power), libm::log10(mean))).collect(),
        band: Vec::new(),
    }));
    draw("figure_4", "iterations, power of ten", iterations)?;
    draw(
        "figure_6",
        "iterations, power of ten",
        configured(&bounds, |run| met(run).then(|| run.number(ITERATIONS)), libm::log10),
    )?;
    draw(
        "figure_9",
        "earth moved over the optimum's",
        by(&TOLERANCES, "tolerance", &tolerances, ratio, same),
    )?;
    draw(
        "figure_10",
        "iterations, power of ten",
        by(&TOLERANCES, "tolerance", &tolerances, self::iterations, libm::log10),
    )?;
    draw("figure_11", "bounds missed, %", configured(&bounds, |run| Some(missed(run)), same))
}

fn same(number: f64) -> f64 {
    number
}

fn iterations(run: &Run) -> f64 {
    run.number(ITERATIONS)
}

/// The earth that sweeps move relative to the minimum that meets the bounds. NaN if nothing must be moved.
fn ratio(run: &Run) -> f64 {
    let least = run.number("best.cost.cost");
    if least > 1e-6 { run.number("earth_sweeps.distance.distance") / least } else { f64::NAN }
}

fn met(run: &Run) -> bool {
    run.number("sweeps.report.met") == 1.0
}

/// The percentage of all bounds that are missed.
fn missed(run: &Run) -> f64 {
    let of = |kind: &str| {
        let column = format!("shares.report.{kind}");
        let bound = run.number(&column);
        (bound, bound * run.number(&format!("{column}_missed")))
    };
    let kinds = ["gradient", "directional", "roughness", "position"].map(of);
    let sum = |part: fn(&(f64, f64)) -> f64| kinds.iter().map(part).sum::<f64>();
    100.0 * sum(|kind| kind.1) / sum(|kind| kind.0).max(1.0)
}

/// A line for each value of a parameter.
fn by(
    values: &[&str],
    parameter: &str,
    runs: &[Run],
    value: fn(&Run) -> f64,
    shown: fn(f64) -> f64,
) -> Vec<Line> {
    let line = |wanted: &&str| {
        let own = |run: &Run| (run.text(parameter) == *wanted).then(|| value(run));
        over_sizes(&format!("{parameter} {wanted}"), runs, own, shown)
    };
    values.iter().map(line).collect()
}

/// A line for each configuration.
fn configured(runs: &[Run], value: impl Fn(&Run) -> Option<f64>, shown: fn(f64) -> f64) -> Vec<Line> {
    let line = |(borders, surround): (&str, &str)| {
        let own = |run: &Run| {
            (run.text("borders") == borders && run.text("surround") == surround).then(|| value(run)).flatten()
        };
        over_sizes(&format!("{borders}, {surround}"), runs, own, shown)
    };
    CONFIGURATIONS.map(line).into()
}

fn draw(name: &str, subject: &str, lines: Vec<Line>) -> Result<()> {
    let panel = Panel { axes: [SIZE.to_owned(), subject.to_owned()], lines };
    let path = root().join("graphs/velzel").join(format!("{name}.svg"));
    let chart = panels(&[panel])?;
    terrane_io::write_atomic(&path, false, |file| file.write_all(chart.as_bytes()))?;
    say(&format!("wrote {}", path.display()));
    Ok(())
}
