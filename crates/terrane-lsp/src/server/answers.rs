//! The answers to requests about a document.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use serde_json::{Value as Json, json};
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};
use terrane_flow::syntax::Tree;
use terrane_flow::{format_text, load_file};

use super::{Answer, Server, refused};
use crate::completion::complete;
use crate::document::Document;
use crate::hover::hover;
use crate::lines::Lines;
use crate::navigation::{Named, check_rename, definition, named, outer_places, places, reference_at};
use crate::workspace::{real, text_of, uri_of};

/// The longest time in which the smallest difference of a formatted text is looked for.
const PATIENCE: Duration = Duration::from_millis(200);

impl Server<'_> {
    pub(super) fn completion(&self, params: lsp::CompletionParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let place = self.place(&document.path).with_habits(self.habits());
        let (items, is_all) = complete(document, offset, &self.types, &place, self.able.snippets);
        Ok(json!({ "isIncomplete": !is_all, "items": items }))
    }

    pub(super) fn hover(&self, params: lsp::HoverParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let hover = hover(document, offset, &self.types, &self.place(&document.path));
        let Some(lsp::Hover { contents: lsp::Contents::MarkupContent(mut content), range }) = hover else {
            return Ok(json!(hover));
        };
        if let Some(result) = self.result(document, offset) {
            content.value = format!("{result}\n\n{}", content.value);
        }
        Ok(json!(lsp::Hover { contents: content.into(), range }))
    }

    /// What earlier runs left of the node or the wire at a byte.
    fn result(&self, document: &Document, offset: usize) -> Option<String> {
        let results = self.setup.results.as_ref()?;
        let reference = reference_at(&document.tree, offset, &self.setup.registry)?;
        let loaded = load_file(&document.path, &self.setup.registry, &self.options()).ok()?;
        results.about(&Arc::new(loaded), &reference, &document.path)
    }

    pub(super) fn definition(&self, params: lsp::DefinitionParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let Some(spot) = definition(&document.tree, offset, &self.place(&document.path)) else {
            return Ok(Json::Null);
        };
        let path = spot.path.unwrap_or_else(|| document.path.clone());
        let lines = self.lines(&path).ok_or_else(|| refused("the file cannot be read"))?;
        let uri = uri_of(&path).ok_or_else(|| refused("the file has no address"))?;
        Ok(json!(lsp::Location { uri, range: lines.range(&spot.span) }))
    }

    /// The lines of a file, open or not.
    fn lines(&self, path: &Path) -> Option<Lines> {
        Some(Lines::new(self.text(path)?, self.encoding))
    }

    /// The text of a file, as the editor has it if it is open there.
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        text_of(&*self.files, path).map(Into::into)
    }

    /// The places of something in all graphs of the workspace, by file; the document's own come first.
    fn all_places(&self, document: &Document, named: &Named) -> Vec<(PathBuf, Vec<std::ops::Range<usize>>)> {
        let registry = &self.setup.registry;
        let mut all = vec![(document.path.clone(), places(&document.tree, named, registry))];
        for (path, text) in self.workspace.graphs(&*self.files, u64::MAX) {
            let path = real(&path);
            if path == document.path || !(text.contains("Subgraph(") || text.contains("Repeat(")) {
                continue;
            }
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let is_inner = |given: &str| real(&folder.join(given)) == document.path;
            let found = outer_places(&Tree::parse(text), named, &is_inner, registry);
            if !found.is_empty() {
                all.push((path, found));
            }
        }
        all
    }

    pub(super) fn references(&self, params: lsp::ReferenceParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let Some((named, _)) = named(&document.tree, offset, &self.setup.registry) else {
            return Ok(Json::Null);
        };
        let mut locations = Vec::new();
        for (at, (path, mut spans)) in self.all_places(document, &named).into_iter().enumerate() {
            let (Some(lines), Some(uri)) = (self.lines(&path), uri_of(&path)) else { continue };
            if at == 0 && !params.context.include_declaration && !spans.is_empty() {
                spans.remove(0);
            }
            let of = |span| lsp::Location { uri: uri.clone(), range: lines.range(span) };
            locations.extend(spans.iter().map(of));
        }
        Ok(json!(locations))
    }

    pub(super) fn highlights(&self, params: lsp::DocumentHighlightParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let Some((named, _)) = named(&document.tree, offset, &self.setup.registry) else {
            return Ok(Json::Null);
        };
        let spans = places(&document.tree, &named, &self.setup.registry);
        let ranges = spans.iter().map(|span| json!({ "range": document.lines.range(span) }));
        Ok(ranges.collect())
    }

    pub(super) fn prepare_rename(&self, params: lsp::PrepareRenameParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let found = named(&document.tree, offset, &self.setup.registry);
        Ok(found.map_or(Json::Null, |(_, span)| json!(document.lines.range(&span))))
    }

    pub(super) fn rename(&self, params: lsp::RenameParams) -> Answer {
        let (document, offset) = self.at(&params.text_document_position_params)?;
        let registry = &self.setup.registry;
        let (named, _) = named(&document.tree, offset, registry)
            .ok_or_else(|| refused("there is no node and no parameter here"))?;
        check_rename(document.text(), &named, &params.new_name, registry).map_err(refused)?;
        let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
        for (path, spans) in self.all_places(document, &named) {
            // Of files outside the open folders, only the one that was asked about is changed.
            if path != document.path && !self.workspace.holds(&path) {
                continue;
            }
            let (Some(lines), Some(uri)) = (self.lines(&path), uri_of(&path)) else { continue };
            let edit = |span| lsp::TextEdit { range: lines.range(span), new_text: params.new_name.clone() };
            changes.insert(uri, spans.iter().map(edit).collect());
        }
        Ok(json!(lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }))
    }

    pub(super) fn format(&self, params: lsp::DocumentFormattingParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        // A text with mistakes stays as it is; the mistakes are shown.
        let Ok(formatted) = format_text("graph", document.text()) else { return Ok(Json::Null) };
        // Only lines that differ are replaced, so that the cursor stays where it is.
        let (old, new): (Vec<&str>, Vec<&str>) =
            (document.text().split_inclusive('\n').collect(), formatted.split_inclusive('\n').collect());
        let starts: Vec<usize> = std::iter::once(0)
            .chain(old.iter().scan(0, |end, line| {
                *end += line.len();
                Some(*end)
            }))
            .collect();
        let until = Instant::now().checked_add(PATIENCE);
        let edits = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until).into_iter();
        let edits = edits.filter(|op| op.tag() != DiffTag::Equal).map(|op| lsp::TextEdit {
            range: document.lines.range(&(starts[op.old_range().start]..starts[op.old_range().end])),
            new_text: new[op.new_range()].concat(),
        });
        Ok(json!(edits.collect::<Vec<_>>()))
    }
}
