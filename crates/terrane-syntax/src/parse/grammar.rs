//! The grammar: parses tokens into nodes, for any text.

use super::parser::{Open, Parser};
use crate::lex::is_blank;
use crate::node::{NONE, NodeKind};
use crate::token::{Bracket, TokenKind};
use crate::words::is_name;
use crate::{literal, syntax_errors};

/// The maximum nesting depth of brackets. Reading a value recurses to the same depth.
const MAX_DEPTH: usize = 128;

impl<'t> Parser<'t> {
    pub fn file(&mut self) {
        let node = self.begin(NodeKind::Group(None));
        let mut items = 0;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Close(bracket) => {
                    self.report(syntax_errors::stray_close(self.span(self.at), bracket));
                    self.advance();
                }
                _ if items == 1 => {
                    let (start, end) = (self.span(self.at).start, self.text.trim_end_matches(is_blank).len());
                    // A message about a stray bracket also covers the text after that bracket.
                    if self.mistakes.last().is_none_or(|mistake| mistake.code != "stray-bracket") {
                        self.report(syntax_errors::after_the_end(start..end));
                    }
                    self.at = self.tokens.len();
                }
                _ => {
                    items += 1;
                    let (item, token) = (self.nodes.len(), self.at);
                    self.item(None);
                    let sign = self.nodes[item].sign;
                    if sign != NONE && !self.is_wrong_at(token) {
                        self.report(syntax_errors::named_value(self.span(token)));
                    }
                }
            }
        }
        self.finish(node);
    }

    /// Parses brackets and their content.
    fn group(&mut self, bracket: Bracket) {
        let node = self.begin(NodeKind::Group(Some(bracket)));
        let token = self.at;
        self.advance();
        if self.open.len() >= MAX_DEPTH {
            self.report(syntax_errors::too_deep(self.span(token)));
            self.skip_group();
        } else {
            self.open.push(Open { bracket, token });
            let named = self.items(bracket, node);
            self.open.pop();
            self.check_names(bracket, node, named);
        }
        self.finish(node);
    }

    /// Parses all items of the innermost bracket and its closing bracket. Returns whether any item has a
    /// name.
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
                        self.report(syntax_errors::wrong_close(self.span(self.at), bracket, close, line));
                        self.tokens[self.at].kind = TokenKind::Close(bracket);
                        self.nodes[node].sign = self.at as u32;
                        self.advance();
                        return named;
                    }
                    if self.closes_outer(close) {
                        self.ends_open(Some(self.at));
                        return named;
                    }
                    self.report(syntax_errors::stray_close(self.span(self.at), close));
                    self.advance();
                    if self.peek() == Some(TokenKind::Comma) {
                        self.advance();
                    }
                }
                Some(TokenKind::Comma) => {
                    let comma = self.span(self.at);
                    self.advance();
                    // If a bracket was never closed, this comma belongs to the outer bracket, and no entry is
                    // empty.
                    if !self.belongs_outside() {
                        self.report(syntax_errors::empty_entry(comma));
                    }
                }
                Some(TokenKind::Semicolon) => {
                    self.report(syntax_errors::semicolon(self.span(self.at)));
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

    /// Parses an item, `value` or `name: value`, and the comma after it.
    fn item(&mut self, bracket: Option<Bracket>) {
        let node = self.begin(NodeKind::Item);
        let key = self.at;
        self.value();
        let key_ends = self.last() as usize;
        match self.peek() {
            Some(TokenKind::Colon) => {
                if key_ends > key && !self.is_wrong_at(key) {
                    let span = self.span(key).start..self.span(key_ends).end;
                    self.report(syntax_errors::bad_name(span.clone(), &self.text[span]));
                }
                self.nodes[node].sign = self.at as u32;
                self.advance();
                self.named_value(key);
            }
            Some(TokenKind::Equals) => {
                let (sign, value) = (self.at, self.after(self.at));
                let mistake = syntax_errors::equals(self.span(sign), self.shown(key), self.shown(value));
                let around = self.span(key_ends).end..self.span(value).start;
                let is_alone = self
                    .text
                    .get(around.clone())
                    .is_some_and(|text| text.trim_matches(' ') == "=" && value > sign);
                self.report(if is_alone { mistake.fixed_by(around, ": ") } else { mistake });
                self.nodes[node].sign = sign as u32;
                self.advance();
                self.named_value(key);
            }
            Some(TokenKind::Word | TokenKind::Text | TokenKind::Open(_))
                if self.lacks_colon(bracket, key, key_ends) =>
            {
                self.nodes[node].sign = key as u32;
                if self.is_entry(self.at) && self.begins_line(self.at) {
                    self.missing_value(key);
                    self.finish(node);
                    self.join_leaf(node);
                    return;
                }
                self.report(syntax_errors::missing_colon(
                    self.span(key),
                    self.shown(key),
                    self.shown(self.at),
                ));
                // `sign` normally holds the colon, which is missing here. Any token in `sign` marks the first
                // child as a name, so the name's own token is used.
                self.value();
            }
            _ => {}
        }
        self.finish(node);
        self.item_end(bracket, node);
        self.join_leaf(node);
    }

    /// Parses the value after a colon.
    fn named_value(&mut self, key: usize) {
        match self.peek() {
            None | Some(TokenKind::Close(_) | TokenKind::Comma | TokenKind::Semicolon) => {
                self.missing_value(key);
            }
            Some(TokenKind::Text)
                if self.is_entry(self.at)
                    && self.is_innermost(Bracket::Round)
                    && !self.is_next_entry_outside() =>
            {
                self.map_without_open(key);
            }
            Some(_) if self.is_entry(self.at) && self.begins_line(self.at) => {
                self.missing_value(key);
            }
            _ => self.value(),
        }
    }

    fn missing_value(&mut self, key: usize) {
        self.report(syntax_errors::missing_value(self.span(key), self.shown(key)));
        self.missing();
    }

    /// Parses a map without its opening bracket. A quoted name at this position can only belong to such a
    /// map.
    fn map_without_open(&mut self, key: usize) {
        let (start, end) = (self.span(key).start, self.span(self.last() as usize).end);
        let (name, at) = (&self.text[start..end], self.span(self.at).start);
        self.report(syntax_errors::missing_open(start..end, name, Bracket::Curly).fixed_by(at..at, "{ "));
        let node = self.begin(NodeKind::Group(Some(Bracket::Curly)));
        self.open.push(Open { bracket: Bracket::Curly, token: self.at });
        let named = self.items(Bracket::Curly, node);
        self.open.pop();
        self.check_names(Bracket::Curly, node, named);
        self.finish(node);
    }

    fn is_innermost(&self, bracket: Bracket) -> bool {
        self.open.last().is_some_and(|open| open.bracket == bracket) && self.open.len() < MAX_DEPTH
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
                    self.report(syntax_errors::bad_escape(self.span(self.at)));
                }
                self.leaf(if kind == TokenKind::Text { NodeKind::Text } else { NodeKind::Char });
            }
            Some(TokenKind::Open(bracket)) if bracket != Bracket::Curly && self.is_map_in(self.at) => {
                let mut mistake = syntax_errors::map_brackets(self.span(self.at), bracket);
                mistake.fix = Some(self.with_brackets(self.at, Bracket::Curly));
                self.report(mistake);
                self.group(Bracket::Curly);
            }
            Some(TokenKind::Open(bracket)) => self.group(bracket),
            Some(TokenKind::Colon | TokenKind::Equals) => {
                self.report(syntax_errors::no_name(self.span(self.at), self.shown(self.at)));
                self.missing();
            }
            _ => self.missing(),
        }
    }

    /// Whether a name and the bracket after it are a call: `P(`, and with the wrong bracket `P{`, but not
    /// `nodes{ "a":`, where a colon is missing.
    fn is_call(&self, bracket: Bracket, open: usize) -> bool {
        let is_type = self.shown(self.at).starts_with(char::is_uppercase);
        bracket == Bracket::Round
            || open == self.at + 1
                && (is_type || bracket == Bracket::Square || !self.is_quoted_entry_in(open))
    }

    /// Parses a name, a number, or a call.
    fn word(&mut self) {
        let word = self.shown(self.at);
        let next = self.after(self.at);
        let is_name = is_name(word);
        match self.kind(next) {
            Some(TokenKind::Open(bracket)) if is_name && self.is_call(bracket, next) => {
                if bracket != Bracket::Round {
                    let mut mistake = syntax_errors::wrong_brackets(self.span(next), word, bracket);
                    mistake.fix = Some(self.with_brackets(next, Bracket::Round));
                    self.report(mistake);
                }
                let call = self.begin(NodeKind::Call);
                self.leaf(NodeKind::Word);
                let group = self.nodes.len();
                self.group(Bracket::Round);
                self.finish(call);
                if word == "Some" && self.nodes.len() == group + 1 {
                    self.report(syntax_errors::empty_some(self.span(next)));
                }
            }
            _ => {
                // A mistake in a name or in arithmetic is reported for the whole name or expression, not for
                // this word.
                let is_name = self.kind(next) == Some(TokenKind::Colon) && !self.open.is_empty();
                let is_begun =
                    self.is_operator(self.at) && matches!(self.kind(next), Some(TokenKind::Open(_)));
                if self.is_operator(self.at) && !is_begun {
                    self.report(syntax_errors::stray_sign(self.span(self.at), word));
                } else if self.kind(next) != Some(TokenKind::Equals)
                    && !is_name
                    && !is_begun
                    && !self.is_operator(next)
                {
                    self.check_word(self.at);
                }
                self.leaf(NodeKind::Word);
            }
        }
    }
}
