//! Error recovery: finds out where brackets should have been closed.

use super::parser::{Open, Parser};
use crate::mistake::Edit;
use crate::syntax_errors;
use crate::token::{Bracket, Token, TokenKind};
use crate::words::is_number;

impl<'t> Parser<'t> {
    /// Whether a token comes after the end of an earlier bracket, as indentation shows. Always `false`
    /// without `by_indentation`.
    fn is_outdented(&mut self, at: usize, open: Open) -> bool {
        self.by_indentation && self.looks_outdented(at, open)
    }

    /// Whether a token begins a line that is indented no more than the line of an earlier bracket. In usual
    /// layouts such a line comes after the closing bracket.
    fn looks_outdented(&mut self, at: usize, open: Open) -> bool {
        self.line(at).0 > self.line(open.token).0
            && self.begins_line(at)
            && self.indent(at) <= self.indent(open.token)
    }

    /// Whether `name:` begins at a token, with or without quotes.
    pub fn is_entry(&self, at: usize) -> bool {
        let named = matches!(self.kind(at), Some(TokenKind::Text | TokenKind::Word));
        named && self.kind(self.after(at)) == Some(TokenKind::Colon)
    }

    fn is_open(&self, bracket: Bracket) -> bool {
        let outer = self.open.len().saturating_sub(1);
        self.open[..outer].iter().any(|open| open.bracket == bracket)
    }

    /// Whether a round bracket was meant as a map: a quoted name follows it, and no type precedes it.
    fn is_map(&self, open: Open) -> bool {
        let before = self.tokens[..open.token].iter().rfind(|token| !token.kind.is_trivia());
        before.is_none_or(|before| before.kind != TokenKind::Word) && self.is_quoted_entry_in(open.token)
    }

    /// Whether an entry in quotes is a field of a node: its value is a number, and entries of outer maps have
    /// none.
    fn is_quoted_field(&self, at: usize) -> bool {
        let value = self.after(self.after(at));
        self.kind(value) == Some(TokenKind::Word) && is_number(self.shown(value))
    }

    /// Whether the next entry belongs to an outer bracket, so that the innermost one should have been closed.
    pub fn belongs_outside(&mut self) -> bool {
        let Some(&open) = self.open.last() else { return false };
        let at = self.at;
        if !self.is_entry(at) {
            return false;
        }
        let outer = match self.kind(at) {
            Some(TokenKind::Text) => Bracket::Curly,
            _ => Bracket::Round,
        };
        if !self.is_open(outer) {
            return false;
        }
        match open.bracket {
            Bracket::Round if outer == Bracket::Curly => !self.is_map(open) && !self.is_quoted_field(at),
            Bracket::Square => self.begins_line(at),
            _ => self.is_outdented(at, open),
        }
    }

    /// Whether a quoted name that follows a colon is the next entry of the map around the innermost bracket,
    /// so that neither a value nor the bracket's end was written. No valid text has such a name, so that
    /// indentation counts in every reading.
    pub fn is_next_entry_outside(&mut self) -> bool {
        let Some(&open) = self.open.last() else { return false };
        self.is_open(Bracket::Curly) && self.looks_outdented(self.at, open)
    }

    /// Whether a closing bracket of the wrong kind was meant to close the innermost bracket. This is assumed
    /// if the text after the closing bracket fits the next outer bracket.
    pub fn closes_wrongly(&mut self, close: Bracket) -> bool {
        let [.., outer, open] = self.open[..] else { return false };
        // A bracket of a kind that is not open anywhere closes the innermost one too.
        if close == open.bracket || outer.bracket != close && self.is_open(close) {
            return false;
        }
        let next = self.after(self.at);
        match self.kind(next) {
            Some(TokenKind::Close(bracket)) => bracket == outer.bracket,
            Some(TokenKind::Comma) => {
                let entry = self.after(next);
                let fits = match outer.bracket {
                    Bracket::Curly => self.kind(entry) == Some(TokenKind::Text) && self.is_entry(entry),
                    Bracket::Round => self.kind(entry) == Some(TokenKind::Word) && self.is_entry(entry),
                    Bracket::Square => false,
                };
                fits && !self.is_outdented(entry, outer)
            }
            _ => false,
        }
    }

    /// Whether a closing bracket that does not match the innermost bracket closes an outer one. Otherwise the
    /// closing bracket is extra.
    pub fn closes_outer(&mut self, close: Bracket) -> bool {
        let Some(&open) = self.open.last() else { return false };
        if !self.is_open(close) {
            return false;
        }
        let next = self.after(self.at);
        match self.kind(next) {
            Some(TokenKind::Close(bracket)) => bracket != open.bracket,
            Some(TokenKind::Comma) => {
                let entry = self.after(next);
                if self.kind(entry) == Some(TokenKind::Close(open.bracket)) {
                    return false;
                }
                let continues = match open.bracket {
                    Bracket::Curly => self.kind(entry) == Some(TokenKind::Text) && self.is_entry(entry),
                    Bracket::Round => self.kind(entry) == Some(TokenKind::Word) && self.is_entry(entry),
                    Bracket::Square => self.kind(entry).is_some() && !self.is_entry(entry),
                };
                !continues || self.is_outdented(entry, open)
            }
            _ => true,
        }
    }

