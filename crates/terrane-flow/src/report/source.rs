//! The text of a graph, and positions in it.

use std::borrow::Cow;
use std::ops::Range as Span;
use std::sync::Arc;

/// The text of a graph file.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file's name as the user gave it.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// Whether a character controls a terminal, changes the order in which a text is shown, or is not seen: a
/// control character, a mark of direction, a separator of lines that is none in files, or a blank of no
/// width. The joiners of some scripts are seen in what they join.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let is_direction = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}');
    let is_empty = matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}');
    c.is_control() || is_direction || is_empty || matches!(c, '\u{2028}' | '\u{2029}')
}

/// A text that cannot control a terminal. Line breaks and tabs are kept. Other characters that are hidden
/// ([`is_hidden`]) become question marks that have the same number of bytes.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    // Characters with the same number of bytes.
    let shown = |c: char| match c.len_utf8() {
        _ if !is_control(c) => c,
        1 => '?',
        2 => '¿',
        _ => '？',
    };
    Cow::Owned(text.chars().map(shown).collect())
}

impl SourceText {
    /// The position of `part`, if it is a slice of this text, and otherwise `0..0`.
    #[must_use]
    pub fn span_of(&self, part: &str) -> Span<usize> {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if start <= self.text.len() && start + part.len() <= self.text.len() {
            start..start + part.len()
        } else {
            0..0
        }
    }

    /// The span of the first character, for mistakes about the whole text.
    #[must_use]
    pub fn beginning(&self) -> Span<usize> {
        0..self.text.chars().next().map_or(0, char::len_utf8)
    }

    /// The line and the column of a byte offset, both counted from 1. The column counts characters.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = &before[line_start..];
        // A byte order mark does not count as a character of the first line.
        let line = if line_start == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

/// A moving position in a text. It finds the lines and columns of many positions in order, without counting
/// from the beginning each time.
pub struct Cursor<'a> {
    pub source: &'a SourceText,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(source: &'a SourceText) -> Self {
        Self { source, offset: 0, line: 1, column: 1 }
    }

    /// The given cursor, if it belongs to `source`. Otherwise a new cursor in `source`, which replaces it.
    pub fn of<'c>(cursor: &'c mut Option<Self>, source: &'a SourceText) -> &'c mut Self {
        if cursor.as_ref().is_some_and(|cursor| !std::ptr::eq(cursor.source, source)) {
            *cursor = None;
        }
        cursor.get_or_insert_with(|| Self::new(source))
    }

    /// Like [`SourceText::line_column`].
    pub fn line_column(&mut self, offset: usize) -> (usize, usize) {
        let offset = self.source.text.floor_char_boundary(offset);
        if offset < self.offset {
            *self = Self::new(self.source);
        }
        for (at, letter) in self.source.text[self.offset..offset].char_indices() {
            if letter == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else if letter != '\u{feff}' || self.offset + at > 0 {
                self.column += 1;
            }
        }
        self.offset = offset;
        (self.line, self.column)
    }
}
