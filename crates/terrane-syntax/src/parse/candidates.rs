//! Which changes of single brackets could be meant in a text.

use super::change::{Change, significant_before};
use super::layout::{Layout, Place};
use crate::token::{Bracket, Token, TokenKind};

/// The maximum number of brackets that are suspected.
const MAX_SUSPECTS: usize = 8;

/// The maximum number of places on a line at which a bracket is tried.
const MAX_OPENED: usize = 12;

/// More tokens than this between two brackets are a list rather than a tuple.
const LONG_TUPLE: usize = 12;

/// The changes that could be meant, the likelier first.
pub fn changes(text: &str, tokens: &[Token], places: &[Place], layout: &Layout) -> Vec<Change> {
    let mut suspects: Vec<usize> = Vec::new();
    for &at in layout.unmatched.iter().chain(&layout.odd) {
        // A bracket that was added is empty, and fits.
        let is_added = tokens.get(at + 1).is_some_and(|next| next.start == tokens[at].start);
        if suspects.len() < MAX_SUSPECTS && !is_added && !suspects.contains(&at) {
            suspects.push(at);
        }
    }
    let mut found = Found { text, tokens, places, changes: Vec::new() };
    for &at in &suspects {
        match tokens[at].kind {
            TokenKind::Open(bracket) => found.of_open(at, bracket),
            TokenKind::Close(bracket) => found.of_close(at, bracket),
            _ => {}
        }
    }
    for pair in layout.unmatched.windows(2) {
        found.of_pair(pair);
    }
    found.changes
}

struct Found<'t> {
    text: &'t str,
    tokens: &'t [Token],
    places: &'t [Place],
    changes: Vec<Change>,
}

