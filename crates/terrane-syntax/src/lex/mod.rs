//! The lexer: a text as a sequence of tokens. Blanks and comments are tokens too, so all tokens together are
//! the whole text.

mod meant;

use std::ops::Range;

use self::meant::{ends_text, is_doubled, lacks_quote, lacks_quotes};
use crate::Mistake;
use crate::mistake::MAX_MISTAKES;
use crate::syntax_errors;
use crate::token::{Bracket, Token, TokenKind};

/// Where quoted text without a closing quote ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// At the next quote, on any line. This is the rule of RON.
    Anywhere,
    /// At the next quote, but at the end of the line at the latest. This is used for texts with a missing
    /// quote. Under the other rule, quoted and unquoted parts would be swapped in the rest of such a text.
    OnTheLine,
}

/// The tokens of a text, and the mistakes in single tokens.
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub mistakes: Vec<Mistake>,
}

/// Whether RON treats a character as a blank. The answer differs from that of `char::is_whitespace`.
pub const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
}

/// Splits any text into tokens, without losing a byte.
pub fn lex(text: &str, quotes: Quotes) -> Lexed {
    let mut lexer = Lexer { text, quotes, at: 0, line_end: 0, unclosed_until: 0, mistakes: Vec::new() };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    Lexed { tokens, mistakes: lexer.mistakes }
}

/// The first word of a text after blanks and comments, such as the name of a call. The rest is not read.
#[must_use]
pub fn first_word(text: &str) -> Option<&str> {
    let quotes = Quotes::Anywhere;
    let mut lexer = Lexer { text, quotes, at: 0, line_end: 0, unclosed_until: 0, mistakes: Vec::new() };
    while let Some(Token { kind, start }) = lexer.next() {
        match kind {
            TokenKind::Close(_) => {}
            kind if kind.is_trivia() => {}
            TokenKind::Word => return text.get(start as usize..lexer.at),
            _ => return None,
        }
    }
    None
}

struct Lexer<'t> {
    text: &'t str,
    quotes: Quotes,
    at: usize,
    /// The end of the current line, as last found by `line`.
    line_end: usize,
    /// The end of the last line in which a quote is not closed.
    unclosed_until: usize,
    mistakes: Vec<Mistake>,
}

