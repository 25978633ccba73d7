//! The parser: from tokens to nodes, on any text.

use crate::lex::{Bracket, Token, TokenKind};
use crate::mistake::MOST_MISTAKES;
use crate::recover::{Open, is_name};
use crate::tree::{NONE, Node, NodeKind};
use crate::{Mistake, literal, slips};

/// How deep brackets may be nested: the reader of a value goes down as deep.
const DEEPEST: usize = 128;

/// The nodes of a text, and its mistakes, those of its tokens first.
pub fn parse(
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

pub struct Parser<'t> {
    pub text: &'t str,
    pub tokens: &'t [Token],
    /// The next token; never trivia.
    pub at: usize,
    nodes: Vec<Node>,
    pub mistakes: Vec<Mistake>,
    /// How many of them are of single tokens.
    pub of_tokens: usize,
    /// Brackets that are open, outermost first.
    pub open: Vec<Open>,
    /// Whether lines that are indented less tell where brackets should have been closed: in a text that is right they tell nothing.
    pub by_indentation: bool,
    /// Where a bracket that is not closed was taken to end: no comma is needed there.
    pub ended_at: Option<usize>,
    /// Whether it was said that a bracket is open at the end of the file.
    pub has_ended: bool,
    /// Where lines begin, once somebody asked.
    pub lines: Option<Vec<usize>>,
}

impl<'t> Parser<'t> {
    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub fn peek(&self) -> Option<TokenKind> {
        self.kind(self.at)
    }

    /// The token behind one, without trivia.
    pub fn after(&self, at: usize) -> usize {
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        at + 1 + rest.iter().take_while(|token| token.kind.is_trivia()).count()
    }

    pub fn tell(&mut self, mistake: Mistake) {
        if self.mistakes.len() < self.of_tokens + MOST_MISTAKES {
            self.mistakes.push(mistake);
        }
    }

    fn skip_trivia(&mut self) {
        while self.peek().is_some_and(TokenKind::is_trivia) {
            self.at += 1;
        }
    }

    pub fn advance(&mut self) {
        self.at = self.after(self.at);
    }

    /// The last token before the next one that is not trivia.
    fn last(&self) -> u32 {
        let before = &self.tokens[..self.at.min(self.tokens.len())];
        before.iter().rposition(|token| !token.kind.is_trivia()).unwrap_or(0) as u32
    }

    fn begin(&mut self, kind: NodeKind) -> usize {
        let first = self.at as u32;
        self.nodes.push(Node { kind, first, last: first, end: 0, sign: NONE });
        self.nodes.len() - 1
    }

    fn finish(&mut self, node: usize) {
        let last = self.last().max(self.nodes[node].first);
        (self.nodes[node].last, self.nodes[node].end) = (last, self.nodes.len() as u32);
    }

    fn leaf(&mut self, kind: NodeKind) {
        let node = self.begin(kind);
        self.advance();
        self.finish(node);
    }

