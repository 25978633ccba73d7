//! A node above is still being typed: what is proposed below it?

use std::ops::Range;
use std::path::Path;

use terrane_flow::LoadOptions;
use terrane_flow::syntax::{TokenKind, Tree, apply};
use terrane_lsp::outline::{Outline, Use, uses};

use crate::graphs::graphs;
use crate::proposals::{Rate, proposed};

/// What is missing of a node, from its type on: the bytes that are taken away, and what is there instead.
type Cut = (&'static str, fn(&str) -> Option<Range<usize>>, &'static str);

const CUTS: [Cut; 9] = [
    ("a misspelt type", |_| Some(2..3), ""),
    ("no `)`", |text| end(text).map(|end| end - 1..end), ""),
    ("no `)` and no comma", |text| end(text).map(|end| end - 1..end + 1), ""),
    ("no fields and no `)`", |text| Some(text.find('(')? + 1..end(text)?), ""),
    ("nothing behind `(`", |text| Some(text.find('(')? + 1..end(text)? + 1), ""),
    ("nothing behind a colon", |text| Some(text[..end(text)?].find(": ")? + 2..end(text)? + 1), ""),
    ("`}` instead of `)`", |text| end(text).map(|end| end - 1..end), "}"),
    ("no first quote", |text| text[..end(text)?].find('"').map(|at| at..at + 1), ""),
    ("no last quote", |text| text[..end(text)?].rfind('"').map(|at| at..at + 1), ""),
];

/// The end of a call, if a comma follows it. The text ends behind that.
fn end(text: &str) -> Option<usize> {
    text.ends_with(',').then(|| text.len() - 1)
}

/// While a node above is half typed, the right wire is among the first three proposals as it is when that
/// node is whole. A subgraph whose file is missing offers nothing.
#[test]
fn wires_below_a_node_that_is_half_typed_are_proposed() {
    let registry = terrane_nodes::registry();
    let mut rates: Vec<Rate> = CUTS.iter().map(|_| Rate::default()).collect();
    for (path, text) in graphs() {
        let tree = Tree::parse(&*text);
        let outline = Outline::of(&tree);
        let all = uses(&outline, &registry);
        for node in outline.nodes.iter().step_by(3) {
            let Some(call) = node.value.filter(|value| value.call().is_some()) else { continue };
            // The next node's wire, and the last one.
            let below = |used: &&Use<'_>| used.span.start > node.span.end && used.reader.is_some();
            for used in all.iter().find(below).into_iter().chain(all.iter().rfind(below)) {
                let mut without = text.clone();
                without.replace_range(used.span.clone(), "");
                let is_found = |text: String, at: usize| {
                    proposed(&path, text, at).iter().take(3).any(|label| *label == used.reference)
                };
                if !is_found(without.clone(), used.span.start) {
                    continue;
                }
                for ((name, cut, instead), rate) in CUTS.iter().zip(&mut rates) {
                    let Some(cut) = cut(&text[call.span().start..=call.span().end]) else { continue };
                    let cut = call.span().start + cut.start..call.span().start + cut.end;
                    let mut damaged = without.clone();
                    damaged.replace_range(cut.clone(), instead);
                    let labels = proposed(&path, damaged, used.span.start - cut.len() + instead.len());
                    let place = format!("{name}: {}: {:?} below {}", path.display(), used.reader, node.name);
                    rate.add(used.reference, &labels, place);
                }
            }
        }
    }
    for ((name, ..), rate) in CUTS.iter().zip(rates) {
        rate.assert(name, 0.97, 150);
    }
}

/// The last wire of a graph: what it carries, the text without it, and where it was. Only one that is among
/// the first three proposals.
fn last_wire(path: &Path, text: &str) -> Option<(String, String, usize)> {
    let registry = terrane_nodes::registry();
    let tree = Tree::parse(text);
    let used = uses(&Outline::of(&tree), &registry).into_iter().rfind(|used| used.reader.is_some())?;
    let mut without = text.to_owned();
    without.replace_range(used.span.clone(), "");
    let labels = proposed(path, without.clone(), used.span.start);
    let is_found = labels.iter().take(3).any(|label| *label == used.reference);
    is_found.then(|| (used.reference.to_owned(), without, used.span.start))
}

/// While a bracket above is missing, doubled or of another kind, so is the right wire.
#[test]
fn wires_below_a_damaged_bracket_are_proposed() {
    let names = ["no bracket", "two brackets", "another bracket"];
    let mut rates: Vec<Rate> = names.iter().map(|_| Rate::default()).collect();
    for (path, text) in graphs() {
        let Some((wire, without, at)) = last_wire(&path, &text) else { continue };
        let tree = Tree::parse(&*text);
        let is_bracket = |kind| matches!(kind, TokenKind::Open(_) | TokenKind::Close(_));
        let brackets = tree.tokens_from(0).filter(|(kind, span)| is_bracket(*kind) && span.end < at);
        for (index, (_, span)) in brackets.enumerate().step_by(5) {
            let sign = &text[span.clone()];
            let other = match sign {
                "(" | "[" => "{",
                ")" | "]" => "}",
                "{" => "(",
                _ => ")",
            };
            let instead = [" ".to_owned(), sign.repeat(2), other.to_owned()];
            for ((name, instead), rate) in names.iter().zip(instead).zip(&mut rates) {
                let mut damaged = without.clone();
                damaged.replace_range(span.clone(), &instead);
                let labels = proposed(&path, damaged, at + instead.len() - 1);
                rate.add(&wire, &labels, format!("{name}: {}: bracket {index}", path.display()));
            }
        }
    }
    for (name, rate) in names.iter().zip(rates) {
        rate.assert(name, 0.97, 150);
    }
}

/// The line that begins a map of a graph is missed once, also by what reads the map.
#[test]
fn a_lost_line_of_a_map_is_one_mistake_of_the_graph() {
    let registry = terrane_nodes::registry();
    let mut count = 0;
    for (path, text) in graphs() {
        let mistakes = |text: &str| {
            let folder = path.parent().unwrap();
            let loaded = terrane_flow::load("g.ron", text, folder, &registry, &LoadOptions::default());
            loaded.err().map(|wrong| wrong.0).unwrap_or_default()
        };
        if !mistakes(&text).is_empty() {
            continue;
        }
        for line in ["    params: {\n", "    nodes: {\n", "    outputs: {\n"] {
            let Some(at) = text.find(line) else { continue };
            let mut without = text.clone();
            without.replace_range(at..at + line.len(), "");
            let found = mistakes(&without);
            assert_eq!(found.len(), 1, "{}: {line}{found:#?}", path.display());
            let fixed = apply(&without, &[found[0].fix.clone().unwrap()]);
            assert!(mistakes(&fixed).is_empty(), "{}: {line}", path.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

/// While the line above is missing that begins the nodes, so is the right wire.
#[test]
fn wires_of_nodes_without_their_map_are_proposed() {
    const LINE: &str = "    nodes: {\n";
    let mut rate = Rate::default();
    for (path, text) in graphs() {
        let (Some(line), Some((wire, mut without, at))) = (text.find(LINE), last_wire(&path, &text)) else {
            continue;
        };
        without.replace_range(line..line + LINE.len(), "");
        let labels = proposed(&path, without, at - LINE.len());
        rate.add(&wire, &labels, path.display().to_string());
    }
    rate.assert("wires", 0.95, 60);
}
