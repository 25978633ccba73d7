//! Tables of numbers.

use std::io::{self, Write};
use std::path::Path;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use terrane_flow::Data;
use terrane_io::{IoError, Stop, WriteOptions, Written, write_json};

use super::bytes::{Reader, write_f64s, write_text};
use super::capabilities::{Measured, TerrainData};
use super::numbers::Numbers;
use super::spreadsheet::to_cell;
use super::text::write_text_file;

/// Numbers in named columns of equal length. The result of a metric is a table with one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// Creates a single row of named numbers.
    #[must_use]
    pub fn row(values: &[(&str, f64)]) -> Self {
        Self { columns: values.iter().map(|(name, value)| ((*name).to_owned(), vec![*value])).collect() }
    }

    /// Creates a table from columns, cut to the length of the shortest.
    #[must_use]
    pub fn new(columns: Vec<(&str, Vec<f64>)>) -> Self {
        let rows = columns.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
        let cut = |mut values: Vec<f64>| {
            values.truncate(rows);
            values
        };
        Self { columns: columns.into_iter().map(|(name, values)| (name.to_owned(), cut(values))).collect() }
    }

    /// The columns with their names.
    #[must_use]
    pub fn columns(&self) -> &[(String, Vec<f64>)] {
        &self.columns
    }

    /// The column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values.as_slice())
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| values.len())
    }

    /// The table as comma-separated values with a header line, quoted where necessary. A name that a
    /// spreadsheet would read as a formula starts with an apostrophe.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = Vec::new();
        // Writing lines of equal length to memory cannot fail.
        self.write_csv(&mut text).unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    }

    /// Writes the table as [`Table::to_csv`] returns it, line by line.
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        if !self.columns.is_empty() {
            writer.write_record(self.columns.iter().map(|(name, _)| to_cell(name).into_owned()))?;
        }
        for row in 0..self.rows() {
            writer.write_record(self.columns.iter().map(|(_, values)| values[row].to_string()))?;
        }
        writer.flush()
    }
}

impl Data for Table {
    const KIND: &'static str = "table";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.columns.len() as u64).to_le_bytes())?;
        for (name, values) in &self.columns {
            write_text(out, name)?;
            write_f64s(out, values)?;
        }
        Ok(())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let count = reader.count(16)?;
        let columns =
            (0..count).map(|_| Ok((reader.text()?, reader.f64s()?))).collect::<io::Result<Vec<_>>>()?;
        reader.end()?;
        if columns.windows(2).any(|pair| pair[0].1.len() != pair[1].1.len()) {
            return Err(super::bytes::invalid("columns differ in length"));
        }
        Ok(Self { columns })
    }

    fn heap_bytes(&self) -> usize {
        self.columns.iter().map(|(name, values)| name.len() + values.len() * 8).sum()
    }

    /// A table with one row is an object of numbers; any other table is an object of lists.
    fn to_json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(Columns(self)).ok()
    }
}

/// The columns of a table as JSON.
struct Columns<'a>(&'a Table);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let is_one = self.0.rows() == 1;
        let mut map = to.serialize_map(Some(self.0.columns.len()))?;
        for (name, values) in &self.0.columns {
            match (is_one, values.first()) {
                (true, Some(value)) => map.serialize_entry(name, value)?,
                _ => map.serialize_entry(name, values)?,
            }
        }
        map.end()
    }
}

impl TerrainData for Table {
    const IN_PIECES: bool = true;
    const IS_PRINTED: bool = true;
    const MEASURED: Measured = Measured::InColumns;

    fn extensions() -> Vec<&'static str> {
        vec!["json", "csv"]
    }

    fn write(&self, path: &Path, _: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        write_text_file(path, stop, |out| if is_csv { self.write_csv(out) } else { self.write_json(out) })
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, &Columns(self))
    }

    fn facts(&self) -> serde_json::Value {
        let names: Vec<&String> = self.columns.iter().map(|(name, _)| name).collect();
        serde_json::json!({ "columns": names, "rows": self.rows() })
    }

    fn numbers(&self) -> Numbers<'_> {
        let columns = self.columns.iter();
        Numbers::new(
            columns.map(|(name, numbers)| (name.as_str().into(), numbers.as_slice().into())).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_names_are_quoted_and_are_not_formulas() {
        let table = Table::new(vec![
            ("a,b", vec![1.5, -2.0]),
            ("two\nlines", vec![3.0, 4.0]),
            ("=1+1", vec![5.0, 6.0]),
        ]);
        assert_eq!(table.to_csv(), "\"a,b\",\"two\nlines\",'=1+1\n1.5,3,5\n-2,4,6\n");
        assert_eq!(Table::row(&[("mean", 0.25)]).to_csv(), "mean\n0.25\n");
    }
}
