//! Parses a text into a tree.

use std::collections::HashSet;
use std::sync::Arc;

use super::parser::Parser;
use super::repair::{MAX_TOKENS, repaired};
use crate::lex::{Quotes, lex};
use crate::mistake::Mistake;
use crate::node::Node;
use crate::syntax_errors;
use crate::token::Token;
use crate::tree::Tree;

/// The maximum length of a text in bytes. Positions are stored in 32 bits.
const MAX_BYTES: usize = 1 << 30;

impl Tree {
    /// Reads any text. O(text).
    #[must_use]
    pub fn parse(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        if text.len() > MAX_BYTES {
            let mistakes = vec![syntax_errors::too_long(MAX_BYTES)];
            return Self {
                text: Arc::from(""),
                tokens: Vec::new(),
                nodes: vec![Node::empty_file()],
                mistakes,
            };
        }
        let read = |quotes, by_indentation| {
            let lexed = lex(&text, quotes);
            parse(&text, lexed.tokens, lexed.mistakes, by_indentation)
        };
        let mut best = read(Quotes::Anywhere, false);
        if best.mistakes.is_empty() {
            return best.tree(text);
        }
        // A missing bracket nests the rest of the text deeper. A missing quote swaps quoted and unquoted
        // parts in the rest. So the text is read twice more. Both readings assume that indentation shows
        // where brackets close. The second one also assumes that quoted text ends on its line. The reading
        // with the fewest mistakes wins. The trees are built one after the other, because two trees of a
        // large text need much memory.
        let mut fewer_than = best.weight() + 1;
        let mut of_best = Quotes::Anywhere;
        for quotes in [Quotes::Anywhere, Quotes::OnTheLine] {
            let guess = read(quotes, true);
            if guess.weight() < fewer_than {
                fewer_than = guess.weight();
                (best, of_best) = (guess, quotes);
            }
        }
        if best.tokens.len() > MAX_TOKENS {
            return best.tree(text);
        }
        let lexed = lex(&text, of_best);
        repaired(&text, lexed.tokens, &lexed.mistakes, &best).unwrap_or(best).tree(text)
    }
}

/// A text, read in one way.
pub struct Reading {
    pub tokens: Vec<Token>,
    pub nodes: Vec<Node>,
    /// The mistakes in tokens come first.
    pub mistakes: Vec<Mistake>,
}

/// What text behind the graph counts for: more than any other mistakes.
const UNREAD: usize = 1000;

impl Reading {
    /// How much is wrong with it.
    pub fn weight(&self) -> usize {
        let weight = |mistake: &Mistake| if mistake.code == "after-the-end" { UNREAD } else { 1 };
        self.mistakes.iter().map(weight).sum()
    }

    fn tree(mut self, text: Arc<str>) -> Tree {
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
        self.mistakes.sort_by_key(|mistake| (mistake.span.start, mistake.span.end));
        // Of several signs that are missing at one place, the innermost is written first.
        let mut places = HashSet::new();
        for mistake in self.mistakes.iter_mut().rev() {
            mistake.fix = mistake.fix.take().filter(|fix| fix.span.start < fix.span.end || places.insert(fix.span.start));
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
