//! The summary of a sweep as a Markdown, CSV or JSON file.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Map, Value, json};
use terrane_flow::printable;
use terrane_io::json_text;
use terrane_nodes::values::to_cell;

use super::charts::save;
use super::figures::cell;
use super::names::{short, split};
use super::summary::{Combination, Summary, combinations};
use super::table::{RunRow, metric_names};
use crate::Failure;

/// The meaning of a row of the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowsOf {
    /// A combination of parameters, with one column per metric.
    #[default]
    Parameters,
    /// A node, with one column for each number that any of the nodes has.
    Nodes,
}

#[derive(Clone, Copy)]
enum Format {
    Markdown,
    Csv,
    Json,
}

/// Checks that a summary can be written in the file's format.
pub fn check(path: &Path) -> Result<(), Failure> {
    format(path).map(|_| ())
}

fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("md") => Ok(Format::Markdown),
        Some("csv") => Ok(Format::Csv),
        Some("json") => Ok(Format::Json),
        _ => Err(Failure::usage(
            format!("--summary {} has no known format", path.display()),
            "name a file that ends with .md, .csv or .json",
        )),
    }
}

/// A row of the summary.
struct SummaryRow<'a> {
    node: Option<&'a str>,
    of: &'a Combination<'a>,
    /// The metric in each column, if any.
    metrics: Vec<Option<&'a str>>,
}

/// The rows and columns of the summary.
struct SummaryTable<'a> {
    /// The names of the columns after the parameters.
    columns: Vec<&'a str>,
    lines: Vec<SummaryRow<'a>>,
}

/// Writes the summary of all runs.
pub fn write(path: &Path, rows: &[&RunRow], nodes: &[String], of: RowsOf) -> Result<(), Failure> {
    let combinations = combinations(rows);
    let metrics = metric_names(rows.iter().copied());
    if metrics.is_empty() {
        return Err(Failure::evaluation("--summary has no number", "see the column `error` of the table"));
    }
    let layout = match of {
        RowsOf::Parameters => by_parameters(&combinations, metrics),
        RowsOf::Nodes => by_nodes(&combinations, &metrics, nodes),
    };
    let bytes = match format(path)? {
        Format::Markdown => Ok(layout.markdown().into_bytes()),
        Format::Csv => layout.csv(),
        Format::Json => layout.json().map(String::into_bytes),
    };
    let bytes = bytes.map_err(|error| Failure::evaluation(format!("{}: {error}", path.display()), ""))?;
    save(path, &bytes)
}

fn by_parameters<'a>(combinations: &'a [Combination<'a>], metrics: Vec<&'a str>) -> SummaryTable<'a> {
    let line = |of: &'a Combination<'a>| SummaryRow {
        node: None,
        of,
        metrics: metrics.iter().copied().map(Some).collect(),
    };
    SummaryTable { lines: combinations.iter().map(line).collect(), columns: metrics }
}

fn by_nodes<'a>(
    combinations: &'a [Combination<'a>],
    metrics: &[&'a str],
    nodes: &[String],
) -> SummaryTable<'a> {
    let parts: Vec<(&str, &str)> = metrics.iter().map(|metric| split(metric, nodes)).collect();
    let (mut named, mut columns) = (Vec::new(), Vec::new());
    for (node, column) in &parts {
        if !named.contains(node) {
            named.push(*node);
        }
        if !columns.contains(column) {
            columns.push(*column);
        }
    }
    let metric = |node: &str, column: &str| {
        parts.iter().position(|part| *part == (node, column)).map(|at| metrics[at])
    };
    let mut lines = Vec::new();
    for of in combinations {
        for node in &named {
            let metrics = columns.iter().map(|column| metric(node, column)).collect();
            lines.push(SummaryRow { node: Some(*node), of, metrics });
        }
    }
    SummaryTable { columns: short(columns), lines }
}

