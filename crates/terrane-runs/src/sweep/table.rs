//! Reading and writing the table of a sweep, as CSV or JSON.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};
use terrane_io::{json_text, open_regular, read_regular, write_atomic};
use terrane_nodes::values::{from_cell, to_cell};

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

fn csv(rows: &[&RunRow]) -> Result<Vec<u8>, std::io::Error> {
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

/// A row read from a table.
#[derive(Debug)]
pub struct Stored {
    pub seed: Option<u64>,
    pub error: String,
    pub key: String,
    /// The other cells: parameters and metrics, as text.
    pub cells: Cells,
}

impl Stored {
    fn new(row: Cells) -> Self {
        let text = |wanted: &str| row.iter().find(|(name, _)| name == wanted).map_or("", |(_, text)| text);
        let (seed, error, key) =
            (text("seed").parse().ok(), text("error").to_owned(), text("key").to_owned());
        let cells = row.into_iter().filter(|(name, _)| !OWN_COLUMNS.contains(&name.as_str())).collect();
        Self { seed, error, key, cells }
    }

    pub fn cell(&self, wanted: &str) -> Option<&str> {
        self.cells.iter().find(|(name, _)| name == wanted).map(|(_, text)| text.as_str())
    }

    pub fn number(&self, wanted: &str) -> Option<f64> {
        self.cell(wanted)?.parse().ok()
    }

    /// The metrics: cells with numbers that are not parameters.
    pub fn numbers(&self, parameters: &[&str]) -> Vec<(String, f64)> {
        let metrics = self.cells.iter().filter(|(name, _)| !parameters.contains(&name.as_str()));
        metrics.filter_map(|(name, text)| Some((name.clone(), text.parse().ok()?))).collect()
    }
}

/// The rows of a table; no rows if the file does not exist.
pub fn read(path: &Path) -> Result<Vec<Stored>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = if is_json(path)? { read_json(path) } else { read_csv(path) };
    let Some(rows) = rows else {
        let message = format!("{} exists and is not a table of a sweep", path.display());
        return Err(Failure::usage(message, "choose another name, or remove it"));
    };
    Ok(rows.into_iter().map(Stored::new).collect())
}

type Cells = Vec<(String, String)>;

fn read_csv(path: &Path) -> Option<Vec<Cells>> {
    let mut reader = csv::Reader::from_reader(open_regular(path).ok()?);
    let names = reader.headers().ok()?.clone();
    names.iter().any(|name| name == "key").then_some(())?;
    let cells = |record: csv::StringRecord| {
        names
            .iter()
            .zip(&record)
            .map(|(a, b)| (from_cell(a).into_owned(), from_cell(b).into_owned()))
            .collect()
    };
    reader.into_records().map(|record| record.ok().map(cells)).collect()
}

fn read_json(path: &Path) -> Option<Vec<Cells>> {
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(&read_regular(path).ok()?).ok()?;
    let text = |name: &str, value: Value| match value {
        Value::Null if name == "error" => String::new(),
        // JSON cannot represent NaN.
        Value::Null => "NaN".to_owned(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    let cell = |(name, value): (String, Value)| {
        let text = text(&name, value);
        (name, text)
    };
    let cells =
        |row: Map<String, Value>| row.contains_key("key").then(|| row.into_iter().map(cell).collect());
    rows.into_iter().map(cells).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn tables_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let row = |seed, error: &str| RunRow {
            seed,
            set: vec![("k".to_owned(), "\"a,b\"".to_owned()), ("n".to_owned(), "0.5".to_owned())],
            metrics: if error.is_empty() { vec![("m.x".to_owned(), 0.1 + seed as f64)] } else { Vec::new() },
            error: error.to_owned(),
            key: format!("key{seed}"),
        };
        let rows = [row(1, ""), row(2, "it \"broke\",\nbadly"), row(3, "")];
        for file in ["a.csv", "a.json"] {
            let path = folder.path().join(file);
            assert!(matches!(read(&path), Ok(stored) if stored.is_empty()));
            assert!(write(&path, &rows.iter().collect::<Vec<_>>()).is_ok());
            let Ok(stored) = read(&path) else { panic!("it is a table") };
            assert_eq!(stored.len(), 3);
            for (stored, row) in stored.iter().zip(&rows) {
                assert_eq!((stored.seed, &stored.error, &stored.key), (Some(row.seed), &row.error, &row.key));
                let set: Vec<_> = row.set.iter().map(|(_, value)| Some(value.as_str())).collect();
                assert_eq!([stored.cell("k"), stored.cell("n")], set[..], "{file}");
                if row.error.is_empty() {
                    assert_eq!(stored.numbers(&["k", "n"]), row.metrics);
                }
            }
            fs::write(&path, "a,b\n1,2\n").unwrap();
            assert!(read(&path).is_err());
        }
        // A number that is NaN is read back as NaN, so that columns and summaries stay the same.
        for file in ["n.csv", "n.json"] {
            let path = folder.path().join(file);
            let nan = RunRow { metrics: vec![("m".to_owned(), f64::NAN)], ..row(1, "") };
            assert!(write(&path, &[&nan]).is_ok());
            let Ok(stored) = read(&path) else { panic!("it is a table") };
            assert!(
                matches!(&stored[0].numbers(&["k", "n"])[..], [(name, x)] if name == "m" && x.is_nan()),
                "{file}"
            );
        }
        let text = String::from_utf8(csv(&rows.iter().collect::<Vec<_>>()).unwrap()).unwrap();
        assert!(text.starts_with("seed,k,n,m.x,error,key\n1,\"\"\"a,b\"\"\",0.5,1.1,,key1\n"), "{text}");
    }
}
