//! The difference between the files and what pages show.

use serde_json::{Value as Json, json};
use similar::{ChangeTag, TextDiff};

/// Lines shown around a difference.
const AROUND: usize = 2;
/// Maximum number of lines shown.
const MOST: usize = 2000;

/// A file that *Write* changes.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its name for pages.
    pub shown: String,
    /// Its text; `None` if it does not exist.
    pub before: Option<String>,
    /// The text that *Write* writes.
    pub after: String,
}

/// The differences of files for a page: per file its hunks, and per line what happens to it.
#[must_use]
pub fn difference(files: &[Difference]) -> Json {
    let mut left = MOST;
    let file = |file: &Difference| {
        let before = file.before.as_deref().unwrap_or_default();
        let diff = TextDiff::from_lines(before, &file.after);
        let mut hunks = Vec::new();
        for group in diff.grouped_ops(AROUND) {
            let mut lines = Vec::new();
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                if left == 0 {
                    break;
                }
                left -= 1;
                let sign = match change.tag() {
                    ChangeTag::Equal => " ",
                    ChangeTag::Delete => "-",
                    ChangeTag::Insert => "+",
                };
                let line: String = change.value().trim_end_matches(['\r', '\n']).chars().take(400).collect();
                lines.push(json!([sign, line]));
            }
            let first = group.first().map_or(0, |op| op.new_range().start + 1);
            hunks.push(json!({ "line": first, "lines": lines }));
        }
        json!({ "file": file.shown, "is_new": file.before.is_none(), "hunks": hunks })
    };
    files.iter().map(file).collect()
}
