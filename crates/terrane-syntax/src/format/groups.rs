//! The formatter's input: groups and items, with every comment attached to its code.

use crate::lex::{Quotes, is_blank, lex};
use crate::token::{Token, TokenKind};

/// A comment.
#[derive(Debug)]
pub struct Comment<'a> {
    pub text: &'a str,
    /// Whether a blank line precedes it.
    pub blank: bool,
    /// Whether it is the last on its line.
    pub ends_line: bool,
}

impl Comment<'_> {
    pub fn is_line(&self) -> bool {
        self.text.starts_with("//")
    }
}

/// The content between two commas. Long lists have millions of items, so an item is small, and an item of one
/// part without comments needs no memory of its own.
#[derive(Debug, Default)]
pub struct Item<'a> {
    comments: Option<Box<Comments<'a>>>,
    parts: Parts<'a>,
    /// Whether a blank line directly precedes it.
    pub blank: bool,
    /// Whether the item, together with the comments before it, begins a line.
    pub begins_line: bool,
}

#[derive(Debug, Default)]
struct Comments<'a> {
    before: Vec<Comment<'a>>,
    after: Vec<Comment<'a>>,
}

#[derive(Debug)]
enum Parts<'a> {
    One(Part<'a>),
    Many(Box<[Part<'a>]>),
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self::Many(Box::default())
    }
}

impl<'a> Item<'a> {
    /// Comments before it.
    pub fn before(&self) -> &[Comment<'a>] {
        self.comments.as_ref().map_or(&[], |comments| &comments.before)
    }

    /// Comments after it on the same line.
    pub fn after(&self) -> &[Comment<'a>] {
        self.comments.as_ref().map_or(&[], |comments| &comments.after)
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[Part<'a>] {
        match &self.parts {
            Parts::One(part) => std::slice::from_ref(part),
            Parts::Many(parts) => parts,
        }
    }
}

/// A part of an item, such as a name, a colon and a value.
#[derive(Debug)]
pub enum Part<'a> {
    Word(&'a str),
    Colon,
    Comment(&'a str),
    Group(Box<Group<'a>>),
}

/// Brackets and their content. The document itself is a group without brackets.
#[derive(Debug, Default)]
pub struct Group<'a> {
    pub open: &'a str,
    pub close: &'a str,
    /// Comments on the line of the opening bracket.
    pub head: Vec<Comment<'a>>,
    pub items: Vec<Item<'a>>,
    /// Comments after the last item.
    pub tail: Vec<Comment<'a>>,
    /// Whether a line break follows the opening bracket.
    pub spread: bool,
    /// Whether a comma follows the last item.
    pub comma: bool,
}

/// Reads a valid value.
pub fn read(text: &str) -> Group<'_> {
    read_tokens(text, &lex(text, Quotes::Anywhere).tokens)
}

/// Reads a valid text from its tokens.
pub fn read_tokens<'a>(text: &'a str, tokens: &[Token]) -> Group<'a> {
    let mut reader = Reader { text, tokens, at: 0, code: 0, pending: Vec::new() };
    reader.at = reader.skip_blanks(0);
    reader.inside("")
}

/// A token that is not a blank, and the number of line breaks before it.
#[derive(Clone, Copy)]
struct Lexeme {
    kind: TokenKind,
    lines: usize,
    start: usize,
    end: usize,
}

impl Lexeme {
    const fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }

    /// Whether it ends a group or the text.
    const fn is_end(&self) -> bool {
        matches!(self.kind, TokenKind::Close(_) | TokenKind::Blank)
    }
}

struct Reader<'a, 't> {
    text: &'a str,
    tokens: &'t [Token],
    /// The index of the next token that is not a blank.
    at: usize,
    /// The index of a token at or after `at`, with only comments between them. It is kept, so that long runs
    /// of comments are searched once.
    code: usize,
    /// Comments between an item and its comma, on a later line than the item. They are attached to the next
    /// item.
    pending: Vec<Comment<'a>>,
}

