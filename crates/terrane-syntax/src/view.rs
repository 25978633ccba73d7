//! Typed views of a tree's nodes: handles to copy and pass on, which borrow the tree.

use std::ops::Range;

use crate::node::{NONE, Node, NodeKind};
use crate::token::{Bracket, TokenKind};
use crate::tree::Tree;

/// A value: a word, text, a call or a group.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    tree: &'t Tree,
    node: u32,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Form<'t> {
    /// A name or a number.
    Word(&'t str),
    /// Text in quotes, as it is written.
    Text(&'t str),
    /// A character in single quotes, as it is written.
    Char(&'t str),
    /// `Name(…)`.
    Call(Call<'t>),
    /// `(…)`, `[…]` or `{…}`.
    Group(Group<'t>),
    /// Nothing: the text lacks the value.
    Missing,
}

/// A name with brackets: `Name(…)`.
#[derive(Clone, Copy, Debug)]
pub struct Call<'t> {
    tree: &'t Tree,
    node: u32,
}

/// Brackets and what is in them, or the file, which has none.
#[derive(Clone, Copy, Debug)]
pub struct Group<'t> {
    tree: &'t Tree,
    node: u32,
}

/// What stands between two commas: a value, or `name: value`.
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

/// What all views have.
macro_rules! view {
    ($($type:ident),*) => {$(
        impl<'t> $type<'t> {
            fn data(self) -> Node {
                self.tree.nodes[self.node as usize]
            }

            /// The bytes from its first sign to its last.
            #[must_use]
            pub fn span(self) -> Range<usize> {
                self.tree.span(self.node)
            }

            /// Its text as written, comments inside it too.
            #[must_use]
            pub fn text(self) -> &'t str {
                &self.tree.text[self.span()]
            }

            /// The tree that it is of.
            #[must_use]
            pub const fn tree(self) -> &'t Tree {
                self.tree
            }
        }
    )*};
}
view!(Value, Call, Group, Item);

impl<'t> Value<'t> {
    /// What it is.
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

    /// The call, where it is one.
    #[must_use]
    pub fn call(self) -> Option<Call<'t>> {
        if let Form::Call(call) = self.form() { Some(call) } else { None }
    }

    /// The group, where it is one of these brackets.
    #[must_use]
    pub fn group(self, bracket: Bracket) -> Option<Group<'t>> {
        match self.form() {
            Form::Group(group) if group.bracket() == Some(bracket) => Some(group),
            _ => None,
        }
    }

    /// Whether a mistake of the text lies in it, so that nothing more needs to be said of it.
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

    /// Where the name stands.
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

    /// The sort of its brackets; none for the file.
    #[must_use]
    pub fn bracket(self) -> Option<Bracket> {
        if let NodeKind::Group(bracket) = self.data().kind { bracket } else { None }
    }

    /// What stands in it, in order.
    pub fn items(self) -> impl Iterator<Item = Item<'t>> {
        let tree = self.tree;
        children(tree, self.node).map(move |node| Item { tree, node })
    }

    /// The item of that name.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Item<'t>> {
        self.items().find(|item| item.is_named(name))
    }

    /// Where the opening bracket stands; the beginning of the text for the file.
    #[must_use]
    pub fn open_span(self) -> Range<usize> {
        if self.bracket().is_some() { self.tree.token_span(self.data().first) } else { 0..0 }
    }

    /// Where the closing bracket stands, if there is one.
    #[must_use]
    pub fn close_span(self) -> Option<Range<usize>> {
        let sign = self.data().sign;
        (sign != NONE).then(|| self.tree.token_span(sign))
    }
}

impl<'t> Item<'t> {
    /// What stands before the colon, as written.
    #[must_use]
    pub fn key(self) -> Option<Value<'t>> {
        (self.data().sign != NONE).then_some(Value { tree: self.tree, node: self.node + 1 })
    }

    /// The name before the colon, without quotes. Names have no escapes.
    #[must_use]
    pub fn name(self) -> Option<&'t str> {
        (self.key()?.data().kind != NodeKind::Missing).then_some(&self.tree.text[self.name_span()?])
    }

    /// Whether it has a name. Most have it in plain quotes, which is seen without looking for them.
    fn is_named(self, name: &str) -> bool {
        let Some(key) = self.key() else { return false };
        match key.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(own) => own == name,
            None => self.name() == Some(name),
        }
    }

    /// Where the name stands, without quotes and what belongs to them; one of them may be missing.
    #[must_use]
    pub fn name_span(self) -> Option<Range<usize>> {
        let (key, span) = (self.key()?.text(), self.key()?.span());
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
        let skip = usize::from(self.data().sign != NONE);
        children(self.tree, self.node).nth(skip).map(|node| Value { tree: self.tree, node })
    }

    /// Where the comma after it stands, if there is one.
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
    /// What the file holds, as a group without brackets: one item, where nothing is wrong.
    #[must_use]
    pub fn file(&self) -> Group<'_> {
        Group::new(self, 0)
    }

    /// The one value of the file; nothing where there is none.
    #[must_use]
    pub fn value(&self) -> Option<Value<'_>> {
        self.file().items().next()?.value()
    }
}
