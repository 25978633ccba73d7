//! Tables as charts.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, suggest};

use crate::values::{Chart, Table};
use terrane_charts::{Curve, line_chart};

/// Draws columns of a table as curves in a chart, for an SVG file.
///
/// Points with a number that is not finite are left out, as are numbers of 0 or less on a logarithmic axis.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (257, 257), spacing: 4.0, seed: 7,
///     nodes: {
///         "noise": PolynomialNoise(wavelength: 512.0, persistence: 0.65),
///         "coast": FractalDimension(height: "noise", level: 0.5),
///         "chart": Plot(table: "coast.boxes", x: "size", y: ["length"], log_x: true, log_y: true),
///     },
///     outputs: { "coast.svg": "chart" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "chart graph curve diagram svg line axis",
    tiles = Global, because = "a chart shows the whole table")]
#[output(chart: Chart, doc = "The chart.")]
pub struct Plot {
    /// The table.
    #[input]
    pub table: Input<Table>,
    /// Name of the column along the horizontal axis. Default: the first column.
    #[param(default = None)]
    pub x: Option<String>,
    /// Names of the columns to draw. Default: all others.
    #[param(default = Vec::new())]
    pub y: Vec<String>,
    /// Whether the horizontal axis shows logarithms to base 10.
    #[param(default = false)]
    pub log_x: bool,
    /// Whether the vertical axis shows logarithms to base 10.
    #[param(default = false)]
    pub log_y: bool,
}

impl Evaluate for Plot {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let table = self.table.get();
        let names: Vec<&str> = table.columns().iter().map(|(name, _)| name.as_str()).collect();
        let column = |name: &str| {
            table.column(name).ok_or_else(|| {
                NodeError::failed(
                    format!("the table has no column `{name}`"),
                    suggest::help(name, &names, "its columns are"),
                )
            })
        };
        let x_name = self.x.as_deref().or(names.first().copied()).unwrap_or_default();
        let x = column(x_name)?;
        let drawn: Vec<&str> = if self.y.is_empty() {
            names.iter().copied().filter(|name| *name != x_name).collect()
        } else {
            self.y.iter().map(String::as_str).collect()
        };
        let scaled = |value: f64, log: bool| if log { libm::log10(value) } else { value };
        let mut curves: Vec<Curve<'_>> = Vec::new();
        for name in drawn {
            let points = x.iter().zip(column(name)?);
            let points = points.map(|(&x, &y)| (scaled(x, self.log_x), scaled(y, self.log_y)));
            curves.push((name, points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect()));
        }
        if curves.iter().all(|(_, points)| points.is_empty()) {
            return Err(NodeError::failed(
                "there is no number to draw",
                "write the table to a .csv file to inspect it",
            ));
        }
        let label = |name: &str, log: bool| if log { format!("log10 of {name}") } else { name.to_owned() };
        let y_name = if let [(name, _)] = curves[..] { name } else { "value" };
        let axes = [label(x_name, self.log_x), label(y_name, self.log_y)];
        let chart = line_chart([&axes[0], &axes[1]], &curves, ("", &[])).map_err(|error| {
            NodeError::failed(error.to_string(), "write the table to a .csv file to inspect it")
        })?;
        Ok((Chart(chart),))
    }
}
