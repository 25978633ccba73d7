//! What is meant where text is no RON: the slips of those who write graphs by hand, told in their words.
//!
//! The parser says where it could not go on, which is often a line after the slip. Here the tokens are walked once more, and the first that
//! stands where it cannot is named.

use std::ops::Range as Span;

use crate::tokens::{Kind, Token, tokens};

/// A slip: its place in the text, what is wrong, and what to write.
#[derive(Debug, PartialEq, Eq)]
pub struct Slip {
    pub span: Span<usize>,
    pub message: String,
    pub help: String,
}

/// A bracket that is open.
struct Bracket {
    at: usize,
    sign: char,
    /// Whether something in it was written as `name: value`.
    named: bool,
    /// Whether a name, or a value without one, comes next.
    fresh: bool,
}

/// The first slip in a text, where it is one of those known here. `line` tells the line of a place.
pub fn slip(text: &str, line: impl Fn(usize) -> usize) -> Option<Slip> {
    let mut all = Vec::new();
    let mut at = 0;
    for token in tokens(text) {
        if token.is_significant() {
            all.push((at, token));
        }
        at += token.text.len();
    }
    let mut open: Vec<Bracket> = Vec::new();
    for (index, &(at, token)) in all.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| all[index]);
        let after = all.get(index + 1).map(|(_, token)| *token);
        if let Some(slip) = word(at, token).or_else(|| missing_comma(before, (at, token), open.last())) {
            return Some(slip);
        }
        match token.kind {
            Kind::Open => {
                let sign = token.text.chars().next().unwrap_or('(');
                open.push(Bracket { at, sign, named: false, fresh: true });
                continue;
            }
            Kind::Close => {
                let bracket = open.pop();
                if let Some(slip) = wrong_close(at, token, bracket.as_ref(), &line) {
                    return Some(slip);
                }
            }
            Kind::Word => {
                if let Some(slip) = open.last().and_then(|inside| name(at, token, after, inside, &line)) {
                    return Some(slip);
                }
            }
            Kind::Colon => open.iter_mut().last().into_iter().for_each(|inside| inside.named = true),
            _ => {}
        }
        if let Some(inside) = open.last_mut() {
            inside.fresh = token.kind == Kind::Comma;
        }
    }
    let left = open.last()?;
    Some(Slip {
        span: left.at..left.at + 1,
        message: format!("this `{}` is not closed", left.sign),
        help: format!("write `{}` where it ends; or was the file not saved whole?", closing(left.sign)),
    })
}