/// The maximum number of bytes that are searched for the end of text in curly quotes.
const MAX_CURLY_BYTES: usize = 200;

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '(' => (TokenKind::Open(Bracket::Round), 1),
            '[' => (TokenKind::Open(Bracket::Square), 1),
            '{' => (TokenKind::Open(Bracket::Curly), 1),
            ')' => (TokenKind::Close(Bracket::Round), 1),
            ']' => (TokenKind::Close(Bracket::Square), 1),
            '}' => (TokenKind::Close(Bracket::Curly), 1),
            ',' => (TokenKind::Comma, 1),
            ':' => (TokenKind::Colon, 1),
            '=' => (TokenKind::Equals, 1),
            ';' => (TokenKind::Semicolon, 1),
            '#' => self.hash(rest),
            '“' | '”' | '„' | '‘' | '’' | '‚' | '«' => {
                (TokenKind::Text, self.curly_quotes(rest))
            }
            // This is a byte order mark, which some editors write at the start.
            '\u{feff}' if start == 0 => (TokenKind::Blank, first.len_utf8()),
            c if is_blank(c) => (TokenKind::Blank, rest.find(|c| !is_blank(c)).unwrap_or(rest.len())),
            _ if rest.starts_with("//") => (TokenKind::LineComment, self.line()),
            _ if rest.starts_with("/*") => (TokenKind::BlockComment, self.block_comment(rest)),
            _ => self.word_or_text(rest),
        };
        self.at = start + length;
        // `Tree::parse` checks that the text is shorter than 4 GiB.
        Some(Token { kind, start: start as u32 })
    }

    /// The number of bytes left on the line, without its line break.
    fn line(&mut self) -> usize {
        if self.line_end < self.at || self.line_end == 0 {
            let rest = &self.text[self.at..];
            self.line_end = self.at + rest.find('\n').unwrap_or(rest.len());
        }
        self.text[self.at..self.line_end].strip_suffix('\r').map_or(self.line_end - self.at, str::len)
    }

    fn mistake(&mut self, mistake: impl FnOnce(Range<usize>) -> Mistake, length: usize) {
        let span = self.at..self.at + length;
        self.report(|| mistake(span));
    }

    /// Records a mistake, unless there are too many.
    fn report(&mut self, mistake: impl FnOnce() -> Mistake) {
        if self.mistakes.len() < MAX_MISTAKES {
            self.mistakes.push(mistake());
        }
    }

    /// Reads a `#`, which RON allows only in `#![…]`. Many languages start comments with `#`, so it is read
    /// as the start of a comment.
    fn hash(&mut self, rest: &str) -> (TokenKind, usize) {
        let length = self.line();
        if rest.starts_with("#!") {
            let length = rest.find(']').map_or(length, |end| end + 1);
            self.mistake(syntax_errors::attribute, length);
            return (TokenKind::LineComment, length);
        }
        let at = self.at;
        self.report(|| syntax_errors::hash_comment(at, &rest[..length]));
        (TokenKind::LineComment, length)
    }

    fn curly_quotes(&mut self, rest: &str) -> usize {
        let open = rest.chars().next().map_or(1, char::len_utf8);
        let near = self.line().min(MAX_CURLY_BYTES);
        let line = &rest[..rest.floor_char_boundary(near)];
        let closes = |c: char| match rest.chars().next() {
            Some('‘' | '’' | '‚') => matches!(c, '‘' | '’'),
            Some('«') => c == '»',
            _ => matches!(c, '“' | '”' | '"'),
        };
        let close = line[open..].char_indices().find(|&(_, c)| closes(c));
        let length = close.map_or(open, |(at, c)| open + at + c.len_utf8());
        let inner = close.map(|(at, _)| &line[open..open + at]);
        let span = self.at..self.at + length;
        self.report(|| syntax_errors::curly_quotes(span, inner));
        length
    }

    fn block_comment(&mut self, rest: &str) -> usize {
        let (mut depth, mut at) = (1, 2);
        while depth > 0 {
            let Some(next) = rest[at..].find(['/', '*']) else {
                self.mistake(syntax_errors::open_comment, 2);
                return rest.len();
            };
            at += next;
            if rest[at..].starts_with("/*") {
                (depth, at) = (depth + 1, at + 2);
            } else if rest[at..].starts_with("*/") {
                (depth, at) = (depth - 1, at + 2);
            } else {
                at += 1;
            }
        }
        at
    }

    fn word_or_text(&mut self, rest: &str) -> (TokenKind, usize) {
        let prefix = ["br", "b", "r"].into_iter().find(|prefix| rest.starts_with(prefix)).unwrap_or_default();
        let after = &rest[prefix.len()..];
        if prefix.ends_with('r') {
            let hashes = after.find(|c| c != '#').unwrap_or(after.len());
            if after[hashes..].starts_with('"') {
                return (TokenKind::Text, prefix.len() + self.raw(after, hashes));
            }
        }
        let (on_the_line, before) = (self.quotes == Quotes::OnTheLine, &self.text[..self.at]);
        if on_the_line && is_doubled(before, rest) {
            self.mistake(syntax_errors::doubled_quote, 1);
            return (TokenKind::Blank, 1);
        }
        if after.starts_with('"') {
            return (TokenKind::Text, prefix.len() + self.quoted(after, prefix.len()));
        }
        if after.starts_with('\'') {
            return (TokenKind::Char, prefix.len() + self.character(after, prefix.len()));
        }
        let ends = |(at, c): (usize, char)| {
            let sign = matches!(
                c,
                '(' | '[' | '{' | ')' | ']' | '}' | ',' | ':' | '=' | ';' | '"' | '\'' | '“' | '”'
            );
            let comment = c == '/' && (rest[at..].starts_with("//") || rest[at..].starts_with("/*"));
            let attribute = c == '#' && rest[at..].starts_with("#!");
            // This is a thousands separator. It is reported together with the number.
            let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
            let thousands = c == '\''
                && digit(rest.as_bytes().get(at.wrapping_sub(1)))
                && digit(rest.as_bytes().get(at + 1));
            at > 0 && (sign && !thousands || comment || attribute || is_blank(c))
        };
        let length = rest.char_indices().find(|&at| ends(at)).map_or(rest.len(), |(at, _)| at);
        if let Some(length) = on_the_line.then(|| lacks_quote(rest, length)).flatten() {
            let span = self.at..self.at + length + 1;
            self.report(|| syntax_errors::missing_quote(span, &rest[..length]));
            return (TokenKind::Text, length + 1);
        }
        if let Some(length) = on_the_line.then(|| lacks_quotes(before, rest, length)).flatten() {
            let span = self.at..self.at + length;
            self.report(|| syntax_errors::missing_quotes(span, &rest[..length]));
            return (TokenKind::Text, length);
        }
        (TokenKind::Word, length)
    }

    /// Reads raw text, such as `##"…"##`, and returns its length.
    fn raw(&mut self, rest: &str, hashes: usize) -> usize {
        let end = format!("\"{}", &rest[..hashes]);
        let length = rest[hashes + 1..].find(&end).map(|at| hashes + 1 + at + end.len());
        length.unwrap_or_else(|| {
            self.mistake(syntax_errors::open_quote, hashes + 1);
            rest.len()
        })
    }

    /// Reads quoted text, `"…"`, and returns its length.
    fn quoted(&mut self, rest: &str, prefix: usize) -> usize {
        let line = self.line() - prefix;
        let end = match self.quotes {
            Quotes::Anywhere => closing_quote(rest, '"'),
            // After an unclosed quote, the rest of the line is not searched again.
            Quotes::OnTheLine if self.unclosed_until > self.at => None,
            Quotes::OnTheLine => closing_quote(&rest[..line], '"'),
        };
        if let Some(end) = end.filter(|&end| end <= line) {
            // If a closing quote is missing on the line, the quote found is the opening quote of the next
            // text.
            let is_doubled = || rest[end..].strip_prefix('"').is_some_and(ends_text);
            if self.quotes == Quotes::Anywhere || is_doubled() || !swallowed(&rest[..line], end) {
                return end;
            }
        } else if self.quotes == Quotes::Anywhere {
            return end.unwrap_or_else(|| {
                self.mistake(syntax_errors::open_quote, 1);
                rest.len()
            });
        }
        if end.is_none() {
            self.unclosed_until = self.at + prefix + line;
        }
        // The intended text probably ends before the next bracket, comma, colon or quote.
        let inner = &rest[1..line];
        let length = 1 + inner
            .find([',', ':', '"', '(', ')', '[', ']', '{', '}'])
            .unwrap_or(inner.trim_end_matches(is_blank).len());
        let end = self.at + prefix + length;
        self.mistake(|span| syntax_errors::open_quote(span).fixed_by(end..end, "\""), 1);
        length
    }

    /// Reads `'…'`, a character or text in the wrong kind of quotes, and returns its length.
    fn character(&mut self, rest: &str, prefix: usize) -> usize {
        let line = self.line() - prefix;
        let length = closing_quote(&rest[..line], '\'');
        match length {
            Some(length) => {
                let inner = &rest[1..length - 1];
                let single = inner.chars().count() == 1 || inner.starts_with('\\');
                if !single {
                    let span = self.at..self.at + length;
                    self.report(|| syntax_errors::single_quotes(span, inner));
                }
                length
            }
            None => {
                self.mistake(syntax_errors::open_quote, 1);
                1 + rest[1..line].find([',', ':', '(', ')', '[', ']', '{', '}']).unwrap_or(line - 1)
            }
        }
    }
}

