//! A node above is still being typed: what is proposed below it?

use std::ops::Range;

use terrane_flow::syntax::Tree;
use terrane_lsp::outline::{Outline, Use, uses};

use crate::graphs::graphs;
use crate::proposals::{Rate, proposed};

/// What is missing of a node, from its type on: the bytes that are taken away, and what is there instead.
type Cut = (&'static str, fn(&str) -> Option<Range<usize>>, &'static str);

const CUTS: [Cut; 8] = [
    ("no `)`", |text| end(text).map(|end| end - 1..end), ""),
    ("no `)` and no comma", |text| end(text).map(|end| end - 1..end + 1), ""),
    ("no fields and no `)`", |text| Some(text.find('(')? + 1..end(text)?), ""),
    ("nothing behind `(`", |text| Some(text.find('(')? + 1..end(text)? + 1), ""),
    ("nothing behind a colon", |text| Some(text[..end(text)?].find(": ")? + 2..end(text)? + 1), ""),
    ("`}` instead of `)`", |text| end(text).map(|end| end - 1..end), "}"),
    ("no first quote", |text| text[..end(text)?].find('"').map(|at| at..at + 1), ""),
    ("no last quote", |text| text[..end(text)?].rfind('"').map(|at| at..at + 1), ""),
];

/// The end of a call that a comma follows.
fn end(text: &str) -> Option<usize> {
    let tree = Tree::parse(text);
    let end = tree.value()?.span().end;
    text[end..].starts_with(',').then_some(end)
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
                    let Some(cut) = cut(&text[call.span().start..]) else { continue };
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
