//! Nodes of the tree.

use crate::token::Bracket;

/// Stands for no token.
pub const NONE: u32 = u32::MAX;

/// A node. Its children follow it in the arena, each with its own descendants.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// The node's first token. `last` is its last token. An empty file has no tokens, and its `first` is past
    /// the last token.
    pub first: u32,
    pub last: u32,
    /// The index in the arena after the node's last descendant.
    pub end: u32,
    /// The colon of an item or the closing bracket of a group; [`NONE`] if absent.
    pub sign: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Brackets with items. The file itself is a group without brackets.
    Group(Option<Bracket>),
    /// The content between two commas: a value, or a name with a colon and a value. An item that is a single
    /// word, text or character has no node of its own: its value stands for both, since long lists of numbers
    /// would otherwise take twice the memory.
    Item,
    Word,
    Text,
    Char,
    /// A name with a group.
    Call,
    /// A value that is missing in the text. The node covers the token before the missing value.
    Missing,
}

impl NodeKind {
    /// Whether a node of this kind is a value of one token, which may stand for an item.
    pub const fn is_leaf(self) -> bool {
        matches!(self, Self::Word | Self::Text | Self::Char)
    }
}

impl Node {
    pub const fn empty_file() -> Self {
        Self { kind: NodeKind::Group(None), first: 0, last: 0, end: 1, sign: NONE }
    }
}
