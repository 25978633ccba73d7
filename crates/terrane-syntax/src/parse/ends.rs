//! What follows a value: a comma, a closing bracket, or a mistake.

use super::parser::Parser;
use crate::node::{NONE, NodeKind};
use crate::token::{Bracket, TokenKind};
use crate::{syntax_errors, word_errors};

impl Parser<'_> {
    /// Parses what follows an item's value: a comma, a closing bracket, or a mistake.
    pub fn item_end(&mut self, bracket: Option<Bracket>, node: usize) {
        match self.peek() {
            Some(TokenKind::Comma) if bracket.is_some() => self.advance(),
            Some(TokenKind::Semicolon) => {
                self.report(syntax_errors::semicolon(self.span(self.at)));
                self.advance();
            }
            None | Some(TokenKind::Close(_) | TokenKind::Comma) => {}
            Some(_) if self.is_arithmetic(node) => {
                self.skip_arithmetic(node);
                self.finish(node);
                if self.peek() == Some(TokenKind::Comma) {
                    self.advance();
                }
            }
            Some(TokenKind::Colon | TokenKind::Equals) => {
                self.report(syntax_errors::stray_sign(self.span(self.at), self.shown(self.at)));
                // The rest up to the next comma or closing bracket belongs to the same entry.
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
            Some(TokenKind::Word) if self.number_continues(node) => {
                self.finish(node);
                if self.peek() == Some(TokenKind::Comma) {
                    self.advance();
                }
            }
            Some(TokenKind::Word) if self.type_continues(bracket, node) => {
                self.finish(node);
                if self.peek() == Some(TokenKind::Comma) {
                    self.advance();
                }
            }
            Some(_) => {
                let (last, value) = (self.nodes[node].last as usize, self.nodes.last().map(|node| node.kind));
                if self.is_quoted_too_early(last) {
                    let (text, more) = (self.span(last), self.span(self.at));
                    let whole =
                        format!("{}{}\"", &self.text[text.start..text.end - 1], &self.text[more.clone()]);
                    self.report(syntax_errors::early_quote(text.start..more.end, &whole));
                    self.advance();
                    self.finish(node);
                    if self.peek() == Some(TokenKind::Comma) {
                        self.advance();
                    }
                } else if value != Some(NodeKind::Missing)
                    && !self.is_wrong_at(last)
                    && !self.is_wrong_at(self.at)
                {
                    // A value that cannot be read, or is missing, was reported already. No comma is asked
                    // for.
                    self.report(syntax_errors::missing_comma(self.span(last), self.shown(self.at)));
                }
            }
        }
    }

    /// Whether a value continues as arithmetic: an operator follows, or the value is an operator before
    /// brackets.
    fn is_arithmetic(&self, node: usize) -> bool {
        let last = self.nodes[node].last as usize;
        self.is_operator(self.at) || self.is_operator(last) && matches!(self.peek(), Some(TokenKind::Open(_)))
    }

    /// Reports and skips arithmetic that begins with a value, up to the end of the entry.
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
        self.report(word_errors::arithmetic(start..end, &text));
    }
}