    /// Reports that the innermost bracket is not closed before the token `before`, or before the end of the
    /// file if `before` is `None`. At the end of the file, only one open bracket is reported.
    pub fn ends_open(&mut self, before: Option<usize>) {
        let Some(&open) = self.open.last() else { return };
        let what = before.map(|at| {
            let what = match self.kind(at) {
                Some(TokenKind::Close(bracket)) => format!("the `{}`", bracket.close()),
                _ => format!("the name `{}`", self.shown(at)),
            };
            (what, self.line(at).0)
        });
        self.ended_at = Some(self.at);
        // An unclosed comment was reported already. It contains the rest of the text, including any closing
        // brackets.
        let is_reported =
            self.mistakes[..self.of_tokens].last().is_some_and(|mistake| mistake.code == "open-comment");
        if before.is_none() && (is_reported || std::mem::replace(&mut self.has_ended, true)) {
            return;
        }
        let before_token = before;
        let before = what.as_ref().map(|(what, line)| (&**what, *line));
        let mistake = syntax_errors::open_bracket(self.span(open.token), open.bracket, before);
        let close = match before_token {
            Some(at) => self.closed_before(at, open.token, open.bracket),
            None => Some(self.closed_at_the_end()),
        };
        self.report(match close {
            Some(Edit { span, text }) => mistake.fixed_by(span, text),
            None => mistake,
        });
    }

    /// Where to close all open brackets at the end of the text, and how: those that end their line on lines
    /// of their own.
    fn closed_at_the_end(&mut self) -> Edit {
        let last = self.last() as usize;
        let mut text = String::new();
        let mut needs_comma =
            matches!(self.kind(last), Some(TokenKind::Word | TokenKind::Text | TokenKind::Close(_)));
        for open in self.open.clone().into_iter().rev() {
            let next = self.after(open.token);
            if open.token != last && self.line(next).0 > self.line(open.token).0 {
                text += if needs_comma { ",\n" } else { "\n" };
                text += &" ".repeat(self.indent(open.token));
            }
            text.push(open.bracket.close());
            needs_comma = true;
        }
        let end = self.span(last).end;
        Edit { span: end..end, text }
    }

    /// Whether the first entry in a bracket has a name in quotes.
    pub fn is_quoted_entry_in(&self, open: usize) -> bool {
        let first = self.after(open);
        self.kind(first) == Some(TokenKind::Text) && self.is_entry(first)
    }

    /// Whether a bracket encloses entries of a map: names in quotes, which no outer bracket can mean.
    pub fn is_map_in(&mut self, open: usize) -> bool {
        let bracket = Open { bracket: Bracket::Curly, token: open };
        self.is_quoted_entry_in(open) && !self.looks_outdented(self.after(open), bracket)
    }

    /// Whether the quote of a text comes too early: a word follows it without a blank.
    pub fn is_quoted_too_early(&self, text: usize) -> bool {
        self.kind(text) == Some(TokenKind::Text)
            && self.shown(text).len() > 1
            && self.shown(text).starts_with('"')
            && self.shown(text).ends_with('"')
            && self.kind(text + 1) == Some(TokenKind::Word)
    }

    /// Reads a bracket and the one that closes it as brackets of another kind. Returns the edit that writes
    /// them so.
    pub fn with_brackets(&mut self, open: usize, meant: Bracket) -> Edit {
        let mut depth = 0_usize;
        let is_end = |token: &Token| {
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) if depth == 0 => return true,
                TokenKind::Close(_) => depth -= 1,
                _ => {}
            }
            false
        };
        let close = self.tokens[open + 1..].iter().position(is_end).map(|at| open + 1 + at);
        let close = close.filter(|close| {
            let is_same = |bracket| self.tokens[open].kind == TokenKind::Open(bracket);
            matches!(self.tokens[*close].kind, TokenKind::Close(bracket) if is_same(bracket))
        });
        let at = self.span(open);
        self.tokens[open].kind = TokenKind::Open(meant);
        let Some(close) = close else { return Edit { span: at, text: meant.open().to_string() } };
        self.tokens[close].kind = TokenKind::Close(meant);
        let end = self.span(close);
        let text = format!("{}{}{}", meant.open(), &self.text[at.end..end.start], meant.close());
        Edit { span: at.start..end.end, text }
    }

    /// Skips the rest of a group, including its closing bracket. The opening bracket was just read.
    pub fn skip_group(&mut self) {
        let mut depth = 1;
        while depth > 0 && self.at < self.tokens.len() {
            match self.peek() {
                Some(TokenKind::Open(_)) => depth += 1,
                Some(TokenKind::Close(_)) => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }
}
