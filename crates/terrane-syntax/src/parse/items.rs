//! What the items of a bracket have in common, and what is unusual about them.

use crate::token::{Bracket, TokenKind};

/// The items of a bracket.
#[derive(Default)]
pub struct Items {
    commas: usize,
    pub colons: usize,
    /// Whether some items end with brackets, and whether some end with words.
    has_groups: bool,
    has_words: bool,
    /// A number for the kinds of all items. The tuples of a list have equal ones.
    shape: u64,
    /// The shape of the first tuple in a list, and of the tuple before this place in another tuple.
    like: Option<u64>,
}

/// A shape with one more item.
const fn with_item(shape: u64, item: u64) -> u64 {
    (shape ^ item).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
}

impl Items {
    /// Adds a token that is no bracket, behind another one. Returns whether it is out of place: names in
    /// quotes belong in maps, and others do not.
    pub fn add(&mut self, bracket: Bracket, kind: TokenKind, before: TokenKind) -> bool {
        let is_value = matches!(kind, TokenKind::Word | TokenKind::Text);
        self.shape = with_item(self.shape, if is_value { 1 } else { 2 });
        match kind {
            TokenKind::Comma => {
                self.commas += 1;
                self.end_item(before);
            }
            TokenKind::Colon => {
                self.colons += 1;
                let odd = if bracket == Bracket::Curly { TokenKind::Word } else { TokenKind::Text };
                return before == odd;
            }
            _ if bracket == Bracket::Round => self.like = None,
            _ => {}
        }
        false
    }

    /// Notes the kind of an item by its last token.
    pub fn end_item(&mut self, last: TokenKind) {
        match last {
            TokenKind::Close(_) => self.has_groups = true,
            TokenKind::Word | TokenKind::Text => self.has_words = true,
            _ => {}
        }
    }

    /// Adds a bracket with its items. Returns whether it differs from those before it in a list, or is like
    /// the one before it in a tuple: such tuples belong in a list.
    pub fn add_group(&mut self, outer: Bracket, inner: (Bracket, bool), items: &Self) -> bool {
        let (bracket, is_call) = inner;
        let shape = with_item(items.shape, bracket as u64);
        if outer == Bracket::Square {
            return *self.like.get_or_insert(shape) != shape;
        }
        if bracket != Bracket::Round || is_call {
            return false;
        }
        self.shape = with_item(self.shape, shape);
        self.like.replace(shape) == Some(shape)
    }

    /// Whether a bracket with these items is unusual: a tuple of one value, a call of several values without
    /// names, or a list of words and brackets.
    pub fn is_unusual(&self, bracket: Bracket, is_call: bool) -> bool {
        match bracket {
            Bracket::Round if self.colons > 0 => false,
            Bracket::Round if is_call => self.commas > 0,
            Bracket::Round => self.commas == 0 && self.shape != 0,
            Bracket::Square => self.has_groups && self.has_words,
            Bracket::Curly => false,
        }
    }
}