impl SummaryTable<'_> {
    /// The names of the columns that identify a row.
    fn keys(&self) -> Vec<&str> {
        let first = self.lines.first();
        let set = first.map_or(&[][..], |line| line.of.set);
        let node = first.and_then(|line| line.node).map(|_| "node");
        node.into_iter().chain(set.iter().map(|(name, _)| name.as_str())).collect()
    }

    fn markdown(&self) -> String {
        let keys = self.keys();
        let mut table: Vec<Vec<String>> = vec![
            keys.iter().copied().chain(["runs"]).chain(self.columns.iter().copied()).map(escape).collect(),
        ];
        for line in &self.lines {
            let (runs, all) = (line.of.succeeded(), line.of.rows.len());
            let mut cells: Vec<String> = line.keys().map(escape).collect();
            cells.push(if runs == all { all.to_string() } else { format!("{runs} of {all}") });
            let text = |summary: Option<Option<Summary>>| {
                summary.map_or_else(String::new, |summary| cell(summary.as_ref(), runs))
            };
            cells.extend(line.summaries().map(text));
            table.push(cells);
        }
        let width =
            |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(4);
        let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
        let mut text = String::new();
        for (index, row) in table.iter().enumerate() {
            // Identifying columns are left-aligned, numbers right-aligned.
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < keys.len() { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            text += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
            if index == 0 {
                let rules = widths.iter().enumerate().map(|(column, width)| {
                    if column < keys.len() { "-".repeat(width + 2) } else { "-".repeat(width + 1) + ":" }
                });
                text += &format!("|{}|\n", rules.collect::<Vec<_>>().join("|"));
            }
        }
        text
    }

    fn csv(&self) -> Result<Vec<u8>, std::io::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head: Vec<String> = self.keys().into_iter().map(str::to_owned).collect();
        head.push("runs".to_owned());
        for column in &self.columns {
            head.extend(
                ["runs", "mean", "deviation", "least", "most"].map(|what| format!("{column} {what}")),
            );
        }
        writer.write_record(head.iter().map(|name| to_cell(name).into_owned()))?;
        for line in &self.lines {
            let mut cells: Vec<String> = line.keys().map(str::to_owned).collect();
            cells.push(line.of.rows.len().to_string());
            for summary in line.summaries() {
                let known = summary.map(|summary| summary.map_or(0, |summary| summary.runs));
                let summary = summary.flatten();
                let number = |of: fn(&Summary) -> Option<f64>| {
                    summary.as_ref().and_then(of).map_or_else(String::new, |number| number.to_string())
                };
                cells.push(known.map_or_else(String::new, |runs| runs.to_string()));
                cells.extend([number(|s| Some(s.mean)), number(|s| s.deviation)]);
                cells.extend([number(|s| Some(s.least)), number(|s| Some(s.most))]);
            }
            writer.write_record(cells.iter().map(|cell| to_cell(cell).into_owned()))?;
        }
        writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    fn json(&self) -> Result<String, std::io::Error> {
        let object = |line: &SummaryRow<'_>| {
            let mut object = Map::new();
            if let Some(node) = line.node {
                object.insert("node".to_owned(), node.into());
            }
            let set = line.of.set.iter().map(|(name, text)| (name.clone(), super::table::json_value(text)));
            object.insert("parameters".to_owned(), set.collect::<Map<_, _>>().into());
            object.insert("runs".to_owned(), line.of.rows.len().into());
            let metric = |(column, summary): (&&str, Option<Option<Summary>>)| {
                let value = summary?.map_or_else(
                    || json!({ "runs": 0, "mean": null, "deviation": null, "least": null, "most": null }),
                    |s| {
                        let (mean, deviation, least, most) = (s.mean, s.deviation, s.least, s.most);
                        json!({
                            "runs": s.runs,
                            "mean": mean,
                            "deviation": deviation,
                            "least": least,
                            "most": most,
                        })
                    },
                );
                Some(((*column).to_owned(), value))
            };
            let metrics: Map<String, Value> =
                self.columns.iter().zip(line.summaries()).filter_map(metric).collect();
            object.insert("metrics".to_owned(), metrics.into());
            Value::from(object)
        };
        let objects: Vec<Value> = self.lines.iter().map(object).collect();
        json_text(&objects)
    }
}

impl SummaryRow<'_> {
    /// The summary of each column. `None` means that the node has no such number. `Some(None)` means that no
    /// run gave a number.
    fn summaries(&self) -> impl Iterator<Item = Option<Option<Summary>>> {
        self.metrics.iter().map(|metric| metric.map(|metric| self.of.summary(metric)))
    }

    /// The cells that identify the row: the node, and parameter values.
    fn keys(&self) -> impl Iterator<Item = &str> {
        self.node.into_iter().chain(self.of.set.iter().map(|(_, value)| value.as_str()))
    }
}

/// Escapes text for a Markdown table.
fn escape(text: &str) -> String {
    printable(text).replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u64, k: &str, a: f64, b: f64, error: &str) -> RunRow {
        let metrics = vec![("play_a.score".to_owned(), a), ("play_b.score".to_owned(), b)];
        let set = vec![("k".to_owned(), k.to_owned())];
        let metrics = if error.is_empty() { metrics } else { Vec::new() };
        RunRow { seed, set, metrics, error: error.to_owned(), key: String::new() }
    }

    fn text(rows: &[RunRow], of: RowsOf, file: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let nodes = ["play_a".to_owned(), "play_b".to_owned()];
        let path = folder.path().join(file);
        assert!(write(&path, &rows.iter().collect::<Vec<_>>(), &nodes, of).is_ok());
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn the_summary_counts_failed_runs_and_missing_numbers() {
        let rows = [
            row(0, "1", 1.0, 10.0, ""),
            row(1, "1", 3.0, f64::NAN, ""),
            row(2, "1", 0.0, 0.0, "it broke"),
            row(0, "a|b", 2.0, f64::NAN, ""),
        ];
        insta::assert_snapshot!(text(&rows, RowsOf::Parameters, "s.md"), @r"
        | k    |   runs | play_a.score | play_b.score |
        |------|-------:|-------------:|-------------:|
        | 1    | 2 of 3 |    2.0 ± 1.4 |  10 (1 of 2) |
        | a\|b |      1 |            2 |         none |
        ");
        insta::assert_snapshot!(text(&rows, RowsOf::Nodes, "s.md"), @r"
        | node   | k    |   runs |       score |
        |--------|------|-------:|------------:|
        | play_a | 1    | 2 of 3 |   2.0 ± 1.4 |
        | play_b | 1    | 2 of 3 | 10 (1 of 2) |
        | play_a | a\|b |      1 |           2 |
        | play_b | a\|b |      1 |        none |
        ");
        insta::assert_snapshot!(text(&rows, RowsOf::Nodes, "s.csv"), @"
        node,k,runs,score runs,score mean,score deviation,score least,score most
        play_a,1,3,2,2,1.4142135623730951,1,3
        play_b,1,3,1,10,,10,10
        play_a,a|b,1,1,2,,2,2
        play_b,a|b,1,0,,,,
        ");
        let json: Value = serde_json::from_str(&text(&rows, RowsOf::Parameters, "s.json")).unwrap();
        assert_eq!(json[0]["parameters"]["k"], 1);
        assert_eq!((&json[0]["runs"], &json[0]["metrics"]["play_a.score"]["runs"]), (&json!(3), &json!(2)));
        assert_eq!(
            json[1]["metrics"]["play_b.score"],
            json!({"runs": 0, "mean": null, "deviation": null, "least": null, "most": null})
        );
    }
}
