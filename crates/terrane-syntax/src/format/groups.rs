//! The formatter's input: groups and items, with every comment attached to its code.

use crate::lex::{Quotes, lex};
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

/// The content between two commas.
#[derive(Debug, Default)]
pub struct Item<'a> {
    /// Comments before it.
    pub before: Vec<Comment<'a>>,
    /// Whether a blank line directly precedes it.
    pub blank: bool,
    /// Whether the item, together with the comments before it, begins a line.
    pub begins_line: bool,
    pub parts: Vec<Part<'a>>,
    /// Comments after it on the same line.
    pub after: Vec<Comment<'a>>,
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
    let ends = tokens.iter().skip(1).map(|token| token.start).chain([text.len() as u32]);
    let mut lexemes = Vec::with_capacity(tokens.len() / 2 + 2);
    let mut lines = 0;
    for (token, end) in tokens.iter().zip(ends) {
        if token.kind == TokenKind::Blank {
            lines += text[token.start as usize..end as usize].matches('\n').count() as u32;
        } else {
            lexemes.push(Lexeme { kind: token.kind, lines, start: token.start, end });
            lines = 0;
        }
    }
    // A final blank with a line break, so that the last comment ends its line.
    let end = text.len() as u32;
    lexemes.push(Lexeme { kind: TokenKind::Blank, lines: 1, start: end, end });
    let mut reader = Reader { text, lexemes, at: 0, pending: Vec::new() };
    reader.inside("")
}

/// A token that is not a blank, and the number of line breaks before it.
#[derive(Clone, Copy)]
struct Lexeme {
    kind: TokenKind,
    lines: u32,
    start: u32,
    end: u32,
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

struct Reader<'a> {
    text: &'a str,
    lexemes: Vec<Lexeme>,
    at: usize,
    /// Comments between an item and its comma, on a later line than the item. They are attached to the next
    /// item.
    pending: Vec<Comment<'a>>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Lexeme {
        self.lexemes[self.at.min(self.lexemes.len() - 1)]
    }

    fn text(&self, lexeme: Lexeme) -> &'a str {
        self.text[lexeme.start as usize..lexeme.end as usize].trim_end()
    }

    fn comment(&mut self) -> Comment<'a> {
        let lexeme = self.peek();
        self.at += 1;
        Comment { text: self.text(lexeme), blank: lexeme.lines > 1, ends_line: self.peek().lines > 0 }
    }

    /// The number of comments that follow on this line, and the lexeme after them.
    fn comments_on_line(&self) -> (usize, Lexeme) {
        let rest = &self.lexemes[self.at..];
        let count = rest.iter().take_while(|lexeme| lexeme.is_comment() && lexeme.lines == 0).count();
        (count, rest.get(count).copied().unwrap_or_else(|| self.peek()))
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
        self.at += 1;
        group
    }

    fn item(&mut self, before: Vec<Comment<'a>>, comma: &mut bool) -> Item<'a> {
        let first = self.peek();
        let begins_line = self.lexemes[self.at - before.len()].lines > 0;
        let mut item = Item { before, blank: first.lines > 1, begins_line, ..Item::default() };
        while !self.item_ends() {
            let lexeme = self.peek();
            self.at += 1;
            let text = self.text(lexeme);
            item.parts.push(match lexeme.kind {
                TokenKind::Open(_) => Part::Group(Box::new(self.inside(text))),
                TokenKind::Colon => Part::Colon,
                TokenKind::LineComment | TokenKind::BlockComment => Part::Comment(text),
                _ => Part::Word(text),
            });
        }
        let (count, _) = self.comments_on_line();
        item.after = (0..count).map(|_| self.comment()).collect();
        while self.peek().is_comment() {
            let comment = self.comment();
            self.pending.push(comment);
        }
        *comma = self.peek().kind == TokenKind::Comma;
        if *comma {
            self.at += 1;
            let (count, next) = self.comments_on_line();
            let open = self.pending.is_empty() && !item.after.last().is_some_and(Comment::is_line);
            // Comments after the comma belong to this item only if a line break follows them.
            if open && next.lines > 0 {
                item.after.extend((0..count).map(|_| self.comment()));
            }
        }
        item
    }

    /// Whether only comments precede the end of the item.
    fn item_ends(&self) -> bool {
        let next = self.lexemes[self.at..].iter().find(|lexeme| !lexeme.is_comment());
        next.is_none_or(|next| next.is_end() || next.kind == TokenKind::Comma)
    }
}