impl<'a> Reader<'a, '_> {
    /// The index of the first token from `at` that is not a blank.
    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.tokens.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|token| token.kind == TokenKind::Blank).count()
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize)
    }

    /// The token at an index. After the text comes a blank on a new line, so that the last comment ends its
    /// line.
    fn lexeme(&self, at: usize) -> Lexeme {
        let (start, end) = (self.start(at), self.start(at + 1));
        let Some(token) = self.tokens.get(at) else {
            return Lexeme { kind: TokenKind::Blank, lines: 1, start, end };
        };
        let blanks = self.tokens[..at].iter().rev().take_while(|token| token.kind == TokenKind::Blank);
        let from = blanks.last().map_or(start, |token| token.start as usize);
        Lexeme { kind: token.kind, lines: self.text[from..start].matches('\n').count(), start, end }
    }

    fn peek(&self) -> Lexeme {
        self.lexeme(self.at)
    }

    fn advance(&mut self) {
        self.at = self.skip_blanks(self.at + 1).min(self.tokens.len());
    }

    fn text(&self, lexeme: Lexeme) -> &'a str {
        self.text[lexeme.start..lexeme.end].trim_end_matches(is_blank)
    }

    fn comment(&mut self) -> Comment<'a> {
        let lexeme = self.peek();
        self.advance();
        Comment { text: self.text(lexeme), blank: lexeme.lines > 1, ends_line: self.peek().lines > 0 }
    }

    /// The number of comments that follow on this line, and the token after them.
    fn comments_on_line(&self) -> (usize, Lexeme) {
        let (mut at, mut count) = (self.at, 0);
        loop {
            let lexeme = self.lexeme(at);
            if !lexeme.is_comment() || lexeme.lines > 0 {
                return (count, lexeme);
            }
            (at, count) = (self.skip_blanks(at + 1), count + 1);
        }
    }

    /// Whether a line break precedes the token that is `back` tokens before the next, without blanks.
    fn begins_line(&self, back: usize) -> bool {
        let before = self.tokens[..self.at].iter().enumerate().rev();
        let mut before = before.filter(|(_, token)| token.kind != TokenKind::Blank).map(|(at, _)| at);
        let at = if back == 0 { Some(self.at) } else { before.nth(back - 1) };
        at.is_some_and(|at| self.lexeme(at).lines > 0)
    }

    /// Reads the rest of a group after its opening bracket.
    fn inside(&mut self, open: &'a str) -> Group<'a> {
        let mut group = Group { open, spread: self.peek().lines > 0, ..Group::default() };
        let (count, next) = self.comments_on_line();
        if !open.is_empty() && next.lines > 0 {
            group.head = (0..count).map(|_| self.comment()).collect();
        }
        loop {
            let mut before = std::mem::take(&mut self.pending);
            while self.peek().is_comment() {
                before.push(self.comment());
            }
            if self.peek().is_end() {
                group.tail = before;
                break;
            }
            let item = self.item(before, &mut group.comma);
            group.items.push(item);
        }
        group.close = self.text(self.peek());
        self.advance();
        group
    }

    fn item(&mut self, before: Vec<Comment<'a>>, comma: &mut bool) -> Item<'a> {
        let blank = self.peek().lines > 1;
        let begins_line = self.begins_line(before.len());
        let parts = self.parts();
        let (count, _) = self.comments_on_line();
        let mut after: Vec<Comment<'a>> = (0..count).map(|_| self.comment()).collect();
        while self.peek().is_comment() {
            let comment = self.comment();
            self.pending.push(comment);
        }
        *comma = self.peek().kind == TokenKind::Comma;
        if *comma {
            self.advance();
            let (count, next) = self.comments_on_line();
            let open = self.pending.is_empty() && !after.last().is_some_and(Comment::is_line);
            // Comments after the comma belong to this item only if a line break follows them.
            if open && next.lines > 0 {
                after.extend((0..count).map(|_| self.comment()));
            }
        }
        let is_plain = before.is_empty() && after.is_empty();
        let comments = (!is_plain).then(|| Box::new(Comments { before, after }));
        Item { comments, parts, blank, begins_line }
    }

    fn parts(&mut self) -> Parts<'a> {
        if self.item_ends() {
            return Parts::default();
        }
        let first = self.part();
        if self.item_ends() {
            return Parts::One(first);
        }
        let mut parts = vec![first];
        while !self.item_ends() {
            parts.push(self.part());
        }
        Parts::Many(parts.into())
    }

    fn part(&mut self) -> Part<'a> {
        let lexeme = self.peek();
        self.advance();
        let text = self.text(lexeme);
        match lexeme.kind {
            TokenKind::Open(_) => Part::Group(Box::new(self.inside(text))),
            TokenKind::Colon => Part::Colon,
            TokenKind::LineComment | TokenKind::BlockComment => Part::Comment(text),
            _ => Part::Word(text),
        }
    }

    /// Whether only comments precede the end of the item.
    fn item_ends(&mut self) -> bool {
        self.code = self.code.max(self.at);
        while self.lexeme(self.code).is_comment() {
            self.code = self.skip_blanks(self.code + 1);
        }
        let next = self.lexeme(self.code);
        next.is_end() || next.kind == TokenKind::Comma
    }
}
