//! Reads the outputs of a graph.

use std::collections::HashSet;
use std::ops::Range as Span;
use std::sync::Arc;

use terrane_syntax::{Form, Problem, ReadError, Value, Wrong, read};

use super::loader::Loader;
use super::subgraph::follow;
use crate::language::document::{self, Entry};
use crate::model::graph::OutputEntry;
use crate::model::origin::Scope;
use crate::model::port::Reference;
use crate::report::suggest::{self, shorten};
use crate::report::{Diagnostic, Diagnostics, MAX_RENDERED, SourceText};

/// The content of an `Export`.
#[derive(Default)]
struct Export {
    from: Option<String>,
    from_span: Span<usize>,
    options: Vec<(String, String)>,
    option_spans: Vec<[Span<usize>; 2]>,
}

const NO_WIRE: &str = "expected a node for this output";
const EXPORT_HELP: &str = "write \"NODE\", \"NODE.OUTPUT\" or Export(from: \"NODE\", range: (0, 1000))";

impl Loader<'_> {
    pub(super) fn read_outputs(
        &mut self,
        source: &Arc<SourceText>,
        entries: &[Entry<'_>],
        scope: &Scope,
    ) -> Vec<OutputEntry> {
        self.check_output_names(source, entries);
        let mut outputs = Vec::new();
        for entry in entries {
            let field = entry.field();
            if field.is_wrong && entry.value.call().is_none() {
                continue;
            }
            if scope.is_reported(entry.value) {
                continue;
            }
            let export = if matches!(entry.value.form(), Form::Text(_)) {
                let from = self.wire(source, entry.value, scope);
                if from.is_none() {
                    continue;
                }
                Export { from, from_span: field.value_span.clone(), ..Export::default() }
            } else {
                match self.export(source, entry, scope) {
                    Ok(export) => export,
                    Err(wrong) => {
                        self.errors.extend(wrong.0);
                        continue;
                    }
                }
            };
            let Some(from) = export.from else { continue };
            outputs.push(OutputEntry {
                file: entry.name.to_owned(),
                from: Reference::parse(&from),
                options: export.options,
                option_spans: export.option_spans,
                location: Some((Arc::clone(source), export.from_span)),
            });
        }
        outputs
    }

    /// `Export(from: "node", option: value, ...)`.
    fn export(
        &mut self,
        source: &Arc<SourceText>,
        entry: &Entry<'_>,
        scope: &Scope,
    ) -> Result<Export, Diagnostics> {
        if entry.value.call().is_none() {
            return Err(no_wire(source, entry.value).into());
        }
        let call = document::call(source, entry.value).map_err(|mut wrong| {
            wrong.0.iter_mut().for_each(|diagnostic| diagnostic.help = EXPORT_HELP.to_owned());
            wrong
        })?;
        let span = call.name_span.clone();
        if call.name != "Export" {
            let message = format!("{} is not an output", shorten(call.name));
            let near = suggest::nearest(call.name, &["Export"]).map(str::to_owned);
            let wrong = Diagnostic::at(source, span, message, EXPORT_HELP).coded("unknown-type");
            return Err(wrong.mended_by(near).into());
        }
        let mut export = Export { from_span: span.clone(), ..Export::default() };
        let mut seen = HashSet::new();
        let has_from = call.fields.iter().any(|option| option.name == "from");
        let mut is_meant = false;
        for option in &call.fields {
            if !seen.insert(option.name) {
                let message = format!("`{}` appears twice", option.name);
                self.error(source, option.name_span.clone(), "given-twice", message, "remove one of the two");
            } else if !has_from && suggest::nearest(option.name, &["from"]).is_some() {
                is_meant = true;
                let message = format!("`Export` has no field `{}`", option.name);
                let names = (option.name, &["from"][..], "its fields are");
                self.unknown("unknown-field", (source, option.name_span.clone()), message, names);
            } else if option.name == "from" {
                export.from = self.wire(source, option.value, scope);
                export.from_span = option.value.span();
            } else if !option.value.is_wrong()
                && let Some(text) = self.filled(source, option.value, scope)
            {
                export.options.push((option.name.to_owned(), text));
                export.option_spans.push([option.name_span.clone(), option.value.span()]);
            }
        }
        if !has_from && !is_meant && !call.is_wrong {
            self.error(source, span, "no-wire", NO_WIRE, EXPORT_HELP);
        }
        Ok(export)
    }

    /// The reference in a value. If the value is not a reference, this is reported, and the result is `None`.
    fn wire(&mut self, source: &Arc<SourceText>, value: Value<'_>, scope: &Scope) -> Option<String> {
        if value.is_wrong() || scope.is_reported(value) {
            return None;
        }
        match read::<String>(value, &self.limited(scope)) {
            Ok(from) if !from.is_empty() => Some(from),
            Err(ReadError { wrong: Wrong::Problem(problem), .. }) => {
                self.error(source, value.span(), "parameter", problem.message, problem.help);
                None
            }
            _ => {
                self.errors.push(no_wire(source, value));
                None
            }
        }
    }

    pub(super) fn resolve_outputs(&mut self, outputs: &mut [OutputEntry]) {
        for entry in outputs {
            match follow(&self.aliases, &entry.from, self.errors.len() < MAX_RENDERED) {
                Ok(None) => {}
                Ok(Some(inner)) => entry.from = inner,
                Err(Problem { message, help }) => {
                    let diagnostic = Diagnostic::new(entry.location.clone(), message, help);
                    self.errors.push(diagnostic.coded("unknown-reference"));
                    // The node is marked as unread, so that it is not also reported as unknown.
                    self.unread.insert(entry.from.node.to_string());
                }
            }
        }
    }
}

/// The mistake of an output that names no node. A name without quotes or in single quotes can be corrected.
fn no_wire(source: &Arc<SourceText>, value: Value<'_>) -> Diagnostic {
    let name = match value.form() {
        Form::Word(name) if name.starts_with(char::is_alphabetic) && !["Export", "None"].contains(&name) => {
            Some(name)
        }
        Form::Char(name) => Some(name.trim_matches('\'')),
        _ => None,
    };
    let wrong = Diagnostic::at(source, value.span(), NO_WIRE, EXPORT_HELP).coded("no-wire");
    wrong.mended_by(name.map(|name| format!("\"{name}\"")))
}
