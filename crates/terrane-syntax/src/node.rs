//! Nodes of the tree.

use crate::token::Bracket;

/// No token.
pub const NONE: u32 = u32::MAX;

/// A node; its children follow it in the arena, each with all below it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// Its first token and its last, both included. An empty file has none: `first` is then beyond the last
    /// token.
    pub first: u32,
    pub last: u32,
    /// The arena's index behind all that is below it.
    pub end: u32,
    /// The colon of an item, the closing bracket of a group; [`NONE`] where there is none.
    pub sign: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Brackets with items; the file itself has none.
    Group(Option<Bracket>),
    /// What stands between two commas: a value, or a name with a colon and a value.
    Item,
    Word,
    Text,
    Char,
    /// A name with a group.
    Call,
    /// A value that the text lacks. It covers the token before it.
    Missing,
}

impl Node {
    pub const fn empty_file() -> Self {
        Self { kind: NodeKind::Group(None), first: 0, last: 0, end: 1, sign: NONE }
    }
}
