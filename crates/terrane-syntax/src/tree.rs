//! The tree: a flat arena over the tokens of a text.

use std::ops::Range;
use std::sync::Arc;

use crate::lex::{Bracket, Quotes, Token, TokenKind, lex};
use crate::parse::parse;
use crate::view::{Group, Value};
use crate::{Mistake, slips};

/// Bytes of a text at most: places are kept in 32 bits.
const LONGEST: usize = 1 << 30;

/// No token.
pub const NONE: u32 = u32::MAX;

/// A text as a tree that keeps every byte. It may have mistakes: what could be read around them is in the tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) text: Arc<str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) nodes: Vec<Node>,
    mistakes: Vec<Mistake>,
}

/// A node; its children follow it in the arena, each with all below it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// Its first token and its last, both included. An empty file has none: `first` is then beyond the last token.
    pub first: u32,
    pub last: u32,
    /// The arena's index behind all that is below it.
    pub end: u32,
    /// The colon of an item, the closing bracket of a group; [`NONE`] where there is none.
    pub sign: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Brackets with items; the file itself has none.
    Group(Option<Bracket>),
    /// What stands between two commas: a value, or a name with a colon and a value.
    Item,
    Word,
    Text,
    Char,
    /// A name with a group.
    Call,
    /// A value that the text lacks. It covers the token before it.
    Missing,
}

impl Tree {
    /// Reads any text. O(text).
    #[must_use]
    pub fn parse(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        if text.len() > LONGEST {
            let mistakes = vec![slips::too_long(LONGEST)];
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
        let strict = read(Quotes::Anywhere, false);
        if strict.mistakes.is_empty() {
            return strict;
        }
        // A quote too few turns all that follows inside out; a bracket too few moves it further in. So the text is read again as hands
        // write it, with text that ends on its line and indentation that tells of brackets, and what explains it with the fewest
        // mistakes is taken.
        let guesses = [read(Quotes::Anywhere, true), read(Quotes::OnTheLine, true)];
        let fewest = guesses.into_iter().min_by_key(|tree| tree.mistakes.len());
        fewest.filter(|tree| tree.mistakes.len() <= strict.mistakes.len()).unwrap_or(strict)
    }

    /// The text, every byte of it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens in order; together they are the text.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The tokens from the one that begins at a byte on, with their places.
    pub fn tokens_from(&self, start: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> {
        let first = self.tokens.partition_point(|token| (token.start as usize) < start);
        (first..self.tokens.len()).map(|at| (self.tokens[at].kind, self.token_span(at as u32)))
    }

    /// What is wrong with the text, in order.
    #[must_use]
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// What the file holds, as a group without brackets: one item, where nothing is wrong.
    #[must_use]
    pub fn file(&self) -> Group<'_> {
        Group::new(self, 0)
    }

    /// The one value of the file; nothing where there is none.
    #[must_use]
    pub fn value(&self) -> Option<Value<'_>> {
        self.file().items().next()?.value()
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

    /// Whether something is wrong within some bytes.
    pub(crate) fn is_wrong(&self, span: &Range<usize>) -> bool {
        let from = self.mistakes.partition_point(|mistake| mistake.span.start < span.start);
        self.mistakes[from..].iter().take_while(|mistake| mistake.span.start < span.end).next().is_some()
    }
}

/// Trees are the same where their texts are.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Tree {}

impl Node {
    pub const fn empty_file() -> Self {
        Self { kind: NodeKind::Group(None), first: 0, last: 0, end: 1, sign: NONE }
    }
}
