//! How the brackets of a text match, and how the lines between them are indented. Both are read from tokens
//! alone, so that a change of a bracket can be judged in little time.

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
    /// A number for the kinds of its items. Tuples in a list have equal ones.
    shape: u64,
    commas: usize,
    colons: usize,
    /// The shape of its last item, if that is a tuple.
    last: Option<u64>,
    /// Whether a name precedes it.
    is_call: bool,
    /// Whether another opening bracket precedes it.
    is_first: bool,
    /// The shape of the first tuple in it, if it is a list.
    first: Option<u64>,
}

impl Open {
    /// Adds a token that is no bracket, behind another one. Returns whether it is out of place: names in quotes
    /// belong in maps, and others do not.
    fn takes(&mut self, kind: TokenKind, before: TokenKind) -> bool {
        let is_value = matches!(kind, TokenKind::Word | TokenKind::Text);
        self.shape = with_item(self.shape, if is_value { 3 } else { 4 });
        self.last = self.last.filter(|_| kind == TokenKind::Comma);
        match kind {
            TokenKind::Comma => self.commas += 1,
            TokenKind::Colon => {
                self.colons += 1;
                let odd = if self.bracket == Bracket::Curly { TokenKind::Word } else { TokenKind::Text };
                return before == odd;
            }
            _ => {}
        }
        false
    }
}

/// A shape with one more item.
const fn with_item(shape: u64, item: u64) -> u64 {
    (shape ^ item).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
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
                        shape: bracket as u64,
                        commas: 0,
                        colons: 0,
                        last: None,
                        is_call: before == TokenKind::Word,
                        is_first: matches!(before, TokenKind::Open(_)),
                        first: None,
                    });
                }
                TokenKind::Close(bracket) => match open.pop() {
                    Some(own) if own.bracket == bracket => this.closed(at, *place, &own, open.last_mut()),
                    own => {
                        this.faults += 1;
                        this.unmatched.extend(own.iter().map(|own| own.token).chain([at]));
                        open.pop_if(|outer| own.is_some() && outer.bracket == bracket);
                    }
                },
                kind => {
                    if let Some(open) = open.last_mut() {
                        this.faults += usize::from(open.takes(kind, before));
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
        let is_round = own.bracket == Bracket::Round;
        let is_tuple = is_round && !own.is_call;
        // There is no tuple of one value, and no call of several values without names.
        let is_empty = own.shape == own.bracket as u64;
        let is_unusual = if is_tuple { own.commas == 0 && !is_empty } else { is_round && own.commas > 0 };
        self.faults += usize::from(is_unusual && own.colons == 0);
        // Names belong in calls and maps: `P((a: 1)` has one bracket too many.
        if is_tuple && own.is_first && own.colons > 0 {
            self.faults += 1;
            self.odd.push(own.token);
        }
        let Some(outer) = outer else { return };
        if outer.bracket == Bracket::Square {
            self.faults += usize::from(*outer.first.get_or_insert(own.shape) != own.shape);
        } else if is_tuple {
            outer.shape = with_item(outer.shape, own.shape);
            // Like tuples one after the other belong in a list.
            self.faults += usize::from(outer.last == Some(own.shape));
            outer.last = Some(own.shape);
        }
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
