//! Files that contain one call of a declared type and are not graphs.

use std::ops::Range as Span;
use std::path::Path;
use std::sync::Arc;

use terrane_syntax::{NoParameters, Problem, first_word};

use super::text::{naming, read_source, read_text, resolve};
use crate::language::document::{Entry, Parsed};
use crate::model::fields::{Field, Fields};
use crate::model::files::Files;
use crate::model::node::{Declare, Invalid};
use crate::report::{Diagnostic, Diagnostics, SourceText};

/// The value that a file describes, and the positions of its fields.
#[derive(Clone, Debug)]
pub struct Described<T> {
    /// The value.
    pub value: T,
    source: Arc<SourceText>,
    /// The fields that are set, with the positions of their values.
    fields: Vec<(String, Span<usize>)>,
}

impl<T> Described<T> {
    /// A mistake in a field, or in the whole file if the field is absent.
    #[must_use]
    pub fn error(&self, field: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let place = self
            .fields
            .iter()
            .find(|(name, _)| name == field)
            .map_or_else(|| self.source.beginning(), |(_, span)| span.clone());
        Diagnostic::at(&self.source, place, message, help).coded("refused")
    }
}

/// The type that a file begins with, such as `Graph`; `None` if the file cannot be read or does not begin
/// with a name.
#[must_use]
pub fn described_type(files: &dyn Files, path: &Path) -> Option<String> {
    let text = read_text(files, path).ok()?;
    let name = first_word(&text)?;
    name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| name.to_owned())
}

/// Reads a file that contains `Type(field: value, ...)` of a declared type. Paths in the file are relative to
/// its folder. Unless `allow_outside` is set, they must lie below this folder.
///
/// # Errors
/// Every mistake in the file, and the error of `check`.
pub fn load_described<T: Declare>(
    files: &Arc<dyn Files>,
    path: &Path,
    allow_outside: bool,
    check: impl Fn(&T) -> Result<(), Invalid>,
) -> Result<Described<T>, Diagnostics> {
    let name = T::spec().name;
    let source = Arc::new(read_source(&**files, path)?);
    let parsed = Parsed::new(Arc::clone(&source));
    let mut problems: Vec<Diagnostic> = parsed.mistakes().collect();
    let call = match parsed.call() {
        Ok(call) => call,
        Err(mut wrong) => {
            wrong
                .0
                .iter_mut()
                .for_each(|diagnostic| diagnostic.help = format!("the file begins with {name}("));
            problems.extend(wrong.0);
            return Err(Diagnostics(problems));
        }
    };
    if call.name != name {
        let span = call.name_span;
        let message = format!("this is a `{}`, not a `{name}`", call.name);
        let begins = format!("the file begins with {name}(");
        return Err(Diagnostic::at(&source, span, message, begins).coded("file-type").into());
    }
    let fields: Vec<Field<'_>> = call.fields.iter().map(Entry::field).collect();
    let whole = call.name_span;
    let mut reader = Fields::new(T::spec(), &fields, &NoParameters).of_broken_text(call.is_wrong);
    let mut value = T::from_fields(&mut reader);
    let errors = reader.into_errors();
    problems.extend(errors.into_iter().map(|error| {
        let span = error.span.unwrap_or(whole.clone());
        Diagnostic::at(&source, span, error.message, error.help).coded(error.code).mended_by(error.fix)
    }));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    value.files(&mut |file| {
        let field = naming(&fields, file.given());
        // That a field is missing is reported above.
        if field.is_none() && file.given().is_empty() {
            return;
        }
        match resolve(&**files, folder, folder, file.given(), allow_outside) {
            Ok(path) => file.resolve(path, Arc::clone(files)),
            Err(Problem { message, help }) => {
                let span = field.map_or_else(|| whole.clone(), |field| field.value_span.clone());
                problems.push(Diagnostic::at(&source, span, message, help).coded("file"));
            }
        }
    });
    if problems.is_empty()
        && let Err(Invalid { field, message, help }) = check(&value)
    {
        let given = fields.iter().find(|given| given.name == field);
        let span = given.map_or(whole, |given| given.value_span.clone());
        problems.push(Diagnostic::at(&source, span, message, help).coded("refused"));
    }
    let fields = fields.iter().map(|field| (field.name.to_owned(), field.value_span.clone())).collect();
    Diagnostics(problems).into_result().map(|()| Described { value, source, fields })
}
