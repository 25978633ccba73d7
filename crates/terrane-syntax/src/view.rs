//! Typed views of a tree's nodes: small `Copy` handles that borrow the tree.

use std::ops::Range;

use crate::node::{NONE, Node, NodeKind};
use crate::section::section;
use crate::token::{Bracket, TokenKind};
use crate::tree::Tree;

/// A value: a word, text, a call or a group.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    tree: &'t Tree,
    node: u32,
}

/// The form of a value.
#[derive(Clone, Copy, Debug)]
pub enum Form<'t> {
    /// A name or a number.
    Word(&'t str),
    /// Quoted text, as written.
    Text(&'t str),
    /// A character in single quotes, as written.
    Char(&'t str),
    /// `Name(…)`.
    Call(Call<'t>),
    /// `(…)`, `[…]` or `{…}`.
    Group(Group<'t>),
    /// The value is missing in the text.
    Missing,
}

/// A name with brackets: `Name(…)`.
#[derive(Clone, Copy, Debug)]
pub struct Call<'t> {
    tree: &'t Tree,
    node: u32,
}

/// Brackets and their content, or the file, which has no brackets.
#[derive(Clone, Copy, Debug)]
pub struct Group<'t> {
    tree: &'t Tree,
    node: u32,
}

/// The content between two commas: a value, or `name: value`.
#[derive(Clone, Copy, Debug)]
pub struct Item<'t> {
    tree: &'t Tree,
    node: u32,
}

/// The children of a node.
struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        (self.next < self.end).then(|| {
            let child = self.next;
            self.next = self.tree.nodes[child as usize].end;
            child
        })
    }
}

fn children(tree: &Tree, node: u32) -> Children<'_> {
    Children { tree, next: node + 1, end: tree.nodes[node as usize].end }
}

/// Methods of all views.
macro_rules! view {
    ($($type:ident),*) => {$(
        impl<'t> $type<'t> {
            fn data(self) -> Node {
                self.tree.nodes[self.node as usize]
            }

            /// The bytes from its first character to its last.
            #[must_use]
            pub fn span(self) -> Range<usize> {
                self.tree.span(self.node)
            }

            /// Its text as written, including comments inside it.
            #[must_use]
            pub fn text(self) -> &'t str {
                &self.tree.text[self.span()]
            }

            /// The tree that it belongs to.
            #[must_use]
            pub const fn tree(self) -> &'t Tree {
                self.tree
            }
        }
    )*};
}
view!(Value, Call, Group, Item);

impl<'t> Value<'t> {
    /// The form of the value.
    #[must_use]
    pub fn form(self) -> Form<'t> {
        let Self { tree, node } = self;
        match self.data().kind {
            NodeKind::Word => Form::Word(self.text()),
            NodeKind::Text => Form::Text(self.text()),
            NodeKind::Char => Form::Char(self.text()),
            NodeKind::Call => Form::Call(Call { tree, node }),
            NodeKind::Group(_) => Form::Group(Group { tree, node }),
            NodeKind::Missing | NodeKind::Item => Form::Missing,
        }
    }

    /// The call, if the value is one.
    #[must_use]
    pub fn call(self) -> Option<Call<'t>> {
        if let Form::Call(call) = self.form() { Some(call) } else { None }
    }

    /// The group, if the value is one with brackets of this kind.
    #[must_use]
    pub fn group(self, bracket: Bracket) -> Option<Group<'t>> {
        match self.form() {
            Form::Group(group) if group.bracket() == Some(bracket) => Some(group),
            _ => None,
        }
    }

    /// Whether the value contains a mistake. If so, no other message about the value is needed.
    #[must_use]
    pub fn is_wrong(self) -> bool {
        matches!(self.data().kind, NodeKind::Missing) || self.tree.is_wrong(&self.span())
    }
}

impl<'t> Call<'t> {
    /// The name.
    #[must_use]
    pub fn name(self) -> &'t str {
        &self.tree.text[self.name_span()]
    }

    /// The position of the name.
    #[must_use]
    pub fn name_span(self) -> Range<usize> {
        self.tree.token_span(self.data().first)
    }

    /// The brackets.
    #[must_use]
    pub fn group(self) -> Group<'t> {
        Group { tree: self.tree, node: self.node + 2 }
    }
}

impl<'t> Group<'t> {
    pub(crate) const fn new(tree: &'t Tree, node: u32) -> Self {
        Self { tree, node }
    }

