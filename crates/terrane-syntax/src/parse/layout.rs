//! How the brackets of a text match, and how the lines between them are indented. Both are read from tokens
//! alone, so that a change of a bracket can be judged in little time.

use super::items::Items;
use crate::token::{Bracket, Token, TokenKind};

/// Where a token stands.
#[derive(Clone, Copy, Default)]
pub struct Place {
    /// Its line, counted from 0.
    pub line: u32,
    /// The indentation of this line in bytes.
    pub indent: u32,
    /// Whether it is the first token of this line that is no blank.
    pub begins: bool,
}

/// A bracket that no other bracket has closed yet.
struct Open {
    token: usize,
    bracket: Bracket,
    place: Place,
    /// Whether a line in it is indented too little.
    is_odd: bool,
    /// Whether it is the last token of its line.
    ends_line: bool,
    /// Whether a name precedes it.
    is_call: bool,
    /// Whether another opening bracket precedes it.
    is_first: bool,
    items: Items,
}

/// The brackets of a text that do not fit each other, or do not fit the lines between them.
#[derive(Default)]
pub struct Layout {
    /// The brackets that close another kind, are closed by another kind, or close nothing.
    pub unmatched: Vec<usize>,
    /// The brackets that do not fit the indentation of the lines between them.
    pub odd: Vec<usize>,
    /// The number of faults.
    pub faults: usize,
}

/// The places of tokens. O(text).
pub fn places(text: &str, tokens: &[Token]) -> Vec<Place> {
    let mut place = Place { line: 0, indent: 0, begins: true };
    let mut out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let start = token.start as usize;
        let end = tokens.get(at + 1).map_or(text.len(), |next| next.start as usize);
        let bytes = &text.as_bytes()[start..end];
        out.push(place);
        place.begins &= token.kind == TokenKind::Blank;
        if token.kind == TokenKind::Blank
            && let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n')
        {
            place.indent = (bytes.len() - last - 1) as u32;
            place.begins = true;
        }
        place.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u32;
    }
    out
}

impl Layout {
    /// The faults of tokens at their places. O(tokens).
    pub fn of(tokens: &[Token], places: &[Place]) -> Self {
        let mut this = Self::default();
        let mut open: Vec<Open> = Vec::new();
        let mut before = TokenKind::Comma;
        for (at, (token, place)) in tokens.iter().zip(places).enumerate() {
            if token.kind.is_trivia() {
                continue;
            }
            this.indented(at, token.kind, *place, open.last_mut());
            match token.kind {
                TokenKind::Open(bracket) => {
                    let ends_line = tokens[at + 1..]
                        .iter()
                        .zip(&places[at + 1..])
                        .find(|(next, _)| !next.kind.is_trivia())
                        .is_some_and(|(_, next)| next.line > place.line);
                    open.push(Open {
                        token: at,
                        bracket,
                        place: *place,
                        is_odd: false,
                        ends_line,
                        is_call: before == TokenKind::Word,
                        is_first: matches!(before, TokenKind::Open(_)),
                        items: Items::default(),
                    });
                }
                TokenKind::Close(bracket) => match open.pop() {
                    Some(mut own) if own.bracket == bracket => {
                        own.items.end_item(before);
                        this.closed(at, *place, &own, open.last_mut());
                    }
                    own => {
                        this.faults += 1;
                        this.unmatched.extend(own.iter().map(|own| own.token).chain([at]));
                        open.pop_if(|outer| own.is_some() && outer.bracket == bracket);
                    }
                },
                kind => {
                    if let Some(open) = open.last_mut() {
                        this.faults += usize::from(open.items.add(open.bracket, kind, before));
                    }
                }
            }
            before = token.kind;
        }
        this
    }

    /// Notes whether a pair of brackets fits its lines, and a tuple of a list the tuples before it.
    fn closed(&mut self, at: usize, place: Place, own: &Open, outer: Option<&mut Open>) {
        // What begins at the end of a line ends at the beginning of one.
        if own.ends_line && !place.begins && place.line > own.place.line && !own.is_odd {
            self.faults += 1;
            self.odd.extend([own.token, at]);
        }
        self.faults += usize::from(own.items.is_unusual(own.bracket, own.is_call));
        // Names belong in calls and maps: `P((a: 1)` has one bracket too many.
        let is_tuple = own.bracket == Bracket::Round && !own.is_call;
        if is_tuple && own.is_first && own.items.colons > 0 {
            self.faults += 1;
            self.odd.push(own.token);
        }
        let Some(outer) = outer else { return };
        let inner = (own.bracket, own.is_call);
        self.faults += usize::from(outer.items.add_group(outer.bracket, inner, &own.items));
    }

    /// Notes whether the first token of a line is indented as it should be in the innermost bracket.
    fn indented(&mut self, at: usize, kind: TokenKind, place: Place, open: Option<&mut Open>) {
        let Some(open) = open.filter(|open| place.begins && open.place.line < place.line) else { return };
        let is_close = matches!(kind, TokenKind::Close(_));
        let (inner, outer) = (place.indent, open.place.indent);
        if (if is_close { inner != outer } else { inner <= outer }) && !open.is_odd {
            open.is_odd = true;
            self.faults += 1;
            self.odd.push(open.token);
            if is_close {
                self.odd.push(at);
            }
        }
    }
}
