//! Texts in which one bracket, or the line of one, is wrong: the fixes mend them.

use std::collections::BTreeMap;
use std::ops::Range;

use terrane_syntax::{Bracket, Edit, TokenKind, Tree, apply};

use crate::laws::graphs;

const BRACKETS: [Bracket; 3] = [Bracket::Round, Bracket::Square, Bracket::Curly];

/// The lines that begin the maps of a graph, and the damage that takes one away.
const MAPS: [&str; 3] = ["params: {", "nodes: {", "outputs: {"];
const MAP: &str = "no line of a map";
const CALL: &str = "no opening line";

/// Every way to damage one bracket of a text, or the line of one.
fn damages(text: &str) -> Vec<(&'static str, Edit)> {
    let tree = Tree::parse(text);
    let mut out = Vec::new();
    for (kind, span) in tree.tokens_from(0) {
        let (bracket, sign, names): (_, fn(Bracket) -> char, [_; 6]) = match kind {
            TokenKind::Open(bracket) => (
                bracket,
                Bracket::open,
                ["no opening", "two opening", "another opening", CALL, "two opening lines", MAP],
            ),
            TokenKind::Close(bracket) => (
                bracket,
                Bracket::close,
                ["no closing", "two closing", "another closing", "no closing line", "two closing lines", ""],
            ),
            _ => continue,
        };
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at + 1);
        let line = &text[start..end];
        let mut add = |name: usize, span: &Range<usize>, text: String| {
            out.push((names[name], Edit { span: span.clone(), text }));
        };
        // Without a bracket, the words around it would be one.
        let is_word = |c: char| c.is_alphanumeric();
        if !text[..span.start].ends_with(is_word) || !text[span.end..].starts_with(is_word) {
            add(0, &span, String::new());
        }
        add(1, &span, sign(bracket).to_string().repeat(2));
        for other in BRACKETS.into_iter().filter(|other| *other != bracket) {
            add(2, &span, sign(other).to_string());
        }
        if MAPS.contains(&line.trim()) {
            add(5, &(start..end), String::new());
        } else if line.matches(['(', ')', '[', ']', '{', '}']).count() == 1 {
            add(3, &(start..end), String::new());
        }
        if line.matches(['(', ')', '[', ']', '{', '}']).count() == 1 {
            add(4, &(start..end), line.repeat(2));
        }
    }
    out
}

/// The tokens of a text that mean something, without the commas before closing brackets.
fn meaning(text: &str) -> Vec<String> {
    let tree = Tree::parse(text);
    let kept = tree.tokens_from(0).filter(|(kind, _)| !kind.is_trivia());
    let mut all: Vec<String> = kept.map(|(_, span)| text[span].to_owned()).collect();
    let mut at = 1;
    while at < all.len() {
        if [")", "]", "}"].contains(&&*all[at]) && all[at - 1] == "," {
            all.remove(at - 1);
        } else {
            at += 1;
        }
    }
    all
}

/// A text with the fixes of all its mistakes, and the number of these mistakes.
fn fixed(text: &str) -> (usize, String) {
    let tree = Tree::parse(text);
    let fixes: Vec<Edit> = tree.mistakes().iter().filter_map(|mistake| mistake.fix.clone()).collect();
    (tree.mistakes().len(), apply(text, &fixes))
}

/// The line of a call has names that cannot be guessed. All other damages are mended by the
/// fixes, nearly always to the text as it was.
#[test]
fn a_damaged_bracket_is_mended_by_the_fixes() {
    #[derive(Default)]
    struct Rate {
        all: usize,
        as_it_was: usize,
        most: usize,
        wrong: Vec<String>,
    }
    let mut rates: BTreeMap<&str, Rate> = BTreeMap::new();
    for (path, text) in graphs().into_iter().filter(|(_, text)| text.len() < 4000) {
        let right = meaning(&text);
        let all = damages(&text).into_iter().enumerate();
        let is_rare = |name: &str| [MAP, CALL].contains(&name);
        for (_, (name, edit)) in all.filter(|(at, (name, _))| at % 5 == 0 || is_rare(name)) {
            let damaged = apply(&text, std::slice::from_ref(&edit));
            let (mistakes, fixed) = fixed(&damaged);
            if mistakes == 0 {
                continue;
            }
            let rate = rates.entry(name).or_default();
            (rate.all, rate.most) = (rate.all + 1, rate.most.max(mistakes));
            if meaning(&fixed) == right {
                rate.as_it_was += 1;
            } else {
                let line = 1 + text[..edit.span.start].matches('\n').count();
                rate.wrong.push(format!("{}:{line}", path.display()));
            }
            if name != CALL {
                assert!(Tree::parse(&*fixed).mistakes().is_empty(), "{name}: {}: {damaged}", path.display());
            }
        }
    }
    for (name, Rate { all, as_it_was, most, wrong }) in rates {
        if name == CALL {
            assert!(all > 40 && most <= 3, "{name}: {most} mistakes");
        } else {
            let rate = as_it_was as f64 / all as f64;
            assert!(all > 40 && most <= 2 && rate >= 0.97, "{name}: {rate} of {all}, not {wrong:#?}");
        }
    }
}