/// The comma-separated parts of a list of values, without blanks around them.
#[must_use]
pub fn split(row: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for token in lex(row, Quotes::Anywhere).tokens {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 => {
                parts.push(row[start..token.start as usize].trim_matches(is_blank));
                start = token.start as usize + 1;
            }
            _ => {}
        }
    }
    parts.push(row[start..].trim_matches(is_blank));
    parts
}

/// The length of quoted text, including both quotes.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        // `'''` is an apostrophe in quotes.
        if c == quote && !escaped && !(quote == '\'' && at == 1 && text[2..].starts_with('\'')) {
            return Some(at + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Whether the quote before `end` is probably the opening quote of the next text, because a closing quote is
/// missing before it. This is assumed if the characters after `end` cannot follow quoted text and another
/// quote comes later.
fn swallowed(line: &str, end: usize) -> bool {
    let rest = &line[end..];
    let follows = rest.trim_start_matches(is_blank).chars().next();
    let fits = follows.is_none_or(|c| matches!(c, ',' | ':' | ')' | ']' | '}' | '/'));
    !fits && rest.contains('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let tokens = lex(text, Quotes::Anywhere).tokens;
        let ends = tokens.iter().skip(1).map(|token| token.start as usize).chain([text.len()]);
        tokens.iter().zip(ends).map(|(token, end)| &text[token.start as usize..end]).collect()
    }

    #[test]
    fn all_tokens_together_are_the_text() {
        for text in [
            "Graph(size: (1, -2.5e3), // why\r\n nodes: { \"a\": B() })",
            "a /* one /* two */ still */ b",
            r####"[r##"raw "# //"##, b"\"", 'x', '\'', ''', "\\", br"\", r#type]"####,
            "/* never closed",
            "\"never closed \\",
            "r#\"never closed\"",
            "\u{feff}é\u{2028}//",
            "= ; # “x” „",
        ] {
            assert_eq!(texts(text).concat(), text);
        }
    }

    #[test]
    fn a_text_begins_with_a_word_behind_blanks_and_comments() {
        for text in
            ["World(", "\u{feff}// a\n/* b */ World (patch: \"(\")", "World", "# a\n)World[", "World\"x\""]
        {
            assert_eq!(first_word(text), Some("World"), "{text}");
        }
        for text in ["", "// World(", "/* World(", "\"World\"(", "(World", ", World("] {
            assert_eq!(first_word(text), None, "{text}");
        }
    }

    #[test]
    fn quotes_and_comments_hide_their_content() {
        assert_eq!(texts(r##"r#"a"b"#"##), [r##"r#"a"b"#"##]);
        assert_eq!(texts(r#""a // b\"(",x"#), [r#""a // b\"(""#, ",", "x"]);
        assert_eq!(texts("/* a /* , */ , */x"), ["/* a /* , */ , */", "x"]);
        assert_eq!(texts("// a, (\n1"), ["// a, (", "\n", "1"]);
        assert_eq!(texts("['\\'', ''']"), ["[", "'\\''", ",", " ", "'''", "]"]);
        assert_eq!(texts("-1.5e-3/*c*/,"), ["-1.5e-3", "/*c*/", ","]);
        assert_eq!(texts("bread(r)"), ["bread", "(", "r", ")"]);
    }

    #[test]
    fn unclosed_text_ends_where_it_was_meant_to() {
        let lexed = |text: &'static str| {
            let lexed = lex(text, Quotes::OnTheLine);
            let ends = lexed.tokens.iter().skip(1).map(|token| token.start as usize).chain([text.len()]);
            let words: Vec<&str> =
                lexed.tokens.iter().zip(ends).map(|(token, end)| &text[token.start as usize..end]).collect();
            (words, lexed.mistakes.iter().map(|mistake| mistake.span.start).collect::<Vec<_>>())
        };
        let (words, at) = lexed("height: \"hills, talus: \"$t\"");
        assert_eq!(words, ["height", ":", " ", "\"hills", ",", " ", "talus", ":", " ", "\"$t\""]);
        assert_eq!(at, [8]);
        let (words, at) = lexed("Lim 2022\": P(x: far hills\", y: \"$t\")");
        assert_eq!(words[..3], ["Lim 2022\"", ":", " "]);
        assert_eq!((words[8], at), ("far hills\"", vec![0, 16]));
        let (words, at) = lexed("mode: Max \"b\": P()");
        assert_eq!((words[3], words[5], at.len()), ("Max", "\"b\"", 0), "a comma is missing");
        let (words, at) = lexed("{ far hills: P(x: with summit, y: true z)");
        assert_eq!((words[2], words[10], at), ("far hills", "with summit", vec![2, 18]));
        for text in ["P(x: a - b, y: c)", "P(x: Max ra)", "P(x a b, y: 1)", "P(x: a b: 1)"] {
            assert_eq!(lexed(text).1, [0; 0], "{text}");
        }
        let (words, at) = lexed("\"a: P(x: \"b\"),\n\"c\"");
        assert_eq!(words[..4], ["\"a", ":", " ", "P"]);
        assert_eq!((words[words.len() - 1], at), ("\"c\"", vec![0]));
    }
}
