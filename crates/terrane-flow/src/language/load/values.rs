//! Files of values for a graph's parameters.

use std::path::Path;
use std::sync::Arc;

use terrane_syntax::{Form, Item};

use super::text::read_source;
use crate::language::document::{self, Parsed};
use crate::model::files::Files;
use crate::report::{Diagnostic, Diagnostics};

/// The values in a file `{ "name": value, ... }`, or of the `params` of a graph's file, as names and texts.
///
/// # Errors
/// When the file cannot be read, and every mistake in it.
pub fn read_values(files: &dyn Files, path: &Path) -> Result<Vec<(String, String)>, Diagnostics> {
    let parsed = Parsed::new(Arc::new(read_source(files, path)?));
    Diagnostics(parsed.mistakes().collect()).into_result()?;
    let source = &parsed.source;
    let value = parsed.tree.value().map(|value| match value.form() {
        Form::Call(call) => call.group().get("params").and_then(Item::value).unwrap_or(value),
        _ => value,
    });
    let Some(value) = value else {
        let end = usize::from(!source.text.is_empty());
        return Err(Diagnostic::at(source, 0..end, "the file is empty", "write { \"name\": value, ... }")
            .coded("empty-file")
            .into());
    };
    let entries = document::map(source, value)?;
    Ok(entries.into_iter().map(|entry| (entry.name.to_owned(), entry.value.text().to_owned())).collect())
}
