//! Files with values for a graph's parameters.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use terrane_syntax::{Form, Item};

use super::text::read_source;
use crate::language::document::{self, Parsed};
use crate::model::files::Files;
use crate::report::suggest::shorten;
use crate::report::{Diagnostic, Diagnostics};

/// The values in a file, as names and texts. The file contains `{ "name": value, ... }`, or a graph with
/// `params`.
///
/// # Errors
/// All mistakes in the file, or that the file cannot be read.
pub fn read_values(files: &dyn Files, path: &Path) -> Result<Vec<(String, String)>, Diagnostics> {
    let read = read_source(files, path).map_err(|mut wrong| {
        if files.entry(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            let help = "name a file with { \"name\": value, ... }, or set parameters by NAME=VALUE";
            wrong.0.iter_mut().for_each(|wrong| help.clone_into(&mut wrong.help));
        }
        wrong
    })?;
    let parsed = Parsed::new(Arc::new(read));
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
    let mut seen = HashSet::new();
    if let Some(twice) = entries.iter().find(|entry| !seen.insert(entry.name)) {
        let message = format!("the parameter {} appears twice", shorten(twice.name));
        let wrong = Diagnostic::at(source, twice.name_span.clone(), message, "remove one of the two");
        return Err(wrong.coded("given-twice").into());
    }
    Ok(entries.into_iter().map(|entry| (entry.name.to_owned(), entry.value.text().to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::Disk;

    #[test]
    fn a_repeated_name_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.ron");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_values(&Disk, &path)
        };
        let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(read("{ \"n\": 5, \"m\": [1] }").unwrap(), [of("n", "5"), of("m", "[1]")]);
        assert_eq!(read("Graph(params: { \"n\": 5 })").unwrap(), [of("n", "5")]);
        let wrong = read("{ \"n\": 5,\n\"n\": 6 }").unwrap_err();
        assert_eq!(wrong.0[0].message, "the parameter `n` appears twice");
        assert!(wrong.0[0].location().unwrap().ends_with("v.ron:2:2"));
    }
}