const fn closing(sign: char) -> char {
    match sign {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Words that are none.
fn word(at: usize, token: Token<'_>) -> Option<Slip> {
    if token.kind != Kind::Word {
        return None;
    }
    let span = at..at + token.text.len();
    if let Some(text) = token.text.strip_prefix('\'') {
        let text = text.trim_end_matches('\'');
        return Some(Slip {
            span,
            message: "text stands in double quotes".to_owned(),
            help: format!("write \"{text}\""),
        });
    }
    token.text.starts_with('$').then(|| Slip {
        span,
        message: "a parameter of the graph stands in quotes".to_owned(),
        help: format!("write \"{}\"", token.text),
    })
}

/// Two values, or two entries, with nothing between.
fn missing_comma(
    before: Option<(usize, Token<'_>)>,
    (at, token): (usize, Token<'_>),
    inside: Option<&Bracket>,
) -> Option<Slip> {
    let (start, last) = before?;
    let ended = matches!(last.kind, Kind::Word | Kind::Close);
    if !ended || token.kind != Kind::Word {
        return None;
    }
    let end = start + last.text.len();
    let is_name = last.kind == Kind::Word && inside.is_some_and(|inside| inside.sign == '{' && !inside.named);
    if is_name {
        let message = format!("a colon is missing behind {}", last.text);
        return Some(Slip {
            // A letter can have several bytes.
            span: at..at + token.text.chars().next().map_or(1, char::len_utf8),
            message,
            help: format!("write {}: {}", last.text, token.text),
        });
    }
    Some(Slip {
        span: start..end,
        message: "a comma is missing behind this".to_owned(),
        help: format!("write a comma before {}", token.text),
    })
}

/// A closing bracket that closes something else, or nothing.
fn wrong_close(
    at: usize,
    token: Token<'_>,
    bracket: Option<&Bracket>,
    line: &impl Fn(usize) -> usize,
) -> Option<Slip> {
    let sign = token.text.chars().next()?;
    match bracket {
        None => Some(Slip {
            span: at..at + 1,
            message: format!("this `{sign}` closes nothing"),
            help: "remove it".to_owned(),
        }),
        Some(open) if closing(open.sign) != sign => Some(Slip {
            span: open.at..open.at + 1,
            message: format!("this `{}` is not closed before the `{sign}` of line {}", open.sign, line(at)),
            help: format!("write `{}` where it ends", closing(open.sign)),
        }),
        Some(_) => None,
    }
}

/// What stands where a name is expected, and is none.
fn name(
    at: usize,
    token: Token<'_>,
    after: Option<Token<'_>>,
    inside: &Bracket,
    line: &impl Fn(usize) -> usize,
) -> Option<Slip> {
    if !inside.fresh {
        return None;
    }
    let colon = after.is_some_and(|after| after.kind == Kind::Colon);
    let span = at..at + token.text.len();
    let quoted = token.text.starts_with('"');
    match inside.sign {
        '{' if colon && !quoted && !token.text.starts_with('r') => Some(Slip {
            span,
            message: "names in { } stand in quotes".to_owned(),
            help: format!("write \"{}\":", token.text),
        }),
        '(' if colon && quoted => Some(Slip {
            span: inside.at..inside.at + 1,
            message: format!("this `(` is not closed before the name in quotes of line {}", line(at)),
            help: "write `)` where it ends; or, where that name is a field, leave its quotes out".to_owned(),
        }),
        '(' if inside.named && !colon && token.text.starts_with(|c: char| c.is_ascii_digit()) => Some(Slip {
            span,
            message: "a field's name was expected here".to_owned(),
            help: "decimals follow a point: write 600.5, not 600,5".to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(String, String)> {
        let line = |at: usize| 1 + text[..at].matches('\n').count();
        slip(text, line).map(|slip| (text[slip.span.clone()].to_owned(), slip.message + "; " + &slip.help))
    }

    #[test]
    fn slips_are_told_where_they_are() {
        let cases = [
            ("{ hills: Perlin() }", "hills", "names in { } stand in quotes; write \"hills\":"),
            ("{ 'hills': Perlin() }", "'hills'", "text stands in double quotes; write \"hills\""),
            (
                "(a: 600,5)",
                "5",
                "a field's name was expected here; decimals follow a point: write 600.5, not 600,5",
            ),
            ("(a: $talus)", "$talus", "a parameter of the graph stands in quotes; write \"$talus\""),
            ("(a: 1\n b: 2)", "1", "a comma is missing behind this; write a comma before b"),
            (
                "{ \"a\": P(),\n \"b\": Q()\n \"c\": R() }",
                ")",
                "a comma is missing behind this; write a comma before \"c\"",
            ),
            ("{ \"a\" P() }", "P", "a colon is missing behind \"a\"; write \"a\": P"),
            ("{ \"a\" é() }", "é", "a colon is missing behind \"a\"; write \"a\": é"),
            (
                "{ \"a\": P(k: 1,\n \"b\": Q() }",
                "(",
                "this `(` is not closed before the name in quotes of line 2; write `)` where it ends; or, where that name is a field, leave its quotes out",
            ),
            (
                "{ \"a\": P(k: 1 }",
                "(",
                "this `(` is not closed before the `}` of line 1; write `)` where it ends",
            ),
            ("(a: 1))", ")", "this `)` closes nothing; remove it"),
            ("(a: [1, 2)", "[", "this `[` is not closed before the `)` of line 1; write `]` where it ends"),
            (
                "(a: 1",
                "(",
                "this `(` is not closed; write `)` where it ends; or was the file not saved whole?",
            ),
        ];
        for (text, span, message) in cases {
            assert_eq!(told(text), Some((span.to_owned(), message.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_is_ron_has_none() {
        for text in [
            "Graph(size: (65, 65), nodes: { \"a\": P(k: [1, 2], m: Some(3), t: (1.5, -2.0)), }, /* ' */)",
            "{ \"it's\": r#\"$x\"#, \"b\": None }",
            "[(1, 2), (3, 4)]",
            "",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
