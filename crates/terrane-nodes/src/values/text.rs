//! Values as long texts, written piece by piece: memory holds neither the text nor a tree of it, and writing
//! can be stopped.

use std::io::{self, Write};
use std::path::Path;

use serde::{Serialize, Serializer};
use terrane_io::{IoError, Stop, Written, write_atomic_until};

/// Writes a text to a file, whole or not at all.
///
/// # Errors
/// Errors of the file system, or if writing was stopped. The file is then as before.
pub fn write_text_file(
    path: &Path,
    stop: Stop<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Written, IoError> {
    write_atomic_until(path, stop, write)
}

/// A list whose elements are made one at a time. The function returns an iterator over them.
pub struct List<F>(pub F);

impl<F: Fn() -> I, I: IntoIterator<Item: Serialize>> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((self.0)())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use terrane_fields::sectioning::section;
    use terrane_flow::Data as _;
    use terrane_grid::{PlanarGraph, Polyline};
    use terrane_io::{json_text, write_json};

    use super::super::{Fields, Graph, Paths, Points, Table, TerrainData as _};
    use super::*;

    #[test]
    fn values_are_written_as_their_json() {
        let plane = PlanarGraph {
            nodes: vec![(0.1, 0.0), (4.0, 0.1 + 0.2), (0.0, 3.0)],
            edges: vec![(0, 1), (1, 2), (2, 0)],
        };
        let line = |closed| Polyline { points: vec![(0.5, -1.0), (2.0, 0.1)], closed };
        let table = |rows: usize| Table::new(vec![("a\u{1b}", vec![1.5; rows]), ("b", vec![f64::NAN; rows])]);
        let is_same = |value: &dyn Fn(&mut Vec<u8>) -> Option<serde_json::Value>| {
            let mut text = Vec::new();
            let json = value(&mut text).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), json_text(&json).unwrap());
        };
        let paths = Paths::new(vec![line(true), Polyline::default()], table(2));
        is_same(&|out| paths.write_json(out).ok().and_then(|()| paths.to_json()));
        is_same(&|out| Paths::default().write_json(out).ok().and_then(|()| Paths::default().to_json()));
        let graph =
            Graph { plane: plane.clone(), widths: vec![1.0; 3], numbers: vec![7], ..Graph::default() };
        is_same(&|out| graph.write_json(out).ok().and_then(|()| graph.to_json()));
        assert_eq!(graph.to_json().unwrap()["nodes"][0], serde_json::json!([0.1, 0.0]));
        assert!(graph.to_json().unwrap().get("node_widths").is_none());
        let fields = Fields::new(plane.clone(), section(&plane).unwrap());
        is_same(&|out| fields.write_json(out).ok().and_then(|()| fields.to_json()));
        for rows in 0..3 {
            is_same(&|out| table(rows).write_json(out).ok().and_then(|()| table(rows).to_json()));
        }
        let points = Points(vec![[1.0, 0.1, -0.0]]);
        is_same(&|out| points.write_json(out).ok().and_then(|()| points.to_json()));
    }

    #[test]
    fn a_stopped_text_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, "old").unwrap();
        let made = AtomicUsize::new(0);
        let list = List(|| (0..1_000_000).inspect(|_| _ = made.fetch_add(1, Ordering::Relaxed)));
        let stop = || made.load(Ordering::Relaxed) > 100_000;
        let stopped = write_text_file(&path, &stop, |out| write_json(out, &list));
        assert!(stopped.unwrap_err().to_string().contains("stopped"));
        assert!(made.load(Ordering::Relaxed) < 200_000);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        write_text_file(&path, &|| false, |out| write_json(out, &List(|| [[1.5, f64::NAN]]))).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[\n  [1.5, null]\n]\n");
    }
}
