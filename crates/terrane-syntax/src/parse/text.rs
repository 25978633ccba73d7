//! Parses a text into a tree.

use std::sync::Arc;

use super::reading::{Reading, parse};
use super::repair::{MAX_TOKENS, repaired};
use crate::lex::{Quotes, lex};
use crate::node::Node;
use crate::syntax_errors;
use crate::tree::Tree;

/// The maximum length of a text in bytes. Positions are stored in 32 bits.
const MAX_BYTES: usize = 1 << 30;

/// With no more mistakes than these, a text is not read once more with other quotes.
const FEW: usize = 2;

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
        let mend = |quotes: Quotes, read: Reading| {
            let lexed = lex(&text, quotes);
            repaired(&text, lexed.tokens, &lexed.mistakes, &read).unwrap_or(read)
        };
        let mut best = mend(of_best, best);
        // With a wrong bracket besides, the other reading of quotes may be the right one.
        let other = if of_best == Quotes::Anywhere { Quotes::OnTheLine } else { Quotes::Anywhere };
        if best.weight() > FEW && best.mistakes.iter().any(|mistake| mistake.code == "open-quote") {
            let mended = mend(other, read(other, true));
            if mended.weight() < best.weight() {
                best = mended;
            }
        }
        best.tree(text)
    }
}
