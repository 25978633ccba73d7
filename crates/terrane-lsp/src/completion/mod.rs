//! Proposals for what may stand at a position.

mod calls;
mod proposal;
mod values;

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, TextEdit,
};
use terrane_flow::Shape;

use self::calls::{fields, files, node_types};
use self::proposal::{Proposal, key, without_cursor};
use self::values::{inner, paths, values, wires};
use crate::context::Context;
use crate::document::Document;
use crate::expected::{Expected, Types};
use crate::offers::Place;
use crate::outline::Outline;
use crate::usual::Usual;

/// Proposals at once, at most. With more, an editor asks again when more is typed.
const MOST: usize = 500;

/// What an editor proposes at a byte of a document, the best first, and whether that is all.
#[must_use]
pub fn complete(
    document: &Document,
    offset: usize,
    types: &Types<'_>,
    place: &Place<'_>,
    snippets: bool,
) -> (Vec<CompletionItem>, bool) {
    let context = Context::at(&document.tree, offset);
    let outline = Outline::of(&document.tree);
    let proposals = match types.expected(&context) {
        Expected::File => files(types),
        Expected::Field { specs, given, node } => {
            let usual = node.map(|node| Usual::of(&outline, types.registry, node));
            fields(&specs, &given, usual.as_ref())
        }
        Expected::RecordField { fields, given } => fields
            .iter()
            .filter(|field| !given.contains(&field.name))
            .map(|field| {
                Proposal::new(field.name, CompletionItemKind::Field, field.kind, field.docs)
                    .writes(format!("{}: $0", field.name))
            })
            .collect(),
        Expected::NodeType { .. } => node_types(types),
        Expected::Wire { input, reader } => wires(&context, &outline, types, place, (input, reader)),
        Expected::Value { shape: Shape::File, .. } => paths(&context, place),
        Expected::Value { shape, param, node } => {
            let usual = node.map(|node| Usual::of(&outline, types.registry, node));
            values(&context, &outline, &shape, param, usual.as_ref())
        }
        Expected::Parameter => outline
            .params
            .iter()
            .map(|param| key(&context, param.name, CompletionItemKind::Variable, "parameter"))
            .collect(),
        Expected::Inner { what, node, given } => inner(&context, &outline, place, (what, node), &given),
        Expected::Nothing => Vec::new(),
    };
    let count = proposals.len();
    let begun = document.text()[context.word.start..offset.max(context.word.start)].to_lowercase();
    // An editor that has all proposals chooses among them by itself.
    let is_wanted = |proposal: &Proposal| count <= MOST || proposal.label.to_lowercase().contains(&begun);
    let proposals: Vec<Proposal> = proposals.into_iter().filter(is_wanted).take(MOST).collect();
    let range = document.lines.range(&context.word);
    let quotes_end = context.is_quoted && !document.lines.text()[context.word.end..].starts_with('"');
    let items = proposals
        .into_iter()
        .enumerate()
        .map(|(rank, proposal)| {
            let mut text = if snippets { proposal.text } else { without_cursor(&proposal.text) };
            if quotes_end {
                text.push('"');
            }
            CompletionItem {
                label: proposal.label,
                kind: Some(proposal.kind),
                detail: Some(proposal.detail).filter(|detail| !detail.is_empty()),
                documentation: Some(proposal.docs).filter(|docs| !docs.is_empty()).map(|value| {
                    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
                }),
                sort_text: Some(format!("{rank:05}")),
                insert_text_format: Some(if snippets {
                    InsertTextFormat::Snippet
                } else {
                    InsertTextFormat::PlainText
                }),
                text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: text })),
                ..CompletionItem::default()
            }
        })
        .collect();
    (items, count <= MOST)
}
