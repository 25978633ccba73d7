//! Proposals for what may stand at a position.

mod calls;
mod entries;
mod proposal;
mod values;

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Range, TextEdit,
};
use terrane_flow::syntax::{Bracket, TokenKind};

use self::calls::{fields, files, node_types};
use self::proposal::{MOST, Proposal, key, named};
use self::values::{default_inside, files_at, inner, is_file, parameters, values, wires};
use crate::context::Context;
use crate::document::Document;
use crate::expected::{Entries, Expected, Types};
use crate::offers::{Offer, Place};
use crate::outline::{Outline, node_of};
use crate::usual::Usual;
use crate::wires::unread;

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
    let begun = document.text()[context.word.start..offset.max(context.word.start)].to_lowercase();
    let expected = types.expected(&context);
    // The order of types depends on what is typed.
    let mut is_all = !matches!(expected, Expected::NodeType { .. });
    let is_whole = matches!(expected, Expected::NodeType { .. } | Expected::Entry(Entries::Outputs));
    let is_of_file = matches!(expected, Expected::Field { node: None, .. });
    // In a path, one may go on to a folder or to the next stop of a snippet.
    let is_path = matches!(&expected, Expected::Value { shape, .. } if is_file(shape));
    let proposals = match expected {
        Expected::File => files(types),
        Expected::Field { specs, given, before, node } => {
            let usual = node.map(|node| Usual::of(&outline, place, node));
            let offers = if node.is_some() { place.offers(&outline) } else { Vec::new() };
            let unread = unread(&outline, types.registry, &offers).into_iter();
            let others = unread.filter(|offer| node != Some(node_of(&offer.reference))).take(MOST);
            fields(&specs, given.split_at(before), usual.as_ref(), &others.collect::<Vec<&Offer>>())
        }
        Expected::RecordField { fields, given } => fields
            .iter()
            .filter(|field| !given.contains(&field.name))
            .map(|field| {
                named(Proposal::new(field.name, CompletionItemKind::Field, field.kind, field.docs), "$0")
            })
            .collect(),
        Expected::NodeType { .. } => node_types(types, &begun),
        Expected::Wire { input, reader } => {
            let (fitting, are_all) = wires(&context, &outline, types, place, (input, reader), &begun);
            is_all = are_all;
            fitting
        }
        Expected::Value { .. } if is_path => files_at(&context, place),
        Expected::Value { shape, param, node } => {
            let usual = node.map(|node| Usual::of(&outline, place, node));
            values(&context, &outline, &shape, param, usual.as_ref())
        }
        Expected::Parameter => outline
            .params
            .iter()
            .map(|param| key(&context, param.name, CompletionItemKind::Variable, "parameter"))
            .collect(),
        Expected::Inner { what, node, given } => inner(&context, &outline, place, (what, node), &given),
        Expected::InnerValue { node, parameter } => {
            let default = default_inside(&outline, place, (node, parameter));
            default.into_iter().chain(parameters(&context, &outline)).collect()
        }
        Expected::Entry(entry) => entries::new(&context, &outline, types, place, entry),
        Expected::Arithmetic => parameters(&context, &outline),
        Expected::Nothing => Vec::new(),
    };
    let count = proposals.len();
    // An editor that has all proposals chooses among them by itself.
    let is_wanted = |proposal: &Proposal| count <= MOST || proposal.label.to_lowercase().contains(&begun);
    let proposals = proposals.into_iter().filter(is_wanted).take(MOST);
    let around = Around::new(document, &context, snippets, [is_whole, is_of_file, is_path]);
    let items = proposals.enumerate().map(|(rank, proposal)| around.item(rank, proposal, snippets)).collect();
    (items, is_all && count <= MOST)
}

/// What stands around a proposal, and how it changes with it.
struct Around {
    /// What is replaced.
    range: Range,
    /// Whether the proposal's name is followed by its value, or by its fields, already.
    is_followed: bool,
    /// What is written behind it.
    end: String,
    /// Whether it is a whole entry of a map, or the rest of one.
    is_whole: bool,
    /// A comma that is missing before it.
    comma: Option<TextEdit>,
}

impl Around {
    fn new(
        document: &Document,
        context: &Context<'_>,
        snippets: bool,
        [is_whole, is_of_file, is_path]: [bool; 3],
    ) -> Self {
        let text = document.text();
        let mut word = context.word.clone();
        let mut end = String::new();
        // The cursor leaves the quotes of a whole text. An editor without snippets may only insert text at
        // the cursor.
        if context.is_quoted && snippets && text[..word.start].ends_with('"') {
            let is_closed = text[word.end..].starts_with('"');
            if !context.is_open && is_closed && !is_path && !context.text(&word).contains('$') {
                word.end += 1;
                end.push('"');
            }
        }
        if context.is_open && (!snippets || text[..word.start].ends_with('"')) {
            end.push('"');
        }
        let next = context.next(word.end);
        let is_followed = match next {
            Some((TokenKind::Open(Bracket::Round), _)) => {
                text[word.end..].trim_start_matches([' ', '\t']).starts_with('(')
            }
            Some((TokenKind::Colon, _)) => true,
            _ => false,
        };
        let needs_comma = match next {
            Some((TokenKind::Word | TokenKind::Text, _)) => {
                (!context.is_quoted || !end.is_empty())
                    && (snippets || is_whole)
                    && context.entry_follows(word.end)
            }
            // The last entry on a line of its own has a comma too, so that one can go on below it.
            Some((TokenKind::Close(_), _)) => {
                (is_whole || is_of_file && snippets) && !context.is_quoted && context.ends_line(word.end)
            }
            _ => false,
        };
        if needs_comma {
            end.push(',');
        }
        let no_comma = context.no_comma.filter(|_| snippets);
        let comma = no_comma
            .map(|end| TextEdit { range: document.lines.range(&(end..end)), new_text: ",".to_owned() });
        Self { range: document.lines.range(&word), is_followed, end, is_whole, comma }
    }

    fn item(&self, rank: usize, proposal: Proposal, snippets: bool) -> CompletionItem {
        let (label, kind, filter_text) = (proposal.label.clone(), proposal.kind, proposal.filter.clone());
        let (detail, docs) = (proposal.detail.clone(), proposal.docs.clone());
        let (text, is_snippet) =
            if self.is_followed { (proposal.name, false) } else { proposal.into_text(snippets) };
        // The cursor leaves a whole entry behind its comma.
        let new_text =
            match text.strip_suffix("$0").filter(|_| is_snippet && self.is_whole && self.end == ",") {
                Some(whole) => format!("{whole},$0"),
                None => format!("{text}{}", self.end),
            };
        CompletionItem {
            filter_text,
            label,
            kind: Some(kind),
            detail: Some(detail).filter(|detail| !detail.is_empty()),
            documentation: Some(docs).filter(|docs| !docs.is_empty()).map(|value| {
                Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
            }),
            sort_text: Some(format!("{rank:05}")),
            insert_text_format: Some(if is_snippet {
                InsertTextFormat::Snippet
            } else {
                InsertTextFormat::PlainText
            }),
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range: self.range, new_text })),
            additional_text_edits: self.comma.clone().map(|comma| vec![comma]),
            ..CompletionItem::default()
        }
    }
}
