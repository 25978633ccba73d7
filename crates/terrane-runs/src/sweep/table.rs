//! Writing the table of a sweep, as CSV or JSON.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};
use terrane_io::{json_text, write_atomic};
use terrane_nodes::values::to_cell;

use crate::Failure;

/// Columns of every table. No parameter can have these names.
pub const OWN_COLUMNS: [&str; 3] = ["seed", "error", "key"];

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    pub seed: u64,
    /// Parameters: name and RON text.
    pub set: Vec<(String, String)>,
    pub metrics: Vec<(String, f64)>,
    /// Why there are no metrics; empty if there are metrics.
    pub error: String,
    /// A hash of all that the run depends on. A row with the same key need not run again.
    pub key: String,
}

/// Whether a file's extension means JSON. Otherwise the extension must be that of CSV.
pub fn is_json(path: &Path) -> Result<bool, Failure> {
    match path.extension().map(std::ffi::OsStr::to_ascii_lowercase) {
        Some(extension) if extension == "csv" => Ok(false),
        Some(extension) if extension == "json" => Ok(true),
        _ => Err(Failure::usage(
            format!("{} is not a table", path.display()),
            "choose a name that ends with .csv or .json",
        )),
    }
}

/// The names of all metrics, in order of first occurrence.
pub fn metric_names<'a>(rows: impl Iterator<Item = &'a RunRow>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.flat_map(|row| &row.metrics) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Writes the table atomically.
pub fn write(path: &Path, rows: &[&RunRow]) -> Result<(), Failure> {
    let bytes = if is_json(path)? { json(rows) } else { csv(rows) };
    let bytes = bytes.map_err(|error| Failure::evaluation(format!("{}: {error}", path.display()), ""))?;
    write_atomic(path, false, |out| out.write_all(&bytes)).map(|_| ()).map_err(|error| {
        Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
    })
}

pub fn csv(rows: &[&RunRow]) -> Result<Vec<u8>, std::io::Error> {
    let metrics = metric_names(rows.iter().copied());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let set = rows.first().map_or(&[][..], |row| &row.set);
    let head = ["seed"].into_iter().chain(set.iter().map(|(name, _)| name.as_str()));
    let head = head.chain(metrics.iter().copied()).chain(["error", "key"]);
    writer.write_record(head.map(|name| to_cell(name).into_owned()))?;
    for row in rows {
        let mut cells = vec![row.seed.to_string()];
        cells.extend(row.set.iter().map(|(_, value)| value.clone()));
        cells.extend(
            metrics.iter().map(|name| row.metric(name).map_or_else(String::new, |number| number.to_string())),
        );
        cells.extend([row.error.clone(), row.key.clone()]);
        writer.write_record(cells.iter().map(|cell| to_cell(cell).into_owned()))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn json(rows: &[&RunRow]) -> Result<Vec<u8>, std::io::Error> {
    let metrics = metric_names(rows.iter().copied());
    let objects: Vec<Value> = rows
        .iter()
        .map(|row| {
            let mut object = Map::new();
            object.insert("seed".to_owned(), row.seed.into());
            for (name, text) in &row.set {
                object.insert(name.clone(), json_value(text));
            }
            for name in &metrics {
                object.insert((*name).to_owned(), row.metric(name).into());
            }
            object.insert("error".to_owned(), (!row.error.is_empty()).then_some(row.error.as_str()).into());
            object.insert("key".to_owned(), row.key.as_str().into());
            object.into()
        })
        .collect();
    json_text(&objects).map(String::into_bytes)
}

/// A parameter as JSON: numbers and booleans are written as in RON, others as text.
pub fn json_value(text: &str) -> Value {
    let value = serde_json::from_str(text).ok().filter(|v: &Value| v.is_number() || v.is_boolean());
    value.unwrap_or_else(|| text.into())
}

impl RunRow {
    /// Whether no metric has a finite number.
    pub fn is_numberless(&self) -> bool {
        self.metrics.iter().all(|(_, number)| !number.is_finite())
    }

    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(other, _)| other == name).map(|(_, number)| *number)
    }
}
