//! Mistakes in words and names: what is neither a name nor a number, and names that are missing or out of
//! place.

use std::ops::Range;

use super::parser::Parser;
use crate::mistake::Mistake;
use crate::node::NONE;
use crate::section::section_at;
use crate::token::{Bracket, TokenKind};
use crate::words::{is_name, is_number, number_prefix, plain_number};
use crate::{syntax_errors, word_errors};

impl Parser<'_> {
    /// The field of a graph whose map begins at a token.
    fn map_at(&self, open: usize) -> Option<&'static str> {
        let is_map = self.kind(open) == Some(TokenKind::Open(Bracket::Curly));
        let inside = (open + 1..self.tokens.len()).map(|at| (self.tokens[at].kind, self.shown(at)));
        is_map.then(|| section_at(inside))?
    }

    /// Whether the item that consists of the single token `key` is a name without its colon.
    pub fn lacks_colon(&mut self, bracket: Option<Bracket>, key: usize, last: usize) -> bool {
        if key != last || self.is_operator(self.at) || self.is_wrong_at(key) {
            return false;
        }
        match (bracket, self.kind(key)) {
            (Some(Bracket::Curly), Some(TokenKind::Text)) => true,
            (Some(Bracket::Round), Some(TokenKind::Word)) => {
                let word = self.shown(key);
                let is_value = matches!(word, "true" | "false" | "None" | "inf" | "NaN");
                let on_one_line = self.line(key).0 == self.line(self.at).0;
                is_name(word) && !is_value && on_one_line && !self.is_entry(self.at)
            }
            _ => false,
        }
    }

    /// Whether the number at the end of an entry continues after a blank, with more digits or a unit. If so,
    /// reports this and reads the rest.
    pub fn number_continues(&mut self, node: usize) -> bool {
        let (last, at) = (self.nodes[node].last as usize, self.at);
        let is_value = self.nodes[node].sign != NONE && self.kind(last) == Some(TokenKind::Word);
        if !is_value || !is_number(self.shown(last)) || self.line(last).0 != self.line(at).0 {
            return false;
        }
        let (number, more, span) =
            (self.shown(last), self.shown(at), self.span(last).start..self.span(at).end);
        let is_last =
            matches!(self.kind(self.after(at)), None | Some(TokenKind::Comma | TokenKind::Close(_)));
        let whole = format!("{number}{more}");
        let mistake = if more.starts_with(|c: char| c.is_ascii_digit()) && is_number(&whole) && is_last {
            word_errors::plain_number(span, &whole)
        } else if is_last && (more.chars().all(char::is_alphabetic) || matches!(more, "%" | "°")) {
            word_errors::number_with_unit(span, number, more)
        } else {
            return false;
        };
        self.report(mistake);
        self.advance();
        true
    }

    /// Whether the type of a node continues after a blank, with a word and its bracket. If so, reports this
    /// and skips the bracket.
    pub fn type_continues(&mut self, bracket: Option<Bracket>, node: usize) -> bool {
        let (last, at) = (self.nodes[node].last as usize, self.at);
        let is_word = |at: usize| {
            self.kind(at) == Some(TokenKind::Word)
                && self.shown(at).starts_with(|c: char| c.is_ascii_uppercase())
        };
        let is_node = bracket == Some(Bracket::Curly) && self.nodes[node].sign != NONE;
        let opens = self.kind(at + 1) == Some(TokenKind::Open(Bracket::Round));
        if !(is_node && opens && is_word(last) && is_word(at)) || self.line(last).0 != self.line(at).0 {
            return false;
        }
        let joined = format!("{}{}", self.shown(last), self.shown(at));
        self.report(word_errors::split_type(self.span(last).start..self.span(at).end, &joined));
        self.advance();
        self.advance();
        self.skip_group();
        true
    }

    /// Whether a token is an arithmetic operator, or begins with one.
    pub fn is_operator(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Word)
            && (matches!(self.shown(at), "+" | "-") || self.shown(at).starts_with(['*', '/', '^']))
    }

    /// Whether a token has a mistake.
    pub fn is_wrong_at(&self, at: usize) -> bool {
        let span = self.span(at);
        let (of_tokens, of_nodes) = self.mistakes.split_at(self.of_tokens);
        let from = of_tokens.partition_point(|mistake| mistake.span.end <= span.start);
        let within = |other: &Range<usize>| other.start < span.end && span.start < other.end;
        of_tokens.get(from).is_some_and(|mistake| within(&mistake.span))
            || of_nodes.iter().rev().take(4).any(|mistake| within(&mistake.span))
    }

    /// Reports a word that is neither a name nor a number.
    pub fn check_word(&mut self, at: usize) {
        let (word, span) = (self.shown(at), self.span(at));
        if is_name(word) || is_number(word) || self.is_wrong_at(at) {
            return;
        }
        let plain = plain_number(word);
        let digits =
            word.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let mistake = if word.starts_with('$') {
            word_errors::bare_parameter(span, word)
        } else if plain != word && is_number(&plain) {
            word_errors::plain_number(span, &plain)
        } else if digits {
            let number = number_prefix(word);
            let unit = &word[number.len()..];
            if unit.starts_with(['*', '/', '+', '-', '^']) {
                word_errors::arithmetic(span, word)
            } else if unit == "%" || unit.chars().all(char::is_alphabetic) || unit == "°" {
                word_errors::number_with_unit(span, number, unit)
            } else {
                word_errors::not_a_word(span, word)
            }
        } else {
            word_errors::not_a_word(span, word)
        };
        self.report(mistake);
    }

    /// Whether the value of an entry is a call.
    fn is_node(&self, key: usize) -> bool {
        let value = self.after(self.after(key));
        let opens = matches!(self.kind(self.after(value)), Some(TokenKind::Open(_)));
        self.kind(value) == Some(TokenKind::Word) && opens
    }

    /// Reports items of a group that have a name but should not, and items that should have a name but do
    /// not.
    pub fn check_names(&mut self, bracket: Bracket, group: usize, named: bool) {
        let all = if bracket == Bracket::Curly && !named { self.item_nodes(group) } else { Vec::new() };
        let is_number =
            |(_, at, value): &(bool, u32, u32)| *value == *at && is_number(self.shown(*at as usize));
        if all.len() > 1 && all.iter().all(is_number) {
            let open = self.nodes[group].first as usize;
            let mistake = syntax_errors::tuple_brackets(self.span(open));
            let fix = self.with_brackets(open, Bracket::Round);
            self.report(Mistake { fix: Some(fix), ..mistake });
            return;
        }
        let open = self.nodes[group].first as usize;
        let is_graph = bracket == Bracket::Round && open > 0 && self.shown(open - 1) == "Graph";
        // Lists and tuples without names can be long, and cannot have these mistakes.
        if bracket != Bracket::Curly && !named && !is_graph {
            return;
        }
        let mut number = None;
        let mistakes = self.mistakes_in(group);
        let items = self.item_nodes(group);
        // The last item is not checked if the end of the file cut it off, because it may have been a name.
        let whole = items.len().saturating_sub(usize::from(self.has_ended && self.at >= self.tokens.len()));
        let has_calls = items.iter().any(|(has_name, _, value)| *has_name && *value == NONE);
        for (has_name, at, value) in items.into_iter().take(whole) {
            let at = at as usize;
            let span = self.span(at);
            let next = mistakes.partition_point(|&mistake| mistake < span.start);
            let wrong = mistakes.get(next).is_some_and(|&mistake| mistake < span.end);
            let key = self.kind(at);
            let mistake = match (bracket, has_name) {
                _ if wrong => None,
                (Bracket::Round, true) if key == Some(TokenKind::Text) => {
                    Some(syntax_errors::quoted_field(span, self.shown(at), self.is_node(at)))
                }
                (Bracket::Round, true) if key == Some(TokenKind::Word) && !is_name(self.shown(at)) => {
                    Some(syntax_errors::bad_name(span, self.shown(at)))
                }
                (Bracket::Round, false) => {
                    let map = if is_graph { self.map_at(at) } else { None };
                    let other =
                        || named.then(|| syntax_errors::unnamed_field(span.clone(), self.shown(at), number));
                    map.map(|name| syntax_errors::unnamed_map(span.clone(), name)).or_else(other)
                }
                (Bracket::Square, true) => Some(syntax_errors::named_in_list(span)),
                (Bracket::Curly, true) if has_calls && value != NONE && is_name(self.shown(at)) => {
                    Some(syntax_errors::stray_field(span, self.shown(at)))
                }
                (Bracket::Curly, true) if key != Some(TokenKind::Text) => {
                    Some(syntax_errors::unquoted_name(span, self.shown(at)))
                }
                (Bracket::Curly, false) => Some(syntax_errors::unnamed_entry(span, self.shown(at))),
                _ => None,
            };
            mistake.into_iter().for_each(|mistake| self.report(mistake));
            number = (value != NONE)
                .then(|| (self.span(value as usize).end, self.shown(value as usize)))
                .filter(|(_, value)| value.bytes().all(|byte| byte.is_ascii_digit()));
        }
    }
}