impl Found<'_> {
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The first token from one on that is no trivia.
    fn after_trivia(&self, at: usize) -> usize {
        (at..self.tokens.len()).find(|at| !self.tokens[*at].kind.is_trivia()).unwrap_or(self.tokens.len())
    }

    fn after(&self, at: usize) -> usize {
        self.after_trivia(at + 1)
    }

    fn before(&self, at: usize) -> Option<usize> {
        significant_before(self.tokens, at)
    }

    /// One of two brackets of different kinds is wrong.
    fn of_pair(&mut self, pair: &[usize]) {
        let [open, close] = *pair else { return };
        let (Some(TokenKind::Open(opened)), Some(TokenKind::Close(closed))) =
            (self.kind(open), self.kind(close))
        else {
            return;
        };
        let both = [Change::Kind(close, opened, open), Change::Kind(open, closed, close)];
        // A short tuple is likelier than a short list.
        let is_tuple = closed == Bracket::Round && close - open <= LONG_TUPLE;
        let [first, second] = both;
        self.changes.extend(if is_tuple { [second, first] } else { [first, second] });
    }

    /// An opening bracket is not closed, or one too many.
    fn of_open(&mut self, at: usize, bracket: Bracket) {
        for end in self.ends(at) {
            self.close_before(end, at, bracket);
        }
        self.close_on_line(at, bracket);
        let (first, next) = (self.with_name(at), self.after(at));
        // What ends an entry was meant to close the bracket around it.
        if matches!(self.kind(next), None | Some(TokenKind::Comma | TokenKind::Close(_))) {
            let kinds = [Bracket::Round, Bracket::Square, Bracket::Curly].map(TokenKind::Close);
            self.changes.extend(kinds.map(|kind| Change::Turn(at, kind)));
        }
        // A bracket or its whole line, written twice, is likelier than one that is not closed.
        if self.kind(at + 1) == Some(TokenKind::Open(bracket)) {
            self.changes.insert(0, Change::Remove(at..at + 1));
        }
        if first == at {
            self.changes.push(Change::Remove(at..at + 1));
        } else if self.is_doubled(first, next) {
            self.changes.insert(0, Change::Remove(first..next));
        }
    }

    /// The tokens before which an opening bracket could end: the first one behind its line, and the first one
    /// of a line that is indented no more than its own, or a bracket that closes an outer one.
    fn ends(&self, at: usize) -> Vec<usize> {
        let own = self.places[at];
        let mut depth = 0_usize;
        let mut ends = Vec::new();
        for next in at + 1..self.tokens.len() {
            let (kind, place) = (self.tokens[next].kind, self.places[next]);
            if kind.is_trivia() {
                continue;
            }
            let is_behind = place.line > own.line;
            let is_last = match kind {
                _ if is_behind && place.begins && place.indent <= own.indent => true,
                TokenKind::Close(_) => depth == 0,
                _ => false,
            };
            if is_last || is_behind && ends.is_empty() {
                ends.push(next);
            }
            match kind {
                _ if is_last => break,
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth -= 1,
                _ => {}
            }
        }
        ends
    }

    /// Whether the tokens before `end` stand there once more.
    fn is_doubled(&self, start: usize, end: usize) -> bool {
        let written = |from: usize| {
            let all = (from..self.tokens.len()).filter(|at| !self.tokens[*at].kind.is_trivia());
            all.map(|at| &self.text[self.byte(at)..self.byte(at + 1)])
        };
        let count = (start..end).filter(|at| !self.tokens[*at].kind.is_trivia()).count();
        written(start).take(count).eq(written(end).take(count))
    }

    fn byte(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize)
    }

    /// Closes a bracket, or one of the same kind in it, before a comma on its line.
    fn close_on_line(&mut self, at: usize, bracket: Bracket) {
        let mut open = vec![at];
        let first = self.changes.len();
        for next in at + 1..self.tokens.len() {
            if self.places[next].line > self.places[at].line || self.changes.len() - first >= MAX_OPENED {
                break;
            }
            match self.tokens[next].kind {
                TokenKind::Open(inner) => {
                    if self.kind(next - 1) == Some(TokenKind::Open(inner)) && next > at + 1 {
                        self.changes.insert(0, Change::Remove(next..next + 1));
                    }
                    open.push(next);
                }
                TokenKind::Close(_) => {
                    open.pop();
                }
                TokenKind::Comma => {
                    let inner = open.last().filter(|own| self.tokens[**own].kind == TokenKind::Open(bracket));
                    self.changes.extend(inner.map(|own| Change::Close(next, bracket, *own, false)));
                }
                _ => {}
            }
            if open.is_empty() {
                break;
            }
        }
    }

    /// Closes a bracket behind the last value before a token.
    fn close_before(&mut self, end: usize, open: usize, bracket: Bracket) {
        let Some(mut last) = self.before(end).filter(|last| *last >= open) else { return };
        if self.tokens[last].kind == TokenKind::Comma {
            last = self.before(last).unwrap_or(open);
        }
        let follows = self.kind(self.after(last));
        let needs_comma = !matches!(follows, None | Some(TokenKind::Comma | TokenKind::Close(_)));
        self.changes.push(Change::Close(last + 1, bracket, open, needs_comma));
    }

    /// The first token of the type and the name of an opening bracket, with its colon.
    fn with_name(&self, at: usize) -> usize {
        let before = |at: usize, kind| self.before(at).filter(|before| self.kind(*before) == Some(kind));
        let at = before(at, TokenKind::Word).unwrap_or(at);
        before(at, TokenKind::Colon).map_or(at, |colon| self.before(colon).unwrap_or(colon))
    }

    /// A closing bracket closes nothing, or its opening bracket is missing.
    fn of_close(&mut self, at: usize, bracket: Bracket) {
        let own = self.places[at];
        self.open_on_line(at, bracket);
        // What stands between a name and an entry was meant to open a bracket.
        let before = self.before(at).and_then(|before| self.kind(before));
        if matches!(before, Some(TokenKind::Word | TokenKind::Colon))
            && matches!(self.kind(self.after(at)), Some(TokenKind::Word | TokenKind::Text))
        {
            let kinds = [Bracket::Round, Bracket::Square, Bracket::Curly].map(TokenKind::Open);
            self.changes.extend(kinds.map(|kind| Change::Turn(at, kind)));
        }
        let first = self.after_trivia(0);
        // Before the first token: the type of the whole text is missing.
        if own.indent == 0 && self.after(at) == self.tokens.len() {
            self.changes.push(Change::Open(first, bracket));
        }
        // At the end of the last line that is indented no more.
        if own.begins {
            let outer = (0..at).rfind(|before| {
                let place = self.places[*before];
                place.begins && place.indent <= own.indent && !self.tokens[*before].kind.is_trivia()
            });
            let line = outer.map(|outer| self.places[outer].line);
            let next = line.and_then(|line| (first..at).find(|next| self.places[*next].line > line));
            if let Some(last) = next.and_then(|next| self.before(next)) {
                self.changes.push(Change::Open(last + 1, bracket));
            }
        }
        let comma = Some(self.after(at)).filter(|next| self.kind(*next) == Some(TokenKind::Comma));
        let stands_alone = self
            .before(at)
            .is_none_or(|before| matches!(self.tokens[before].kind, TokenKind::Comma | TokenKind::Open(_)));
        let end = comma.filter(|_| stands_alone).unwrap_or(at);
        let one_too_many = Change::Remove(at..end + 1);
        // A bracket that is written twice is likelier than one that is not opened.
        if at > 0 && self.kind(at - 1) == Some(TokenKind::Close(bracket)) {
            self.changes.insert(0, one_too_many);
        } else {
            self.changes.push(one_too_many);
        }
    }

    /// Opens a bracket on the line of the one that closes it: behind a type, behind the name of a field, and
    /// before a value.
    fn open_on_line(&mut self, at: usize, bracket: Bracket) {
        let mut opened = Vec::new();
        for before in (0..at).rev().filter(|before| !self.tokens[*before].kind.is_trivia()) {
            let (kind, next) = (self.tokens[before].kind, self.after(before));
            let is_type = next == at || matches!(self.kind(next), Some(TokenKind::Word | TokenKind::Text));
            if kind == TokenKind::Word && is_type {
                opened.push((false, before + 1));
            } else if matches!(kind, TokenKind::Colon | TokenKind::Comma | TokenKind::Open(_)) {
                opened.push((kind == TokenKind::Colon, next));
            }
            // The first value of a line stands behind a token of the line before.
            if self.places[before].line < self.places[at].line {
                break;
            }
        }
        // A list can be long, and is nearly always the value of a field.
        if bracket != Bracket::Round {
            opened.sort_by_key(|(is_field, _)| !is_field);
        }
        self.changes.extend(opened.into_iter().take(MAX_OPENED).map(|(_, at)| Change::Open(at, bracket)));
    }
}