    fn missing(&mut self) {
        let last = self.last();
        let end = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind: NodeKind::Missing, first: last, last, end, sign: NONE });
    }

    fn file(&mut self) {
        let node = self.begin(NodeKind::Group(None));
        let mut items = 0;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Close(bracket) => {
                    self.tell(slips::stray_close(self.span(self.at), bracket));
                    self.advance();
                }
                _ if items == 1 => {
                    let (start, end) = (self.span(self.at).start, self.text.trim_end().len());
                    // What a stray bracket has cut off is told by that bracket alone.
                    if self.mistakes.last().is_none_or(|mistake| mistake.code != "stray-bracket") {
                        self.tell(slips::after_the_end(start..end));
                    }
                    self.at = self.tokens.len();
                }
                _ => {
                    items += 1;
                    let (item, token) = (self.nodes.len(), self.at);
                    self.item(None);
                    let sign = self.nodes[item].sign;
                    if sign != NONE && !self.is_wrong_at(token) {
                        self.tell(slips::named_value(self.span(token)));
                    }
                }
            }
        }
        self.finish(node);
    }

    /// Brackets and what is in them.
    fn group(&mut self, bracket: Bracket) {
        let node = self.begin(NodeKind::Group(Some(bracket)));
        let token = self.at;
        self.advance();
        if self.open.len() >= DEEPEST {
            self.tell(slips::too_deep(self.span(token)));
            self.skip_group();
        } else {
            self.open.push(Open { bracket, token });
            let named = self.items(bracket, node);
            self.open.pop();
            let is_call = node.checked_sub(2).is_some_and(|call| self.nodes[call].kind == NodeKind::Call);
            self.check_names(bracket, node, named, is_call);
        }
        self.finish(node);
    }

    /// All items of the innermost bracket and what closes it; whether some have names.
    fn items(&mut self, bracket: Bracket, node: usize) -> bool {
        let mut named = false;
        loop {
            match self.peek() {
                None => {
                    self.ends_open(None);
                    return named;
                }
                Some(TokenKind::Close(close)) if close == bracket => {
                    self.nodes[node].sign = self.at as u32;
                    self.advance();
                    return named;
                }
                Some(TokenKind::Close(close)) => {
                    if self.closes_wrongly(close) {
                        let open = self.open.last().map_or(0, |open| open.token);
                        let line = self.line(open).0;
                        self.tell(slips::wrong_close(self.span(self.at), bracket, close, line));
                        self.nodes[node].sign = self.at as u32;
                        self.advance();
                        return named;
                    }
                    if self.closes_outer(close) {
                        self.ends_open(Some(self.at));
                        return named;
                    }
                    self.tell(slips::stray_close(self.span(self.at), close));
                    self.advance();
                    if self.peek() == Some(TokenKind::Comma) {
                        self.advance();
                    }
                }
                Some(TokenKind::Comma) => {
                    self.tell(slips::empty_entry(self.span(self.at)));
                    self.advance();
                }
                Some(TokenKind::Semicolon) => {
                    self.tell(slips::semicolon(self.span(self.at)));
                    self.advance();
                }
                Some(_) if self.belongs_outside() => {
                    self.ends_open(Some(self.at));
                    return named;
                }
                Some(_) => {
                    let item = self.nodes.len();
                    self.item(Some(bracket));
                    named |= self.nodes[item].sign != NONE;
                }
            }
        }
    }

    /// `value` or `name: value`, and the comma.
    fn item(&mut self, bracket: Option<Bracket>) {
        let node = self.begin(NodeKind::Item);
        let key = self.at;
        self.value();
        let key_ends = self.last() as usize;
        match self.peek() {
            Some(TokenKind::Colon) => {
                self.nodes[node].sign = self.at as u32;
                self.advance();
                self.named_value(key);
            }
            Some(TokenKind::Equals) => {
                let (sign, value) = (self.at, self.after(self.at));
                self.tell(slips::equals(self.span(sign), self.shown(key), self.shown(value)));
                self.nodes[node].sign = sign as u32;
                self.advance();
                self.named_value(key);
            }
            Some(TokenKind::Word | TokenKind::Text | TokenKind::Open(_))
                if self.lacks_colon(bracket, key, key_ends) =>
            {
                self.tell(slips::missing_colon(self.span(key), self.shown(key), self.shown(self.at)));
                // Any token but NONE says that the first child is a name.
                self.nodes[node].sign = key as u32;
                self.value();
            }
            _ => {}
        }
        self.finish(node);
        self.item_end(bracket, node);
    }

    /// What follows an item's value: a comma, a closing bracket, or a slip.
    fn item_end(&mut self, bracket: Option<Bracket>, node: usize) {
        match self.peek() {
            Some(TokenKind::Comma) if bracket.is_some() => self.advance(),
            Some(TokenKind::Semicolon) => {
                self.tell(slips::semicolon(self.span(self.at)));
                self.advance();
            }
            None | Some(TokenKind::Close(_) | TokenKind::Comma) => {}
            Some(TokenKind::Word) if self.is_operator(self.at) => {
                self.skip_arithmetic(node);
                self.finish(node);
                if self.peek() == Some(TokenKind::Comma) {
                    self.advance();
                }
            }
            Some(TokenKind::Colon | TokenKind::Equals) => {
                self.tell(slips::stray_sign(self.span(self.at), self.shown(self.at)));
                // What follows is of the same entry.
                while !matches!(
                    self.peek(),
                    None | Some(TokenKind::Close(_) | TokenKind::Comma | TokenKind::Semicolon)
                ) {
                    if matches!(self.peek(), Some(TokenKind::Open(_))) {
                        self.advance();
                        self.skip_group();
                    } else if self.is_entry(self.at) && self.begins_line(self.at) {
                        break;
                    } else {
                        self.advance();
                    }
                }
                self.finish(node);
                if bracket.is_some() && self.peek() == Some(TokenKind::Comma) {
                    self.advance();
                }
            }
            Some(_) if bracket.is_none() => {}
            Some(_) if self.ended_at == Some(self.at) || self.belongs_outside() => {}
            Some(_) => {
                let last = self.nodes[node].last as usize;
                // After a value that cannot be read, a comma is not what is missing.
                if !self.is_wrong_at(last) && !self.is_wrong_at(self.at) {
                    self.tell(slips::missing_comma(self.span(last), self.shown(self.at)));
                }
            }
        }
    }

    /// The arithmetic that a value is the beginning of, up to the end of the entry.
    fn skip_arithmetic(&mut self, node: usize) {
        let value = self.nodes.get(node + 1).map_or(self.nodes[node].first, |key| {
            if self.nodes[node].sign == NONE {
                key.first
            } else {
                self.nodes.get(key.end as usize).map_or(key.first, |v| v.first)
            }
        });
        let start = self.span(value as usize).start;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Comma | TokenKind::Close(_) | TokenKind::Semicolon => break,
                TokenKind::Open(_) => {
                    self.advance();
                    self.skip_group();
                }
                // The next entry has begun without a comma.
                _ if self.kind(self.after(self.at)) == Some(TokenKind::Colon) => break,
                _ => self.advance(),
            }
        }
        let end = self.span(self.last() as usize).end;
        let text = self.text[start..end].replace('"', "");
        self.tell(slips::arithmetic(start..end, &text));
    }

    /// The value behind a colon.
    fn named_value(&mut self, key: usize) {
        match self.peek() {
            None | Some(TokenKind::Close(_) | TokenKind::Comma | TokenKind::Semicolon) => {
                self.tell(slips::missing_value(self.span(key), self.shown(key)));
                self.missing();
            }
            Some(TokenKind::Text) if self.is_entry(self.at) && self.is_innermost(Bracket::Round) => {
                self.map_without_open(key);
            }
            Some(_) if self.is_entry(self.at) && self.begins_line(self.at) => {
                self.tell(slips::missing_value(self.span(key), self.shown(key)));
                self.missing();
            }
            _ => self.value(),
        }
    }

    /// A map whose opening bracket is missing: what stands there can be nothing else.
    fn map_without_open(&mut self, key: usize) {
        self.tell(slips::missing_open(self.span(self.at), self.shown(key)));
        let node = self.begin(NodeKind::Group(Some(Bracket::Curly)));
        self.open.push(Open { bracket: Bracket::Curly, token: self.at });
        let named = self.items(Bracket::Curly, node);
        self.open.pop();
        self.check_names(Bracket::Curly, node, named, false);
        self.finish(node);
    }

    fn is_innermost(&self, bracket: Bracket) -> bool {
        self.open.last().is_some_and(|open| open.bracket == bracket) && self.open.len() < DEEPEST
    }

    fn value(&mut self) {
        match self.peek() {
            Some(TokenKind::Word) => self.word(),
            Some(kind @ (TokenKind::Text | TokenKind::Char)) => {
                let text = self.shown(self.at);
                let readable = match kind {
                    TokenKind::Text => {
                        !text.contains('\\') || text.starts_with('b') || literal::text(text).is_some()
                    }
                    _ => literal::read::<char>(text).is_some(),
                };
                if !readable && !self.is_wrong_at(self.at) {
                    self.tell(slips::bad_escape(self.span(self.at)));
                }
                self.leaf(if kind == TokenKind::Text { NodeKind::Text } else { NodeKind::Char });
            }
            Some(TokenKind::Open(bracket)) => self.group(bracket),
            Some(TokenKind::Colon | TokenKind::Equals) => {
                self.tell(slips::no_name(self.span(self.at), self.shown(self.at)));
                self.missing();
            }
            _ => self.missing(),
        }
    }

    /// A name, a number, or a call.
    fn word(&mut self) {
        let word = self.shown(self.at);
        let next = self.after(self.at);
        let is_name = is_name(word);
        let adjacent = next == self.at + 1;
        match self.kind(next) {
            Some(TokenKind::Open(bracket)) if is_name && (bracket == Bracket::Round || adjacent) => {
                if bracket != Bracket::Round {
                    self.tell(slips::wrong_brackets(self.span(next), word, bracket));
                }
                let call = self.begin(NodeKind::Call);
                self.leaf(NodeKind::Word);
                let group = self.nodes.len();
                self.group(bracket);
                self.finish(call);
                if word == "Some" && self.nodes.len() == group + 1 {
                    self.tell(slips::empty_some(self.span(next)));
                }
            }
            _ => {
                if self.kind(next) != Some(TokenKind::Equals) && !self.is_operator(self.at) {
                    self.check_word(self.at);
                } else if self.is_operator(self.at) {
                    self.tell(slips::stray_sign(self.span(self.at), word));
                }
                self.leaf(NodeKind::Word);
            }
        }
    }

    /// The items of a group: whether each has a name, its first token, and that of its value where it is a single one.
    pub fn item_nodes(&self, group: usize) -> Vec<(bool, usize, Option<usize>)> {
        let mut out = Vec::new();
        let mut at = group + 1;
        while let Some(item) = self.nodes.get(at) {
            let value = self.nodes.get(at + 1 + usize::from(item.sign != NONE));
            let single = value.filter(|value| value.first == value.last).map(|value| value.first as usize);
            out.push((item.sign != NONE, item.first as usize, single));
            at = item.end as usize;
        }
        out
    }

    /// The opening bracket of a group.
    pub fn group_token(&self, group: usize) -> usize {
        self.nodes[group].first as usize
    }

    /// Where mistakes begin that were found in a group, in order.
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
}
