//! The text of a graph, taken apart without understanding its nodes.
//!
//! Everything borrowed here is a slice of the source, so that its address is its span. Nodes stay text until their
//! type is known: each is then read by itself, and all mistakes of a file come out in one go.

use std::fmt;
use std::ops::Range as Span;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use crate::fields::Field;
use crate::param::ron_options;
use crate::report::{Diagnostic, SourceText};
use crate::syntax;
use crate::tokens::{is_blank, tokens};

/// A name with the text that belongs to it.
pub struct Entry<'a> {
    /// The name: a field's, a node's, a parameter's, a file's.
    pub name: &'a str,
    /// The text, without surrounding blanks.
    pub value: &'a str,
}

impl<'a> Entry<'a> {
    /// The entry as a field with its spans.
    #[must_use]
    pub fn field(&self, source: &SourceText) -> Field<'a> {
        Field {
            name: self.name,
            name_span: source.span_of(self.name),
            value: self.value,
            value_span: source.span_of(self.value),
        }
    }
}

/// `Type(field: value, ...)`.
pub struct Call<'a> {
    /// The type's name.
    pub name: &'a str,
    /// The fields as text.
    pub fields: Vec<Entry<'a>>,
}

/// Reads `name(field: value, ...)`; the text may also be a bare list of fields in parentheses when `name` is empty.
pub fn call<'a>(source: &Arc<SourceText>, text: &'a str) -> Result<Call<'a>, Diagnostic> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, body) = text.split_at(end);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(Diagnostic::at(
            source,
            source.span_of(text),
            "a node was expected here",
            "write Type(field: value, ...)",
        ));
    }
    if trim(body).is_empty() {
        return Err(Diagnostic::at(
            source,
            source.span_of(name),
            format!("`{name}` lacks its parentheses"),
            format!("write {name}(), or {name}(field: value, ...)"),
        ));
    }
    Ok(Call { name, fields: parse(source, body, Seed::Struct)? })
}

/// Reads `{ "name": value, ... }`.
pub fn map<'a>(source: &Arc<SourceText>, text: &'a str) -> Result<Vec<Entry<'a>>, Diagnostic> {
    parse(source, text, Seed::Map)
}

/// Reads text into entries, with a diagnostic at the exact place where it is no RON.
fn parse<'a>(source: &Arc<SourceText>, text: &'a str, seed: Seed) -> Result<Vec<Entry<'a>>, Diagnostic> {
    // RON would take what is enabled here for this piece of text alone.
    if let Some(attribute) = Some(trim(text)).filter(|text| text.starts_with('#')) {
        let span = source.span_of(attribute);
        let message = "graphs have no `#![...]`";
        return Err(Diagnostic::at(
            source,
            span.start..span.start + 1,
            message,
            "leave it out: `Some(...)` is not needed anywhere",
        ));
    }
    ron_options().from_str_seed(text, seed).map_err(|error| {
        let base = source.span_of(text).start;
        let start = base + offset(text, error.span.start.line, error.span.start.col);
        let end = (base + offset(text, error.span.end.line, error.span.end.col)).max(start);
        let line = |at: usize| source.line_column(base + at).0;
        if let Some(slip) = syntax::slip(text, line).filter(|_| !is_limit(&error.code)) {
            let span = base + slip.span.start..base + slip.span.end;
            return Diagnostic::at(source, span, slip.message, slip.help);
        }
        Diagnostic::at(source, nonempty(source, start..end), sentence(&error.code), hint(&error.code))
    })
}

/// Whether the text may well be RON, but more of it than is read.
const fn is_limit(error: &ron::Error) -> bool {
    matches!(error, ron::Error::ExceededRecursionLimit)
}

/// A span that shows something: at least one character, where the text has one.
fn nonempty(source: &SourceText, span: Span<usize>) -> Span<usize> {
    let start = source.text.floor_char_boundary(span.start.min(source.text.len().saturating_sub(1)));
    let end = source.text.ceil_char_boundary(span.end.max(start + 1).min(source.text.len()));
    start..end
}

