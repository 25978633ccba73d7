//! The mistakes of files, where an editor shows them, and the edits that mend them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, DiagnosticTag};
use terrane_flow::syntax::Edit;
use terrane_flow::{LoadOptions, Registry, SourceText};

use crate::document::Document;
use crate::lines::{Encoding, Lines};

/// A mistake in an open file, with the edit that mends it.
#[derive(Clone, Debug)]
pub struct Found {
    /// What an editor shows.
    pub shown: Diagnostic,
    /// The edit that mends it, if there is exactly one.
    pub fix: Option<Edit>,
}

/// The mistakes of a document, by the file that they are in.
#[must_use]
pub fn find(
    document: &Document,
    registry: &Registry,
    options: &LoadOptions,
    encoding: Encoding,
) -> BTreeMap<PathBuf, Vec<Found>> {
    let mut all: BTreeMap<PathBuf, Vec<Found>> = BTreeMap::new();
    all.insert(document.path.clone(), Vec::new());
    let checked = terrane_runs::check(&document.path, registry, options);
    let folder = document.path.parent().unwrap_or(Path::new(""));
    let mut texts: Vec<(Arc<SourceText>, Lines)> = Vec::new();
    let mistakes = checked.mistakes.0.into_iter().map(|own| (own, None));
    let warnings = checked.warnings.into_iter().map(|own| (own.diagnostic, Some(own.node)));
    for (own, node) in mistakes.chain(warnings) {
        let (path, range) = match &own.place {
            None => (document.path.clone(), document.lines.range(&(0..0))),
            Some((source, span)) => {
                let known = texts.iter().position(|(other, _)| Arc::ptr_eq(other, source));
                let at = known.unwrap_or_else(|| {
                    let lines = Lines::new(Arc::clone(&source.text), encoding);
                    texts.push((Arc::clone(source), lines));
                    texts.len() - 1
                });
                (folder.join(&source.name), texts[at].1.range(span))
            }
        };
        let message = match own.help.as_str() {
            "" => own.message.clone(),
            help => format!("{}\nhelp: {help}", own.message),
        };
        let tags = own.code.starts_with("unused-").then(|| vec![DiagnosticTag::Unnecessary]);
        let shown = Diagnostic {
            range,
            severity: Some(match node {
                Some(_) => DiagnosticSeverity::Warning,
                None => DiagnosticSeverity::Error,
            }),
            code: Some(own.code.to_owned()).filter(|code| !code.is_empty()).map(Into::into),
            source: Some("terrane".to_owned()),
            message: match node.filter(|node| !node.is_empty()) {
                Some(node) => format!("{node}: {message}").into(),
                None => message.into(),
            },
            tags,
            ..Diagnostic::default()
        };
        all.entry(path).or_default().push(Found { shown, fix: own.fix });
    }
    all
}
