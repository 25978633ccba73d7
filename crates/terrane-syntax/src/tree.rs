//! The tree: a flat arena over the tokens of a text.

use std::ops::Range;
use std::sync::Arc;

use crate::mistake::Mistake;
use crate::node::Node;
use crate::token::{Token, TokenKind};

/// A text as a tree that keeps every byte. It takes up to 35 times the memory of the text. If the text has
/// mistakes, the tree contains all other parts that could be read.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) text: Arc<str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) mistakes: Vec<Mistake>,
}

impl Tree {
    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, shared.
    #[must_use]
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The tokens in order. All tokens together are the whole text. In a text with mistakes, a token that was
    /// added for a missing bracket is empty, and a bracket that is one too many is a blank.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The tokens from the one that begins at byte `start`, with their positions.
    pub fn tokens_from(&self, start: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> {
        let first = self.tokens.partition_point(|token| (token.start as usize) < start);
        (first..self.tokens.len()).map(|at| (self.tokens[at].kind, self.token_span(at as u32)))
    }

    /// The mistakes in the text, in order.
    #[must_use]
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// The bytes of a token.
    pub(crate) fn token_span(&self, index: u32) -> Range<usize> {
        let start = self.tokens.get(index as usize).map_or(self.text.len(), |token| token.start as usize);
        let end = self.tokens.get(index as usize + 1).map_or(self.text.len(), |token| token.start as usize);
        start..end
    }

    /// The bytes of a node, from its first token to its last.
    pub(crate) fn span(&self, node: u32) -> Range<usize> {
        let node = self.nodes[node as usize];
        if node.first as usize >= self.tokens.len() {
            return self.text.len()..self.text.len();
        }
        self.token_span(node.first).start..self.token_span(node.last.max(node.first)).end
    }

    /// Whether any mistake begins within a span.
    pub(crate) fn is_wrong(&self, span: &Range<usize>) -> bool {
        let from = self.mistakes.partition_point(|mistake| mistake.span.start < span.start);
        self.mistakes[from..].iter().take_while(|mistake| mistake.span.start < span.end).next().is_some()
    }
}

/// Trees are equal if their texts are equal.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Tree {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_tree_is_bounded_by_its_text() {
        let nested = "A(".repeat(100) + &")".repeat(100) + ",";
        for entry in
            [&*nested, "1,", "\"\",", "[],", "x:1,", "x:[],", "A(),", "x:A(),", "A(A(1)),", "/**/1,", "[1],"]
        {
            let text = format!("{{{}}}", entry.repeat(1 + 10_000 / entry.len()));
            let tree = Tree::parse(&*text);
            let bytes = size_of_val(&*tree.tokens) + size_of_val(&*tree.nodes);
            assert!(bytes <= 35 * text.len(), "{entry}: {bytes} bytes for {}", text.len());
        }
        // A long list of numbers is the most common long text.
        let tree = Tree::parse(format!("[{}]", "1,".repeat(10_000)));
        assert!(tree.nodes.len() < 10_010, "{}", tree.nodes.len());
        let items: Vec<_> = tree.value().unwrap().group(crate::Bracket::Square).unwrap().items().collect();
        assert_eq!((items.len(), items[9_999].value().unwrap().text()), (10_000, "1"));
        assert!(items[0].key().is_none() && items[0].comma().is_some());
    }
}
