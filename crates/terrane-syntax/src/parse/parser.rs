//! The parser's state and its basic steps.

use std::ops::Range;

use super::change::closing;
use crate::lex::is_blank;
use crate::mistake::{Edit, MAX_MISTAKES, Mistake};
use crate::node::{NONE, Node, NodeKind};
use crate::token::{Bracket, Token, TokenKind};

/// An open bracket.
#[derive(Clone, Copy)]
pub struct Open {
    pub bracket: Bracket,
    pub token: usize,
}

pub struct Parser<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token>,
    /// The index of the next token, which is never trivia.
    pub at: usize,
    pub nodes: Vec<Node>,
    pub mistakes: Vec<Mistake>,
    /// The number of mistakes in single tokens. These come first in `mistakes`.
    pub of_tokens: usize,
    /// Open brackets, outermost first.
    pub open: Vec<Open>,
    /// Whether lines with less indentation show where brackets should have been closed. In a valid text,
    /// indentation means nothing.
    pub by_indentation: bool,
    /// The token before which an unclosed bracket was assumed to end. No comma is needed before this token.
    pub ended_at: Option<usize>,
    /// Whether it was reported that a bracket is still open at the end of the file.
    pub has_ended: bool,
    /// The starts of all lines; computed on first use.
    pub lines: Option<Vec<usize>>,
}

impl<'t> Parser<'t> {
    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The kind of the next token; `None` at the end of the text. Also `None` after the maximum number of
    /// mistakes, because the rest is then not read.
    pub fn peek(&self) -> Option<TokenKind> {
        if self.is_full() { None } else { self.kind(self.at) }
    }

    fn is_full(&self) -> bool {
        self.mistakes.len() >= self.of_tokens + MAX_MISTAKES
    }

    /// The index of the next token after a given one, without trivia.
    pub fn after(&self, at: usize) -> usize {
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        at + 1 + rest.iter().take_while(|token| token.kind.is_trivia()).count()
    }

    pub fn report(&mut self, mut mistake: Mistake) {
        // An edit that changes nothing mends nothing.
        mistake.fix = mistake.fix.filter(|fix| self.text[fix.span.clone()] != *fix.text);
        if !self.is_full() {
            self.mistakes.push(mistake);
        }
    }

    pub fn skip_trivia(&mut self) {
        while self.peek().is_some_and(TokenKind::is_trivia) {
            self.at += 1;
        }
    }

    pub fn advance(&mut self) {
        self.at = self.after(self.at);
    }

    /// The last token before the current position, without trivia.
    pub fn last(&self) -> u32 {
        let before = &self.tokens[..self.at.min(self.tokens.len())];
        before.iter().rposition(|token| !token.kind.is_trivia()).unwrap_or(0) as u32
    }

    /// The edit that closes a bracket before a token, behind the last entry. A name after it needs a comma.
    pub fn closed_before(&self, at: usize, open: usize, bracket: Bracket) -> Option<Edit> {
        let significant = |end: usize| self.tokens[..end].iter().rposition(|token| !token.kind.is_trivia());
        let last = significant(at).filter(|last| *last >= open)?;
        let is_ended = self.kind(last) == Some(TokenKind::Comma);
        let entry = if is_ended { significant(last).filter(|entry| *entry >= open)? } else { last };
        let needs_comma = !is_ended && matches!(self.kind(at), Some(TokenKind::Text | TokenKind::Word));
        let first = self.span(self.after(open)).start;
        let bytes = (self.span(open).start, first, self.span(entry).end);
        Some(closing(self.text, bytes, bracket, needs_comma))
    }

    pub fn begin(&mut self, kind: NodeKind) -> usize {
        let first = self.at as u32;
        self.nodes.push(Node { kind, first, last: first, end: 0, sign: NONE });
        self.nodes.len() - 1
    }

    pub fn finish(&mut self, node: usize) {
        let last = self.last().max(self.nodes[node].first);
        (self.nodes[node].last, self.nodes[node].end) = (last, self.nodes.len() as u32);
    }

    pub fn leaf(&mut self, kind: NodeKind) {
        let node = self.begin(kind);
        self.advance();
        self.finish(node);
    }

    /// Removes the node of an item that is a single leaf. The leaf stands for both.
    pub fn join_leaf(&mut self, item: usize) {
        if self.nodes.len() != item + 2 {
            return;
        }
        let (whole, leaf) = (self.nodes[item], self.nodes[item + 1]);
        if leaf.kind.is_leaf() && whole.sign == NONE && (whole.first, whole.last) == (leaf.first, leaf.last) {
            self.nodes.truncate(item);
            self.nodes.push(Node { end: item as u32 + 1, ..leaf });
        }
    }

    pub fn missing(&mut self) {
        let last = self.last();
        let end = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind: NodeKind::Missing, first: last, last, end, sign: NONE });
    }

    /// For each item of a group: whether the item has a name, and its first token. Also the token of its
    /// value, if the value is a single token, or [`NONE`].
    pub fn item_nodes(&self, group: usize) -> Vec<(bool, u32, u32)> {
        let mut out = Vec::new();
        let mut at = group + 1;
        while let Some(item) = self.nodes.get(at) {
            let inside = usize::from(!item.kind.is_leaf());
            let value = self.nodes.get(at + inside + usize::from(item.sign != NONE));
            let single = value.filter(|value| value.first == value.last).map_or(NONE, |value| value.first);
            out.push((item.sign != NONE, item.first, single));
            at = item.end as usize;
        }
        out
    }

    /// The positions of the mistakes in a group, in order.
    pub fn mistakes_in(&self, group: usize) -> Vec<usize> {
        let from = self.span(self.nodes[group].first as usize).start;
        let to = self.span(self.at).start;
        let (of_tokens, of_nodes) = self.mistakes.split_at(self.of_tokens);
        let start = of_tokens.partition_point(|mistake| mistake.span.start < from);
        let of_tokens = of_tokens[start..].iter().take_while(|mistake| mistake.span.start < to);
        let of_nodes = of_nodes.iter().rev().take_while(|mistake| mistake.span.start >= from);
        let mut starts: Vec<usize> = of_tokens.chain(of_nodes).map(|mistake| mistake.span.start).collect();
        starts.sort_unstable();
        starts
    }

    /// The bytes of a token.
    pub fn span(&self, at: usize) -> Range<usize> {
        let start = |at: usize| self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize);
        start(at)..start(at + 1)
    }

    /// A token's text.
    pub fn shown(&self, at: usize) -> &'t str {
        &self.text[self.span(at)]
    }

    /// The line number of a token, counted from 1, and the position at which this line begins.
    pub fn line(&mut self, at: usize) -> (usize, usize) {
        let text = self.text;
        let lines = self.lines.get_or_insert_with(|| {
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        let start = self.tokens.get(at).map_or(text.len(), |token| token.start as usize);
        let line = lines.partition_point(|&begins| begins <= start);
        (line, lines[line - 1])
    }

    /// Whether a token is the first on its line.
    pub fn begins_line(&mut self, at: usize) -> bool {
        let (_, begins) = self.line(at);
        self.text[begins..self.span(at).start].trim_matches(is_blank).is_empty()
    }

    /// The indentation of a token's line.
    pub fn indent(&mut self, at: usize) -> usize {
        let (_, begins) = self.line(at);
        let line = &self.text[begins..];
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }
}
