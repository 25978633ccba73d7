//! Positions of editors in a text: lines and columns, both counted from 0.

use std::ops::Range as Span;
use std::sync::Arc;

use gen_lsp_types::{Position, Range};

/// What an editor counts in a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16, which every editor knows.
    #[default]
    Utf16,
}

/// A text whose lines are known.
#[derive(Clone, Debug)]
pub struct Lines {
    text: Arc<str>,
    /// The first byte of each line.
    starts: Vec<usize>,
    encoding: Encoding,
    /// Whether units of every encoding are bytes: then a position in a long line needs no counting.
    is_ascii: bool,
}

impl Lines {
    /// Finds the lines of a text. O(length).
    #[must_use]
    pub fn new(text: Arc<str>, encoding: Encoding) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let is_ascii = text.is_ascii();
        Self { text, starts, encoding, is_ascii }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The position of a byte. A byte within a character stands for the character's first one.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let character = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 if self.is_ascii => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// The line of a byte, counted from 0.
    #[must_use]
    pub fn line(&self, offset: usize) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// The byte at a position. A position behind the end of a line or of the text stands for that end.
    #[must_use]
    pub fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let content = self.text[start..end].trim_end_matches('\r');
        let mut units = position.character as usize;
        for (at, c) in content.char_indices() {
            let length = if self.encoding == Encoding::Utf8 { c.len_utf8() } else { c.len_utf16() };
            if units < length {
                return start + at;
            }
            units -= length;
        }
        start + content.len()
    }

    /// The range of some bytes.
    #[must_use]
    pub fn range(&self, span: &Span<usize>) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_by_hand() {
        let text = "a: \"ä𝄞\",\r\nb\n";
        let utf16 = Lines::new(text.into(), Encoding::Utf16);
        let comma = text.find(',').unwrap();
        assert_eq!(utf16.position(comma), at(0, 8), "a, :, space, quote, one unit, two units, quote");
        assert_eq!(utf16.offset(at(0, 8)), comma);
        assert_eq!(utf16.offset(at(0, 6)), text.find('𝄞').unwrap(), "within a character");
        assert_eq!(utf16.offset(at(0, 99)), comma + 1, "before the line break");
        assert_eq!(utf16.offset(at(9, 0)), text.len());
        let utf8 = Lines::new(text.into(), Encoding::Utf8);
        assert_eq!(utf8.position(comma), at(0, 11));
        assert_eq!(utf8.position(text.len()), at(2, 0));
    }

    proptest! {
        #[test]
        fn a_position_leads_back_to_its_byte(text in "(a|ä|𝄞|\n){0,30}", utf8: bool) {
            let encoding = if utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let lines = Lines::new(text.as_str().into(), encoding);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                prop_assert_eq!(lines.offset(lines.position(offset)), offset);
            }
        }
    }
}
