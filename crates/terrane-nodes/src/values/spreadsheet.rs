//! Cells of CSV files that no spreadsheet reads as formulas.
//!
//! A spreadsheet takes a cell for a formula if it begins with `=`, `+`, `-` or `@`, also after spaces, and
//! also in the full-width forms. Programs for languages with a decimal comma split lines at `;` instead of
//! `,`, and some split at tabs, so a formula may also begin within a cell. An apostrophe before the sign
//! makes it text.

use std::borrow::Cow;

use terrane_flow::printable;

/// A text as a cell of a CSV file: without characters that are not seen, and with an apostrophe before each
/// sign at which a formula could begin. Numbers stay as they are.
#[must_use]
pub fn to_cell(text: &str) -> Cow<'_, str> {
    let is_harmless = |c: char| !(is_sign(c) || c == '\t' || c == '\r' || terrane_flow::is_hidden(c));
    if text.chars().all(is_harmless) || text.parse::<f64>().is_ok() {
        return Cow::Borrowed(text);
    }
    let mut place = Place::FIRST;
    let mut cell = String::with_capacity(text.len() + 1);
    let plain = printable(text);
    for (at, c) in plain.char_indices() {
        if place.begins && (is_sign(c) || c == '\'' && begins_sign(&plain[at..])) {
            cell.push('\'');
        }
        cell.push(if matches!(c, '\t' | '\r') { ' ' } else { c });
        place.pass(c);
    }
    Cow::Owned(cell)
}

/// The text of a cell that [`to_cell`] returned.
#[must_use]
pub fn from_cell(cell: &str) -> Cow<'_, str> {
    if !cell.contains('\'') {
        return Cow::Borrowed(cell);
    }
    let mut place = Place::FIRST;
    let mut text = String::with_capacity(cell.len());
    for (at, c) in cell.char_indices() {
        if place.begins && c == '\'' && begins_sign(&cell[at..]) {
            // The further apostrophes belong to the text.
            place.begins = false;
            continue;
        }
        text.push(c);
        place.pass(c);
    }
    Cow::Owned(text)
}

/// Whether a text is some apostrophes, then the sign of a formula.
fn begins_sign(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(is_sign)
}

const fn is_sign(c: char) -> bool {
    matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '﹢' | '﹣' | '﹦' | '﹫' | '−')
}

/// A place in a cell.
struct Place {
    /// Whether a formula could begin here.
    begins: bool,
    /// Whether the place is at the beginning of the whole cell, where a quote is part of the text.
    is_first: bool,
}

impl Place {
    const FIRST: Self = Self { begins: true, is_first: true };

    /// Moves behind a character.
    const fn pass(&mut self, c: char) {
        let is_blank =
            matches!(c, ' ' | '\u{a0}' | '\u{3000}' | '\u{2000}'..='\u{200d}') || c == '"' && !self.is_first;
        if matches!(c, ';' | '\t' | '\r' | '\n') {
            *self = Self { begins: true, is_first: false };
        } else if !is_blank {
            *self = Self { begins: false, is_first: false };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text_wherever_a_program_may_split_a_line() {
        for (text, cell) in [
            ("mean", "mean"),
            ("a-b", "a-b"),
            ("-1.5", "-1.5"),
            ("-inf", "-inf"),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" =2+2", " '=2+2"),
            ("\t=2", " '=2"),
            ("Land;=1+1", "Land;'=1+1"),
            ("Land; \"=1+1\"", "Land; \"'=1+1\""),
            ("\"=1\"", "\"=1\""),
            ("a\n-b", "a\n'-b"),
            ("＝1", "'＝1"),
            ("a;＠x", "a;'＠x"),
            ("\u{2003}+1", "\u{2003}'+1"),
            ("\u{feff}+1", "？+1"),
            ("\u{1b}[31m", "?[31m"),
            ("a\u{9b}b\u{202e}c", "a¿b？c"),
            ("'=1", "''=1"),
        ] {
            assert_eq!(to_cell(text), cell, "{text:?}");
            if !text.contains(['\t', '\u{1b}', '\u{9b}', '\u{feff}']) {
                assert_eq!(from_cell(cell), text, "{cell:?}");
            }
        }
    }

    #[test]
    fn cells_are_read_as_written() {
        const LETTERS: [char; 8] = ['=', '-', ';', '\'', ' ', '"', 'a', '\n'];
        for number in 0..8_usize.pow(5) {
            let text: String = (0..5).map(|digit| LETTERS[number >> (3 * digit) & 7]).collect();
            for text in [&text, &text[1..], &text[3..]] {
                assert_eq!(from_cell(&to_cell(text)), text, "{text:?}");
            }
        }
    }
}
