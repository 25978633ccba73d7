//! JSON in files.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// Writes JSON with line breaks, as in all files of the program. Every control character in a text is
/// escaped, so that a file does not control the terminal that it is shown in.
///
/// # Errors
/// Errors of the writer.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let formatter = Escaping(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}

/// The text that [`write_json`] writes.
///
/// # Errors
/// Fails for a value that JSON does not have, such as a map whose keys are no texts.
pub fn json_text(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    write_json(&mut text, value)?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// Escapes the control characters from U+007F to U+009F, which JSON does not require.
struct Escaping(PrettyFormatter<'static>);

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| c.is_control()) {
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn all_control_characters_are_escaped_and_nothing_else_changes() {
        let all: String = (1..=0x120).filter_map(char::from_u32).collect();
        let value = json!({ all.as_str(): [1.5, all, {}, []], "b": { "c": "\u{9b}[31m\u{9b}" } });
        let text = json_text(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(!text.chars().any(|c| c != '\n' && c.is_control()), "{text}");
        assert!(text.contains("\"\\u009b[31m\\u009b\""), "{text}");
        let plain = json!({ "a": [1.5, "é…", null, {}], "b": { "c\n\"": [] } });
        assert_eq!(json_text(&plain).unwrap(), format!("{plain:#}\n"));
    }
}
