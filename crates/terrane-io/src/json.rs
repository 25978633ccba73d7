//! JSON in files.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// Numbers of an array in a line.
const IN_A_LINE: usize = 10;

/// Writes JSON with line breaks, as in all files of the program, but with numbers side by side: a point is
/// one line. Every control character in a text is escaped, so that a file does not control the terminal that
/// it is shown in.
///
/// # Errors
/// Errors of the writer.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    value.serialize(&mut Serializer::with_formatter(&mut out, Lines::default()))?;
    out.write_all(b"\n")?;
    out.flush()
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

/// JSON with a line for each member, except for numbers and for what is as short.
#[derive(Default)]
struct Lines {
    lines: PrettyFormatter<'static>,
    /// Whether the value that comes next is the first of an array, if it is one of an array.
    next: Option<bool>,
    /// The numbers in the present line.
    numbers: usize,
}

impl Lines {
    /// Begins a value that is no number.
    fn begin<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.numbers = 0;
        self.next.take().map_or(Ok(()), |first| self.lines.begin_array_value(out, first))
    }

    /// Begins a number, `true`, `false`, or `null`, which stands for a number that JSON does not have.
    fn begin_number<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        match self.next.take() {
            None => return Ok(()),
            Some(true) => self.numbers = 0,
            Some(false) if (1..IN_A_LINE).contains(&self.numbers) => out.write_all(b", ")?,
            Some(false) => {
                // The array has several lines, so its end is on another.
                self.lines.end_array_value(out)?;
                self.lines.begin_array_value(out, false)?;
                self.numbers = 0;
            }
        }
        self.numbers += 1;
        Ok(())
    }
}

macro_rules! numbers {
    ($($write:ident: $type:ty,)*) => {
        $(fn $write<W: ?Sized + Write>(&mut self, out: &mut W, value: $type) -> io::Result<()> {
            self.begin_number(out)?;
            CompactFormatter.$write(out, value)
        })*
    };
}

impl Formatter for Lines {
    numbers! {
        write_bool: bool,
        write_i8: i8,
        write_i16: i16,
        write_i32: i32,
        write_i64: i64,
        write_i128: i128,
        write_u8: u8,
        write_u16: u16,
        write_u32: u32,
        write_u64: u64,
        write_u128: u128,
        write_f32: f32,
        write_f64: f64,
        write_number_str: &str,
    }

    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin_number(out)?;
        CompactFormatter.write_null(out)
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out)?;
        self.lines.begin_string(out)
    }

    /// Escapes the control characters from U+007F to U+009F, which JSON does not require.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| c.is_control()) {
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        self.begin(out)?;
        self.lines.write_raw_fragment(out, fragment)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out)?;
        self.lines.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.numbers = 0;
        self.next = None;
        self.lines.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        self.next = Some(first);
        Ok(())
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        // An array of numbers ends in their line.
        if self.numbers > 0 { Ok(()) } else { self.lines.end_array_value(out) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out)?;
        self.lines.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.lines.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.lines.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.lines.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.lines.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
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
        let plain = json!({ "a": ["é…", "x", {}, []], "b": { "c\n\"": [], "d": 1.5, "e": null } });
        assert_eq!(json_text(&plain).unwrap(), format!("{plain:#}\n"));
    }

    #[test]
    fn numbers_are_side_by_side() {
        let value = json!({
            "line": [[1.5, -2.0], [null, 3]],
            "many": (0..12).collect::<Vec<u8>>(),
            "mixed": [1, 2, "a", 3, 4, [], 5, { "b": [true] }],
            "none": [[]],
        });
        let text = json_text(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        insta::assert_snapshot!("numbers_are_side_by_side", text);
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        assert_eq!(json_text(&[raw("1"), raw("[2, 3]")]).unwrap(), "[\n  1,\n  [2, 3]\n]\n");
    }
}
