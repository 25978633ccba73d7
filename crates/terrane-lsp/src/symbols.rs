//! The parts of a file: for outlines, and for folding.

use gen_lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};
use terrane_flow::syntax::{Call, TokenKind};

use crate::document::Document;
use crate::outline::{Entry, Outline};

/// The nodes, parameters and output files.
#[must_use]
pub fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let outline = Outline::of(&document.tree);
    let parts = [
        ("params", SymbolKind::Constant, &outline.params),
        ("nodes", SymbolKind::Class, &outline.nodes),
        ("outputs", SymbolKind::File, &outline.outputs),
    ];
    let of = |entry: &Entry<'_>, kind, detail: Option<&str>, children| {
        #[expect(deprecated, reason = "the field has to be set")]
        DocumentSymbol {
            name: entry.name.to_owned(),
            detail: detail.map(str::to_owned),
            kind,
            tags: None,
            deprecated: None,
            range: document.lines.range(&entry.span),
            selection_range: document.lines.range(&entry.name_span),
            children,
        }
    };
    let section = |(name, kind, entries): (&str, SymbolKind, &Vec<Entry<'_>>)| {
        let field = outline.fields.iter().find(|field| field.name == name)?;
        let named = entries.iter().filter(|entry| !entry.name.is_empty());
        let children = named.map(|entry| {
            let value = entry.value.map(|value| value.text().lines().next().unwrap_or_default());
            let detail = entry.call().map(Call::name).or(value);
            of(entry, kind, detail, None)
        });
        Some(of(field, SymbolKind::Namespace, None, Some(children.collect())))
    };
    parts.into_iter().filter_map(section).collect()
}

/// Brackets and comments over several lines.
#[must_use]
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    let line = |offset: usize| document.lines.line(offset);
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut comment: Option<(u32, u32)> = None;
    let fold = |start_line: u32, end_line: u32, kind| FoldingRange {
        start_line,
        start_character: None,
        end_line,
        end_character: None,
        kind,
        collapsed_text: None,
    };
    for (kind, span) in document.tree.tokens_from(0) {
        let at = line(span.start);
        match kind {
            TokenKind::Open(_) => open.push(span.start),
            TokenKind::Close(_) => {
                // The line of the closing bracket stays in sight.
                let Some(start) = open.pop().map(line) else { continue };
                if at > start + 1 {
                    folds.push(fold(start, at - 1, None));
                }
            }
            TokenKind::LineComment => match &mut comment {
                Some((_, last)) if *last + 1 == at => *last = at,
                _ => {
                    folds.extend(block(comment.replace((at, at))).map(|(a, b)| fold(a, b, Some(COMMENT))));
                }
            },
            _ => {}
        }
    }
    folds.extend(block(comment).map(|(a, b)| fold(a, b, Some(COMMENT))));
    folds.sort_by_key(|fold| fold.start_line);
    folds
}

const COMMENT: FoldingRangeKind = FoldingRangeKind::Comment;

/// A comment of several lines.
fn block(comment: Option<(u32, u32)>) -> Option<(u32, u32)> {
    comment.filter(|(first, last)| last > first)
}
