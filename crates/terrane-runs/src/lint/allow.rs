//! Comments that allow lints.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range as Span;
use std::sync::Arc;

use terrane_flow::syntax::{Bracket, Call, Form, Group, TokenKind, Tree, Value};
use terrane_flow::{Graph, SourceText, suggest};

use super::warning::{LINTS, Warning};

/// What the comments of a text allow.
#[derive(Debug, Default)]
struct Allowed {
    /// A lint's name, and the bytes in which it is allowed.
    ranges: Vec<(String, Span<usize>)>,
    /// Names of no lint, and where they are.
    unknown: Vec<(String, Span<usize>)>,
}

impl Allowed {
    /// Reads the comments of a text. O(length · entries).
    fn of(tree: &Tree) -> Self {
        let text = tree.text();
        let mut allowed = Self::default();
        let mut entries: Vec<Span<usize>> = Vec::new();
        let call = tree.value().and_then(Value::call);
        let begins = call.map_or(text.len(), |call| call.name_span().start);
        if let Some(call) = call {
            entries_of(call.group(), &mut entries);
        }
        for (kind, span) in tree.tokens_from(0) {
            let comment = &text[span.clone()];
            let Some(names) = comment.strip_prefix("//").map(str::trim_start) else { continue };
            let Some(names) = names.strip_prefix("allow:").filter(|_| kind == TokenKind::LineComment) else {
                continue;
            };
            let range = if span.end <= begins { 0..text.len() + 1 } else { range(text, &span, &entries) };
            // A reason may follow in brackets.
            let names = names.split('(').next().unwrap_or_default();
            for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
                let start = span.start + (name.as_ptr() as usize - comment.as_ptr() as usize);
                if LINTS.iter().any(|lint| lint.name == name) {
                    allowed.ranges.push((name.to_owned(), range.clone()));
                } else {
                    allowed.unknown.push((name.to_owned(), start..start + name.len()));
                }
            }
        }
        allowed
    }

    /// Whether a lint is allowed at a byte.
    fn allows(&self, lint: &str, at: usize) -> bool {
        self.ranges.iter().any(|(name, range)| name == lint && range.contains(&at))
    }

    /// Warnings about names of no lint.
    fn unknown<'a>(&'a self, source: &'a Arc<SourceText>) -> impl Iterator<Item = Warning> + 'a {
        let known: Vec<&str> = LINTS.iter().map(|lint| lint.name).collect();
        self.unknown.iter().map(move |(name, span)| {
            let place = Some((Arc::clone(source), span.clone()));
            let help = suggest::help(name, &known, "the warnings are");
            Warning::new("unknown-warning", "", place, format!("there is no warning `{name}`"), help)
        })
    }
}

/// The warnings that no comment allows, and those about comments that allow nothing that exists. They are in
/// the order of the text.
#[must_use]
pub fn allowed(graph: &Graph, warnings: Vec<Warning>) -> Vec<Warning> {
    // Each text once, however many nodes it has.
    let mut sources: HashMap<*const SourceText, Arc<SourceText>> = HashMap::new();
    let located = graph.nodes.values().filter_map(|node| node.location.as_ref()).map(|own| &own.source);
    let placed = warnings.iter().filter_map(|own| own.diagnostic.place.as_ref()).map(|(source, _)| source);
    for source in located.chain(placed) {
        sources.entry(Arc::as_ptr(source)).or_insert_with(|| Arc::clone(source));
    }
    sources.retain(|_, source| source.text.contains("allow"));
    let texts: BTreeMap<_, _> = sources
        .into_iter()
        .map(|(at, source)| {
            let allowed = Allowed::of(&Tree::parse(Arc::clone(&source.text)));
            ((source.name.clone(), at), (source, allowed))
        })
        .collect();
    let is_allowed = |warning: &Warning| {
        let Some((source, span)) = &warning.diagnostic.place else { return false };
        let text = texts.get(&(source.name.clone(), Arc::as_ptr(source)));
        text.is_some_and(|(_, allowed)| allowed.allows(warning.diagnostic.code, span.start))
    };
    let mut kept: Vec<Warning> = warnings.into_iter().filter(|warning| !is_allowed(warning)).collect();
    kept.extend(texts.values().flat_map(|(source, allowed)| allowed.unknown(source)));
    let at = |warning: &Warning| warning.diagnostic.place.as_ref().map(|(_, span)| span.start);
    kept.sort_by_key(at);
    kept
}

/// The bytes for which a comment within the file speaks: its line if something precedes it there, otherwise
/// the next entry.
fn range(text: &str, comment: &Span<usize>, entries: &[Span<usize>]) -> Span<usize> {
    let line = text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[line..comment.start].trim();
    if !before.is_empty() {
        // The innermost entry that ends on this line, from its beginning: a warning is at its name.
        let ends = entries.iter().filter(|entry| entry.start < comment.start && entry.end > line);
        let innermost = ends.filter(|entry| entry.end <= comment.start).max_by_key(|entry| entry.start);
        return innermost.map_or(line, |entry| entry.start.min(line))..comment.start;
    }
    let next = entries.iter().filter(|entry| entry.start >= comment.end).min_by_key(|entry| entry.start);
    next.map_or(comment.end..comment.end, Clone::clone)
}

/// The named entries of a group and of the groups in it.
fn entries_of(group: Group<'_>, entries: &mut Vec<Span<usize>>) {
    for item in group.items() {
        if item.name().is_some() {
            entries.push(item.span());
        }
        match item.value().map(Value::form) {
            Some(Form::Call(call)) => entries_of(Call::group(call), entries),
            Some(Form::Group(inner)) if inner.bracket() == Some(Bracket::Curly) => entries_of(inner, entries),
            _ => {}
        }
    }
}
