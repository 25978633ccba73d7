//! Parses a text into a tree.

use std::sync::Arc;

use super::parser::Parser;
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
            let (nodes, mut mistakes) = parse(&text, &lexed.tokens, lexed.mistakes, by_indentation);
            mistakes.sort_by_key(|mistake| (mistake.span.start, mistake.span.end));
            Self { text: Arc::clone(&text), tokens: lexed.tokens, nodes, mistakes }
        };
        let mut best = read(Quotes::Anywhere, false);
        if best.mistakes.is_empty() {
            return best;
        }
        // A missing bracket nests the rest of the text deeper. A missing quote swaps quoted and unquoted
        // parts in the rest. So the text is read twice more. Both readings assume that indentation shows
        // where brackets close. The second one also assumes that quoted text ends on its line. The reading
        // with the fewest mistakes wins. The trees are built one after the other, because two trees of a
        // large text need much memory.
        let mut fewer_than = best.mistakes.len() + 1;
        for quotes in [Quotes::Anywhere, Quotes::OnTheLine] {
            let guess = read(quotes, true);
            if guess.mistakes.len() < fewer_than {
                fewer_than = guess.mistakes.len();
                best = guess;
            }
        }
        best
    }
}

/// The nodes of a text and all of its mistakes. The mistakes in tokens come first.
fn parse(
    text: &str,
    tokens: &[Token],
    mistakes: Vec<Mistake>,
    by_indentation: bool,
) -> (Vec<Node>, Vec<Mistake>) {
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        nodes: Vec::with_capacity(tokens.len() / 2 + 1),
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
    (parser.nodes, parser.mistakes)
}
