//! Reads and writes single literals. The `ron` crate is used only for these. Values with brackets are read
//! from the tree.

use serde::de::DeserializeOwned;

/// The dialect of RON in graphs, in which `Some(…)` is optional.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Reads a number, quoted text, a character or the name of a unit variant as `T`; `None` if the literal is
/// something else.
#[must_use]
pub fn read<T: DeserializeOwned>(literal: &str) -> Option<T> {
    options().from_str(literal).ok()
}

/// The content of quoted text, unescaped.
#[must_use]
pub fn text(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.contains(['\\', '"']) => Some(inner.to_owned()),
        _ => read(literal),
    }
}

/// Quotes and escapes a text, so that it reads back unchanged.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            // `escape_debug` would escape this quote, which is not needed.
            '\'' => out.push(c),
            c => out.extend(c.escape_debug()),
        }
    }
    out.push('"');
    out
}

/// A reader of one literal.
pub(crate) fn deserializer(literal: &str) -> Option<ron::Deserializer<'_>> {
    ron::Deserializer::from_str_with_options(literal, &options()).ok()
}