    /// The kind of its brackets; `None` for the file.
    #[must_use]
    pub fn bracket(self) -> Option<Bracket> {
        if let NodeKind::Group(bracket) = self.data().kind { bracket } else { None }
    }

    /// Its items, in order.
    pub fn items(self) -> impl Iterator<Item = Item<'t>> {
        let tree = self.tree;
        children(tree, self.node).map(move |node| Item { tree, node })
    }

    /// The item with this name.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Item<'t>> {
        self.items().find(|item| item.is_named(name))
    }

    /// The map of a graph's field, also where the name before it is missing.
    #[must_use]
    pub fn map(self, name: &str) -> Option<Self> {
        let item = self.items().find(|item| item.name().or(item.section()) == Some(name))?;
        item.value()?.group(Bracket::Curly)
    }

    /// The position of the opening bracket; for the file, the beginning of the text.
    #[must_use]
    pub fn open_span(self) -> Range<usize> {
        if self.bracket().is_some() { self.tree.token_span(self.data().first) } else { 0..0 }
    }
}

/// Quotes with which text may not begin, but in which it is read.
const OTHER_QUOTES: [char; 8] = ['\'', '“', '”', '„', '‘', '’', '‚', '«'];

impl<'t> Item<'t> {
    /// The value before the colon, as written.
    #[must_use]
    pub fn key(self) -> Option<Value<'t>> {
        (self.data().sign != NONE).then_some(Value { tree: self.tree, node: self.node + 1 })
    }

    /// The name before the colon, without quotes. Names have no escapes.
    #[must_use]
    pub fn name(self) -> Option<&'t str> {
        (self.key()?.data().kind != NodeKind::Missing).then_some(&self.tree.text[self.name_span()?])
    }

    /// Whether the item's name is `name`. A name in plain quotes is the most common case and the fastest to
    /// compare, so it is checked first.
    fn is_named(self, name: &str) -> bool {
        let Some(key) = self.key() else { return false };
        match key.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(own) => own == name,
            None => self.name() == Some(name),
        }
    }

    /// The position of the name, without its quotes and their prefix. One of the quotes may be missing.
    #[must_use]
    pub fn name_span(self) -> Option<Range<usize>> {
        let (key, span) = (self.key()?.text(), self.key()?.span());
        // Quotes of another kind are a mistake of their own, and no part of the name.
        if let Some(inner) = key.strip_prefix(OTHER_QUOTES) {
            let start = span.end - inner.len();
            return Some(
                start
                    ..start
                        + inner
                            .strip_suffix(['"', '”', '“', '’', '‘', '\'', '»'])
                            .map_or(inner.len(), str::len),
            );
        }
        let Some(open) = key.find('"') else { return Some(span) };
        // The opening quote may be missing.
        if open > 0 && open + 1 == key.len() && key.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return Some(span.start..span.start + open);
        }
        let close = key.rfind('"').filter(|&close| close > open).unwrap_or(key.len());
        Some(span.start + open + 1..span.start + close)
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> Option<Value<'t>> {
        if self.data().kind.is_leaf() {
            return Some(Value { tree: self.tree, node: self.node });
        }
        let skip = usize::from(self.data().sign != NONE);
        children(self.tree, self.node).nth(skip).map(|node| Value { tree: self.tree, node })
    }

    /// The field of a graph that this item is, if it is a map whose name is missing.
    #[must_use]
    pub fn section(self) -> Option<&'static str> {
        let map = self.value().filter(|_| self.key().is_none())?.group(Bracket::Curly)?;
        let first = map.items().find(|item| item.name().is_some())?;
        Some(section(first.name()?, first.value().is_some_and(|value| value.call().is_some())))
    }

    /// The position of the comma after the item, if present.
    #[must_use]
    pub fn comma(self) -> Option<Range<usize>> {
        let last = self.data().last;
        let behind = (last + 1..self.tree.tokens.len() as u32)
            .find(|&index| !self.tree.tokens[index as usize].kind.is_trivia())?;
        let is_comma = self.tree.tokens[behind as usize].kind == TokenKind::Comma;
        is_comma.then(|| self.tree.token_span(behind))
    }
}

impl Tree {
    /// The content of the file as a group without brackets: one item, if the file is valid.
    #[must_use]
    pub fn file(&self) -> Group<'_> {
        Group::new(self, 0)
    }

    /// The value of the file, if present.
    #[must_use]
    pub fn value(&self) -> Option<Value<'_>> {
        self.file().items().next()?.value()
    }
}
