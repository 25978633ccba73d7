//! Reading the table of a sweep, as CSV or JSON.

use std::fmt;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Number;
use terrane_io::{cells_of_table, open_regular};
use terrane_nodes::values::from_cell;

use super::table::{OWN_COLUMNS, is_json};
use crate::Failure;

/// The maximum size of a table in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum number of cells of a table. Each takes up to a hundred bytes of memory.
const MAX_CELLS: usize = 2_500_000;

/// The cells of a row by the names of their columns. All rows share the names.
type Cells = Vec<(Arc<str>, String)>;

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
        let text = |wanted: &str| row.iter().find(|(name, _)| &**name == wanted).map_or("", |(_, text)| text);
        let (seed, error, key) =
            (text("seed").parse().ok(), text("error").to_owned(), text("key").to_owned());
        let cells = row.into_iter().filter(|(name, _)| !OWN_COLUMNS.contains(&&**name)).collect();
        Self { seed, error, key, cells }
    }

    pub fn cell(&self, wanted: &str) -> Option<&str> {
        self.cells.iter().find(|(name, _)| &**name == wanted).map(|(_, text)| text.as_str())
    }

    pub fn number(&self, wanted: &str) -> Option<f64> {
        self.cell(wanted)?.parse().ok()
    }

    /// The metrics: cells with numbers that are not parameters.
    pub fn numbers(&self, parameters: &[&str]) -> Vec<(String, f64)> {
        let metrics = self.cells.iter().filter(|(name, _)| !parameters.contains(&&**name));
        metrics.filter_map(|(name, text)| Some((name.to_string(), text.parse().ok()?))).collect()
    }
}

/// The rows of a table; no rows if the file does not exist.
pub fn read(path: &Path) -> Result<Vec<Stored>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let is_json = is_json(path)?;
    let content = |path: &Path| {
        let mut bytes = Vec::new();
        open_regular(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        std::io::Result::Ok(bytes)
    };
    let bytes = content(path).unwrap_or_default();
    let cells = if is_json { cells_of_json(&bytes) } else { cells_of_table(&bytes).0 };
    if bytes.len() as u64 > MAX_BYTES || cells > MAX_CELLS {
        let message = format!(
            "{} has more than {} MiB or {MAX_CELLS} cells, which is too much for a table to extend",
            path.display(),
            MAX_BYTES >> 20
        );
        return Err(Failure::usage(message, "choose another name, or remove it"));
    }
    let rows = if is_json { read_json(&bytes) } else { read_csv(&bytes) };
    let Some(rows) = rows else {
        let message = format!("{} exists and is not a table of a sweep", path.display());
        return Err(Failure::usage(message, "choose another name, or remove it"));
    };
    Ok(rows.into_iter().map(Stored::new).collect())
}

fn read_csv(bytes: &[u8]) -> Option<Vec<Cells>> {
    if cells_of_table(bytes).1.is_some() {
        return None;
    }
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<Arc<str>> =
        reader.headers().ok()?.iter().map(|name| Arc::from(&*from_cell(name))).collect();
    names.iter().any(|name| &**name == "key").then_some(())?;
    let cells = |record: csv::StringRecord| {
        names
            .iter()
            .zip(&record)
            .map(|(name, cell)| (Arc::clone(name), from_cell(cell).into_owned()))
            .collect()
    };
    reader.into_records().map(|record| record.ok().map(cells)).collect()
}

/// The number of values in JSON. Every value but the first follows one of these signs. Signs in texts count
/// too.
fn cells_of_json(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| matches!(byte, b'[' | b'{' | b',')).count()
}

fn read_json(bytes: &[u8]) -> Option<Vec<Cells>> {
    let rows: Vec<Row> = serde_json::from_slice(bytes).ok()?;
    // A row has most of the names of the row before it, in the same order.
    let mut names: Vec<Arc<str>> = Vec::new();
    let rows = rows.into_iter().map(|Row(cells)| {
        cells.iter().any(|(name, _)| name == "key").then_some(())?;
        let cells: Cells = cells
            .into_iter()
            .enumerate()
            .map(|(at, (name, Cell(text)))| {
                let text = match text {
                    Some(text) => text,
                    None if name == "error" => String::new(),
                    // JSON cannot represent NaN.
                    None => "NaN".to_owned(),
                };
                let shared = names.get(at).filter(|shared| ***shared == *name).cloned();
                (shared.unwrap_or_else(|| name.into()), text)
            })
            .collect();
        names = cells.iter().map(|(name, _)| Arc::clone(name)).collect();
        Some(cells)
    });
    rows.collect()
}

/// The cells of a row in JSON, in order.
struct Row(Vec<(String, Cell)>);

/// A cell in JSON as text; `None` for `null`.
struct Cell(Option<String>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cells;
        impl<'de> Visitor<'de> for Cells {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row of a sweep")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut cells = Vec::new();
                while let Some(cell) = map.next_entry()? {
                    cells.push(cell);
                }
                Ok(Row(cells))
            }
        }
        deserializer.deserialize_map(Cells)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Cell;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, true, false or null")
            }

            fn visit_unit<E>(self) -> Result<Cell, E> {
                Ok(Cell(None))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Cell, E> {
                Ok(Cell(Some(value.to_string())))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Cell, E> {
                Ok(Cell(Some(value.to_string())))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Cell, E> {
                Ok(Cell(Some(value.to_string())))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Cell, E> {
                Ok(Cell(Number::from_f64(value).map(|number| number.to_string())))
            }

            fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
                Ok(Cell(Some(value.to_owned())))
            }
        }
        deserializer.deserialize_any(Text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use terrane_io::MAX_RECORD;

    use super::super::table::{RunRow, csv, write};
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
        for (file, wrong) in [
            ("a.json", "[[1]]"),
            ("a.json", r#"[{"key": "k", "x": [1]}]"#),
            ("a.json", r#"[{"x": 1}]"#),
            ("a.csv", &format!("seed,key\n1,{}\n", "x".repeat(MAX_RECORD))),
        ] {
            let path = folder.path().join(file);
            fs::write(&path, wrong).unwrap();
            assert!(
                matches!(read(&path), Err(failure) if failure.in_short().contains("not a table")),
                "{file}"
            );
        }
        for (file, long) in [
            ("a.csv", format!("seed,key\n{}", "1,k\n".repeat(MAX_CELLS / 2 + 1))),
            ("a.json", format!("[{}{{}}]", r#"{"key":0,"x":0},"#.repeat(MAX_CELLS / 3 + 1))),
        ] {
            let path = folder.path().join(file);
            fs::write(&path, long).unwrap();
            assert!(
                matches!(read(&path), Err(failure) if failure.in_short().contains("more than 64 MiB")),
                "{file}"
            );
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
