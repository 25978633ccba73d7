//! Edits of a file's whole text. They are applied to whatever the file holds now.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::merge::merge;

/// Maximum length in bytes of a text that pages edit.
pub const LONGEST_TEXT: usize = 1 << 20;
/// Maximum length in bytes of the lines that a page sends again after a restart.
const LONGEST_GIVEN: usize = 8 << 10;

/// An edit of a text that a page requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextEdit {
    /// The text was the first one, and is the second one.
    Whole(String, String),
    /// Some lines have others in their place.
    Lines(Lines),
}

/// Lines of a text, and others for their place.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// Always `text`, which names this edit among those of the structure.
    pub edit: String,
    /// The file, relative to the graph's folder.
    pub file: String,
    /// The first of these lines, counted from 0.
    pub line: usize,
    /// The lines.
    pub before: String,
    /// What they become.
    pub after: String,
}

impl TextEdit {
    /// The text before and after the edit, if the text is now `now`.
    ///
    /// # Errors
    /// If the text does not have the lines that are replaced.
    pub fn ends(self, now: &str) -> Result<(String, String), String> {
        let Lines { line, before, after, .. } = match self {
            Self::Whole(before, after) => return Ok((plain(&before), plain(&after))),
            Self::Lines(lines) => lines,
        };
        let start = now.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let at = match now[start..].starts_with(&before) {
            true => start,
            // Other lines may have come before them.
            false => match now.match_indices(&before).map(|(at, _)| at).collect::<Vec<_>>()[..] {
                [at] => at,
                _ => return Err(format!("the text has changed around line {}", line + 1)),
            },
        };
        Ok((now.to_owned(), format!("{}{after}{}", &now[..at], &now[at + before.len()..])))
    }
}

/// A text with the line ends of Unix, as pages have it.
#[must_use]
pub fn plain(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// A text with the line ends that most lines of another text have.
fn with_ends_of(other: &str, text: &str) -> String {
    let (all, windows) = (other.matches('\n').count(), other.matches("\r\n").count());
    if windows * 2 > all { text.replace('\n', "\r\n") } else { text.to_owned() }
}

/// Changes the text `now` as `before` was changed to `after`.
///
/// # Errors
/// If both changed the same lines.
pub fn turned(shown: &str, before: &str, after: &str, now: &str) -> Result<String, String> {
    let own = plain(now);
    if own == before {
        return Ok(with_ends_of(now, after));
    }
    let merged = merge(before, after, &own);
    match merged.conflicts {
        0 => Ok(with_ends_of(now, &merged.text)),
        count => Err(format!(
            "line {} of {shown} was changed in the file and by this edit{}: use this edit's text, or \
            discard the edit",
            merged.first,
            match count {
                1 => String::new(),
                2 => ", and another place too".to_owned(),
                count => format!(", and {} other places too", count - 1),
            }
        )),
    }
}

/// What a page sends to make an edit again after a restart: the lines from the first to the last that differ.
/// Null if they are too long.
#[must_use]
pub fn given(file: &str, before: &str, after: &str) -> Json {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let most = old.len().min(new.len());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let last = old.iter().rev().zip(new.iter().rev()).take(most - first).take_while(|(a, b)| a == b).count();
    let (before, after) = (old[first..old.len() - last].concat(), new[first..new.len() - last].concat());
    match before.len() + after.len() {
        0..=LONGEST_GIVEN => {
            json!({ "edit": "text", "file": file, "line": first, "before": before, "after": after })
        }
        _ => Json::Null,
    }
}

/// A text, shared with one that is equal.
#[must_use]
pub fn shared(text: String, with: Option<&Arc<str>>) -> Arc<str> {
    with.filter(|with| ***with == *text).cloned().unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_keeps_the_line_ends_of_the_file() {
        assert_eq!(turned("g", "a\nb\n", "a\nc\n", "a\r\nb\r\n").unwrap(), "a\r\nc\r\n");
        assert_eq!(turned("g", "a\nb\n", "a\nc\n", "x\r\na\r\nb\r\n").unwrap(), "x\r\na\r\nc\r\n");
        assert!(
            turned("g", "a\nb\n", "a\nc\n", "a\nd\n").unwrap_err().starts_with("line 2 of g was changed")
        );
    }

    #[test]
    fn lines_are_found_again() {
        let (before, after) = ("a\nb\nc\nd\n", "a\nB\nc\nd\n");
        let lines: Lines = serde_json::from_value(given("g", before, after)).unwrap();
        assert_eq!((lines.line, &*lines.before, &*lines.after), (1, "b\n", "B\n"));
        let ends = |now: &str| TextEdit::Lines(lines.clone()).ends(now).map(|(_, after)| after);
        assert_eq!(ends(before).unwrap(), after);
        assert_eq!(ends("new\na\nb\nc\n").unwrap(), "new\na\nB\nc\n");
        assert!(ends("a\nx\n").is_err() && ends("b\nb\n").is_ok() && ends("x\ny\nb\nb\n").is_err());
        assert_eq!(given("g", &"x".repeat(9000), ""), Json::Null);
    }
}
