//! Single literals: the one place that asks the `ron` crate. Whatever has brackets is read from the tree.

use serde::de::DeserializeOwned;

/// The dialect of graphs: `Some(…)` is not needed.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// A number, text in quotes, a character or a name of a unit variant, read as `T`; nothing where it is none.
#[must_use]
pub fn read<T: DeserializeOwned>(literal: &str) -> Option<T> {
    options().from_str(literal).ok()
}

/// What text in quotes says.
#[must_use]
pub fn text(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.contains(['\\', '"']) => Some(inner.to_owned()),
        _ => read(literal),
    }
}

/// Text in quotes, so that it is read as what it is.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            // It would be escaped too, and has no need to be.
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
