//! The mistakes of files, where an editor shows them, and the edits that mend them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Diagnostic, DiagnosticSeverity};
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
    for mistake in checked.mistakes.0 {
        let code = Some(mistake.code.to_owned()).filter(|code| !code.is_empty());
        let message = match mistake.help.as_str() {
            "" => mistake.message.clone(),
            help => format!("{}\nhelp: {help}", mistake.message),
        };
        let (path, range) = match &mistake.place {
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
        let shown = Diagnostic {
            range,
            severity: Some(DiagnosticSeverity::Error),
            code: code.map(Into::into),
            source: Some("terrane".to_owned()),
            message: message.into(),
            ..Diagnostic::default()
        };
        all.entry(path).or_default().push(Found { shown, fix: mistake.fix });
    }
    let outline = crate::outline::Outline::of(&document.tree);
    for (node, message) in checked.warnings {
        // Of a node in a subgraph, the subgraph is marked.
        let head = node.split('/').next().unwrap_or_default();
        let span = outline.node(head).map_or(0..0, |node| node.name_span.clone());
        let shown = Diagnostic {
            range: document.lines.range(&span),
            severity: Some(DiagnosticSeverity::Warning),
            source: Some("terrane".to_owned()),
            message: format!("{node}: {message}").into(),
            ..Diagnostic::default()
        };
        all.entry(document.path.clone()).or_default().push(Found { shown, fix: None });
    }
    all
}
