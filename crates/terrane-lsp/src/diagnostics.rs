//! The mistakes of files, where an editor shows them, and the edits that mend them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Message,
};
use terrane_flow::syntax::Edit;
use terrane_flow::{LoadOptions, Registry, SourceText};

use crate::document::Document;
use crate::lines::{Encoding, Lines};
use crate::outline::{Entry, Outline};
use crate::results::Results;
use crate::workspace::{real, uri_of};

/// A mistake in an open file, with the edit that mends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What an editor shows.
    pub shown: Diagnostic,
    /// The edit that mends it, if there is exactly one.
    pub fix: Option<Edit>,
}

impl Found {
    /// The name of its kind.
    #[must_use]
    pub fn code(&self) -> &str {
        match &self.shown.code {
            Some(Code::String(code)) => code,
            _ => "",
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        match &self.shown.message {
            Message::String(text) => text,
            Message::MarkupContent(content) => &content.value,
        }
    }
}

/// The mistakes of a document, by the file that they are in, and what is odd in it, also in values of earlier
/// runs.
#[must_use]
pub fn find(
    document: &Document,
    registry: &Registry,
    options: &LoadOptions,
    encoding: Encoding,
    results: Option<&Results>,
) -> BTreeMap<PathBuf, Vec<Found>> {
    let mut all: BTreeMap<PathBuf, Vec<Found>> = BTreeMap::new();
    all.insert(document.path.clone(), Vec::new());
    let checked = terrane_runs::check(&document.path, registry, options);
    let folder = document.path.parent().unwrap_or(Path::new(""));
    let mut texts: Vec<(Arc<SourceText>, Lines)> = Vec::new();
    let values = results.zip(checked.graph.map(Arc::new));
    let values = values.map(|(results, graph)| results.values.warnings(&results.engine, &graph));
    let mistakes = checked.mistakes.0.into_iter().map(|own| (own, None));
    let warnings = checked.warnings.into_iter().chain(values.unwrap_or_default());
    let warnings = warnings.map(|own| (own.diagnostic, Some(own.node)));
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
    let inside = inner(document, &all);
    all.entry(document.path.clone()).or_default().extend(inside);
    all
}

/// A mistake at each name of a file that has mistakes: an editor may not show that file.
fn inner(document: &Document, all: &BTreeMap<PathBuf, Vec<Found>>) -> Vec<Found> {
    let is_wrong = |found: &&Found| found.shown.severity == Some(DiagnosticSeverity::Error);
    let wrong: Vec<(PathBuf, &Found)> = all
        .iter()
        .filter(|(path, _)| **path != document.path)
        .filter_map(|(path, found)| Some((real(path), found.iter().find(is_wrong)?)))
        .collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let folder = document.path.parent().unwrap_or(Path::new(""));
    let outline = Outline::of(&document.tree);
    let calls = outline.nodes.iter().filter_map(Entry::call);
    let files = calls.filter_map(|call| call.group().get("file")?.value());
    files
        .filter_map(|value| {
            let path = real(&folder.join(value.text().trim_matches('"')));
            let (_, first) = wrong.iter().find(|(other, _)| *other == path)?;
            let uri = uri_of(&path)?;
            let message = format!("{} has a mistake", value.text().replace('"', "`"));
            let related = DiagnosticRelatedInformation {
                location: Location { uri, range: first.shown.range },
                message: first.message().to_owned(),
            };
            let shown = Diagnostic {
                range: document.lines.range(&value.span()),
                severity: Some(DiagnosticSeverity::Error),
                source: Some("terrane".to_owned()),
                message: format!("{message}: {}", first.message()).into(),
                related_information: Some(vec![related]),
                ..Diagnostic::default()
            };
            Some(Found { shown, fix: None })
        })
        .collect()
}
