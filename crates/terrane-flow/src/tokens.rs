//! RON as a row of tokens: blanks and comments are tokens too, so that all spans together are the text.
//!
//! The lexer trusts the text to be RON (the parser says what is not); on anything else it still ends, and loses nothing.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Blanks and line breaks.
    Blank,
    /// `// …`, without its line break.
    LineComment,
    /// `/* … */`, nested.
    BlockComment,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// A name, a number, quoted text.
    Word,
}

/// A token with its text, which is a slice of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
}

impl Token<'_> {
    /// Whether the parser sees the token.
    pub const fn is_significant(&self) -> bool {
        !matches!(self.kind, Kind::Blank | Kind::LineComment | Kind::BlockComment)
    }
}

/// The tokens of a text, in order.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let kind = kind(rest)?;
        let length = match kind {
            Kind::Blank => rest.find(|c| !is_blank(c)).unwrap_or(rest.len()),
            Kind::LineComment => rest.find('\n').unwrap_or(rest.len()),
            Kind::BlockComment => block_comment(rest),
            Kind::Word => word(rest),
            Kind::Open | Kind::Close | Kind::Comma | Kind::Colon => 1,
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(Token { kind, text: token })
    })
}

fn kind(text: &str) -> Option<Kind> {
    Some(match text.chars().next()? {
        '(' | '[' | '{' => Kind::Open,
        ')' | ']' | '}' => Kind::Close,
        ',' => Kind::Comma,
        ':' => Kind::Colon,
        '/' if text.starts_with("//") => Kind::LineComment,
        '/' if text.starts_with("/*") => Kind::BlockComment,
        c if is_blank(c) => Kind::Blank,
        _ => Kind::Word,
    })
}

/// What RON takes for a blank, which is not what `char::is_whitespace` does.
pub const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (1, 2);
    while depth > 0 {
        let Some(next) = text[at..].find(['/', '*']) else { return text.len() };
        at += next;
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
        } else {
            at += 1;
        }
    }
    at
}

fn word(text: &str) -> usize {
    let prefix = ["br", "b", "r"].into_iter().find(|prefix| text.starts_with(prefix)).unwrap_or_default();
    let after = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = after.find(|c| c != '#').unwrap_or(after.len());
        if after[hashes..].starts_with('"') {
            let end = format!("\"{}", &after[..hashes]);
            let body = &after[hashes + 1..];
            return body.find(&end).map_or(text.len(), |at| prefix.len() + hashes + 1 + at + end.len());
        }
    } else if after.starts_with(['"', '\'']) {
        return prefix.len() + quoted(after);
    }
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if at > 0 && kind(&text[at..]) != Some(Kind::Word) || matches!(c, '"' | '\'') {
            break;
        }
        end = at + c.len_utf8();
    }
    end.max(text.chars().next().map_or(0, char::len_utf8))
}

/// The length of quoted text or of a quoted character.
fn quoted(text: &str) -> usize {
    let quote = &text[..1];
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        let closes = text[at..].starts_with(quote) && !escaped;
        // `'''` is an apostrophe in quotes.
        if closes && !(quote == "'" && at == 1) {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).map(|token| token.text).collect()
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
        ] {
            assert_eq!(texts(text).concat(), text);
        }
    }

    #[test]
    fn quotes_and_comments_hide_what_is_in_them() {
        assert_eq!(texts(r##"r#"a"b"#"##), [r##"r#"a"b"#"##]);
        assert_eq!(texts(r#""a // b\"(",x"#), [r#""a // b\"(""#, ",", "x"]);
        assert_eq!(texts("/* a /* , */ , */x"), ["/* a /* , */ , */", "x"]);
        assert_eq!(texts("// a, (\n1"), ["// a, (", "\n", "1"]);
        assert_eq!(texts("['\\'', ''']"), ["[", "'\\''", ",", " ", "'''", "]"]);
        assert_eq!(texts("-1.5e-3/*c*/,"), ["-1.5e-3", "/*c*/", ","]);
        assert_eq!(texts("bread(r)"), ["bread", "(", "r", ")"]);
    }
}