/// Byte offset of a line and column counted from 1, the column in characters.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start.min(text.len())..];
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

fn sentence(error: &ron::Error) -> String {
    if is_limit(error) {
        return "brackets are nested too deep".to_owned();
    }
    let text = error.to_string();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => text,
    }
}

fn hint(error: &ron::Error) -> &'static str {
    match error {
        ron::Error::ExceededRecursionLimit => "a graph nests a few levels deep: look for stray brackets",
        ron::Error::Eof => "the file ends early: was it saved whole, and is every bracket closed?",
        ron::Error::ExpectedDifferentStructName { .. } => "a graph file begins with Graph(",
        _ => {
            "the language is RON: Type(field: value, ...), { \"name\": value }, [a, b], commas between, quotes around text"
        }
    }
}

/// What a piece of text is read as.
#[derive(Clone, Copy)]
enum Seed {
    Struct,
    Map,
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Vec<Entry<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self {
            Self::Struct => deserializer.deserialize_struct("", &[], Entries { identifiers: true }),
            Self::Map => deserializer.deserialize_map(Entries { identifiers: false }),
        }
    }
}

struct Entries {
    identifiers: bool,
}

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<Entry<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.identifiers {
            "fields (name: value, ...)"
        } else {
            "a map { \"name\": value, ... }"
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key_seed(Name { identifier: self.identifiers })? {
            let value: &RawValue = map.next_value()?;
            entries.push(Entry { name, value: trim(value.get_ron()) });
        }
        Ok(entries)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
}

/// A value's text without the blanks and comments around it.
pub fn trim(text: &str) -> &str {
    if !text.contains('/') {
        return text.trim_matches(is_blank);
    }
    let mut span = None;
    let mut at = 0;
    for token in tokens(text) {
        let end = at + token.text.len();
        if token.is_significant() {
            span = Some(span.map_or(at, |(start, _)| start)).map(|start| (start, end));
        }
        at = end;
    }
    span.map_or("", |(start, end)| &text[start..end])
}

/// A name as a slice of the source.
struct Name {
    identifier: bool,
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = &'de str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if self.identifier {
            deserializer.deserialize_identifier(self)
        } else {
            deserializer.deserialize_str(self)
        }
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = &'de str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.identifier { "a field's name" } else { "a name in quotes" })
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(name)
    }

    fn visit_str<E: serde::de::Error>(self, _escaped: &str) -> Result<Self::Value, E> {
        Err(E::custom("names are written without escapes"))
    }
}

impl Entry<'_> {
    /// The value as quoted text, where it is that.
    pub fn text(&self) -> Result<String, ron::error::SpannedError> {
        ron_options().from_str(self.value)
    }
}

/// Text that is no graph, such as one with another name in front: caught before any field is read.
pub fn graph<'a>(source: &Arc<SourceText>, text: &'a str) -> Result<Vec<Entry<'a>>, Diagnostic> {
    let body = trim(text);
    if body.is_empty() {
        return Err(Diagnostic::at(
            source,
            nonempty(source, 0..0),
            "the file is empty",
            "a graph file begins with Graph(",
        ));
    }
    let call = call(source, body).map_err(|mut diagnostic| {
        if !body.starts_with("Graph") {
            diagnostic.help = "a graph file begins with Graph(".to_owned();
        }
        diagnostic
    })?;
    if call.name.eq_ignore_ascii_case("Graph") && call.name != "Graph" {
        return Err(Diagnostic::at(
            source,
            source.span_of(call.name),
            "names are told apart by capitals",
            "write Graph(",
        ));
    }
    if call.name != "Graph" {
        return Err(Diagnostic::at(
            source,
            source.span_of(call.name),
            format!("this is a `{}`, not a graph", call.name),
            "a graph file begins with Graph(",
        ));
    }
    Ok(call.fields)
}
