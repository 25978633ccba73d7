//! Formatting of the text of a file.

use std::sync::Arc;

use super::document::Parsed;
use crate::report::{Diagnostics, SourceText};

/// The text of a file, formatted by [`terrane_syntax::format`]; `name` is the file's name in messages.
///
/// # Errors
/// The mistakes of the text, which must contain `Type(field: value, ...)`.
pub fn format_text(name: &str, text: &str) -> Result<String, Diagnostics> {
    let source = Arc::new(SourceText { name: name.to_owned(), text: text.into() });
    let parsed = Parsed::new(source);
    let mistakes = Diagnostics(parsed.mistakes().collect());
    mistakes.into_result()?;
    parsed.call()?;
    Ok(terrane_syntax::format(parsed.tree).unwrap_or_default())
}
