//! One reading of a text: its tokens and nodes, and the mistakes in them.

use std::collections::HashSet;
use std::sync::Arc;

use super::parser::Parser;
use crate::mistake::{Mistake, is_guess};
use crate::node::Node;
use crate::token::Token;
use crate::tree::Tree;

/// A text, read in one way.
pub struct Reading {
    pub tokens: Vec<Token>,
    pub nodes: Vec<Node>,
    /// The mistakes in tokens come first.
    pub mistakes: Vec<Mistake>,
}

/// Text behind the graph counts for three mistakes, and for one more for so many bytes: it may be a word, or
/// most of the graph.
const UNREAD: usize = 40;

impl Reading {
    /// How much is wrong with it.
    pub fn weight(&self) -> usize {
        let weight = |mistake: &Mistake| match mistake.code {
            "after-the-end" => 3 + mistake.span.len() / UNREAD,
            _ => 1,
        };
        self.mistakes.iter().map(weight).sum()
    }

    /// The tree of the text.
    pub fn tree(mut self, text: Arc<str>) -> Tree {
        // The name of a bracket that was added is missing too. That is one mistake.
        self.mistakes
            .retain(|mistake| mistake.code != "missing-name" || mistake.span.start < mistake.span.end);
        // A token that was added for a missing bracket is empty: what follows it stands for it.
        for span in self.mistakes.iter_mut().map(|mistake| &mut mistake.span) {
            let next = text[span.end..].chars().next().map_or(0, char::len_utf8);
            let before = text[..span.start].chars().next_back().map_or(0, char::len_utf8);
            match (span.start == span.end, next) {
                (true, 0) => span.start -= before,
                (true, next) => span.end += next,
                _ => {}
            }
        }
        // Where a bracket or a quote was wrong, other signs may be right.
        if self.mistakes.iter().any(|mistake| is_guess(mistake.code)) {
            let follow = ["quoted-field", "unquoted-name", "decimal-comma"];
            for mistake in self.mistakes.iter_mut().filter(|mistake| follow.contains(&mistake.code)) {
                mistake.fix = None;
            }
        }
        self.mistakes.sort_by_key(|mistake| (mistake.span.start, mistake.span.end));
        // Of several signs that are missing at one place, the innermost is written first.
        let mut places = HashSet::new();
        for mistake in self.mistakes.iter_mut().rev() {
            mistake.fix = mistake
                .fix
                .take()
                .filter(|fix| fix.span.start < fix.span.end || places.insert(fix.span.start));
        }
        Tree { text, tokens: self.tokens, nodes: self.nodes, mistakes: self.mistakes }
    }
}

/// Reads tokens. `mistakes` are those in the tokens.
pub fn parse(text: &str, tokens: Vec<Token>, mistakes: Vec<Mistake>, by_indentation: bool) -> Reading {
    let mut parser = Parser {
        text,
        at: 0,
        nodes: Vec::with_capacity(tokens.len() / 2 + 1),
        tokens,
        of_tokens: mistakes.len(),
        mistakes,
        open: Vec::new(),
        by_indentation,
        ended_at: None,
        has_ended: false,
        lines: None,
    };
    parser.skip_trivia();
    parser.file();
    Reading { tokens: parser.tokens, nodes: parser.nodes, mistakes: parser.mistakes }
}
