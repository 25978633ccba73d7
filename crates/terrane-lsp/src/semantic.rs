//! What each word of a text is, for editors that colour by meaning.

use std::collections::HashSet;
use std::ops::Range as Span;

use terrane_flow::Registry;
use terrane_flow::syntax::{Bracket, Form, Group, TokenKind, Value};

use crate::document::Document;
use crate::outline::{Outline, parameter_uses, spec_of, uses};
use crate::words::is_number;

/// The kinds of words, by their number in messages.
pub const KINDS: [&str; 11] = [
    "comment",
    "string",
    "number",
    "keyword",
    "class",
    "type",
    "property",
    "variable",
    "parameter",
    "enumMember",
    "namespace",
];
/// The modifiers, by their bit in messages.
pub const MODIFIERS: [&str; 1] = ["declaration"];

const COMMENT: u32 = 0;
const STRING: u32 = 1;
const NUMBER: u32 = 2;
const KEYWORD: u32 = 3;
const CLASS: u32 = 4;
const TYPE: u32 = 5;
const PROPERTY: u32 = 6;
const VARIABLE: u32 = 7;
const PARAMETER: u32 = 8;
const MEMBER: u32 = 9;
const NAMESPACE: u32 = 10;

/// A word, its kind, and whether it declares something.
type Word = (Span<usize>, u32, bool);

/// The words of a document that overlap some bytes, in order.
#[must_use]
pub fn words(document: &Document, registry: &Registry, within: &Span<usize>) -> Vec<Word> {
    let (tree, text) = (&document.tree, document.text());
    let outline = Outline::of(tree);
    let mut known: Vec<Word> = Vec::new();
    if let Some(call) = tree.value().and_then(Value::call) {
        known.push((call.name_span(), CLASS, false));
        group(call.group(), registry, &mut known);
    }
    let declared = [(&outline.nodes, VARIABLE), (&outline.params, PARAMETER), (&outline.outputs, STRING)];
    for (entries, kind) in declared {
        let own: HashSet<usize> = entries.iter().map(|entry| entry.name_span.start).collect();
        let names = entries.iter().map(|entry| (entry.name_span.clone(), kind, kind != STRING));
        known.retain(|(span, ..)| !own.contains(&span.start));
        known.extend(names);
    }
    known.extend(uses(&outline, registry).into_iter().map(|used| (used.span, VARIABLE, false)));
    known.extend(parameter_uses(tree).into_iter().map(|(_, span)| (span, PARAMETER, false)));
    known.sort_by_key(|(span, ..)| span.start);
    known.dedup_by_key(|(span, ..)| span.start);
    let mut all = Vec::new();
    for (kind, span) in tree.tokens_from(0) {
        if span.end <= within.start || span.start >= within.end {
            continue;
        }
        let first = known.partition_point(|(own, ..)| own.start < span.start);
        let inside =
            known[first..].iter().take_while(|(own, ..)| own.end <= span.end && own.start < span.end);
        let before = all.len();
        all.extend(inside.cloned());
        if all.len() > before {
            continue;
        }
        let word = &text[span.clone()];
        let of = match kind {
            TokenKind::LineComment | TokenKind::BlockComment => COMMENT,
            TokenKind::Text | TokenKind::Char => STRING,
            TokenKind::Word if is_number(word) => NUMBER,
            TokenKind::Word if ["true", "false", "None"].contains(&word) => KEYWORD,
            TokenKind::Word => MEMBER,
            _ => continue,
        };
        all.push((span, of, false));
    }
    all
}

/// The names in a group: of fields, of keys, and of calls.
fn group(of: Group<'_>, registry: &Registry, known: &mut Vec<Word>) {
    let is_map = of.bracket() == Some(Bracket::Curly);
    for item in of.items() {
        if let Some(span) = item.name_span() {
            known.push((span, if is_map { NAMESPACE } else { PROPERTY }, false));
        }
        match item.value().map(Value::form) {
            Some(Form::Call(call)) => {
                let kind = match call.name() {
                    "Some" => KEYWORD,
                    name if spec_of(registry, name).is_some() => TYPE,
                    _ => MEMBER,
                };
                known.push((call.name_span(), kind, false));
                group(call.group(), registry, known);
            }
            Some(Form::Group(inner)) => group(inner, registry, known),
            _ => {}
        }
    }
}

/// The words as the protocol has them: five numbers each, relative to the word before. Words end where their
/// line does.
#[must_use]
pub fn encoded(document: &Document, words: &[Word]) -> Vec<u32> {
    let text = document.text();
    let (mut data, mut last, mut ended) = (Vec::with_capacity(words.len() * 5), (0, 0), 0);
    for (span, kind, declares) in words {
        // Of words within each other, as a parameter in a text with mistakes, the first one counts.
        if span.start < ended {
            continue;
        }
        ended = span.end;
        let mut start = span.start;
        for line in text[span.clone()].split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let (from, to) = (document.lines.position(start), document.lines.position(end));
            start += line.len();
            if to.character <= from.character {
                continue;
            }
            let down = from.line - last.0;
            let right = if down == 0 { from.character - last.1 } else { from.character };
            data.extend([down, right, to.character - from.character, *kind, u32::from(*declares)]);
            last = (from.line, from.character);
        }
    }
    data
}
