//! Mutations of RON, JSON, CSV and XML texts by words, quotations, numbers and brackets. Most results are
//! still well formed.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::mutate::Rng;

/// Numbers that provoke arithmetic errors, as written in texts.
const NUMBERS: [&str; 30] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "3",
    "1e308",
    "-1e308",
    "1e309",
    "1e-320",
    "5e-324",
    "1e39",
    "1e-46",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "inf",
    "-inf",
    "NaN",
    "0xff",
    "1_000",
    "1e",
    "+1",
];

/// Insertions between two tokens.
const PIECES: [&str; 26] = [
    "\"$p\"",
    "\"$\"",
    "$p",
    ",",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "//",
    "/*",
    "*/",
    "r#\"",
    "\"#",
    "Some(1)",
    "None",
    "()",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "é\u{301}\u{1f5fb}\u{202e}",
];

/// Blanks and comments that are allowed anywhere.
const BLANKS: [&str; 8] = [" ", "\n", "\r\n", "\t", "\n\n\n", "// note\n", "/* a /* note */ */", "\u{85}"];

/// Initial texts, and the words in them.
pub struct Corpus {
    texts: Vec<String>,
    words: Vec<String>,
}

impl Corpus {
    /// A corpus; `more` are additional words that no text contains.
    pub fn new(texts: Vec<String>, more: impl IntoIterator<Item = String>) -> Self {
        let mut words: BTreeSet<String> = more.into_iter().collect();
        for text in &texts {
            let named = split(text)
                .into_iter()
                .filter(|token| token.starts_with(|c: char| c == '"' || c.is_alphanumeric()));
            words.extend(named.filter(|token| token.len() < 80).map(str::to_owned));
        }
        Self { texts, words: words.into_iter().collect() }
    }

    /// One of the texts, more often a short one.
    pub fn text(&self, rng: &mut Rng) -> &str {
        let (one, other): (&String, &String) = (rng.pick(&self.texts), rng.pick(&self.texts));
        if one.len() < other.len() { one } else { other }
    }

    /// One of the words.
    pub fn word(&self, rng: &mut Rng) -> &str {
        self.words.get(rng.below(self.words.len())).map_or("x", String::as_str)
    }

    /// A text, mutated by tokens, mutated by bytes, or unchanged.
    pub fn mutated(&self, rng: &mut Rng) -> String {
        let text = self.text(rng);
        let mut text = if rng.one_in(8) { text.to_owned() } else { self.by_tokens(rng, text) };
        if rng.one_in(6) {
            let mut bytes = text.into_bytes();
            let other = self.text(rng).as_bytes();
            super::mutate::bytes(rng, &mut bytes, other);
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        text
    }

    /// A text with tokens changed at a few positions.
    pub fn by_tokens(&self, rng: &mut Rng, text: &str) -> String {
        let mut tokens: Vec<Cow<'_, str>> = split(text).into_iter().map(Cow::Borrowed).collect();
        for _ in 0..rng.few(6) {
            if !tokens.is_empty() {
                self.once(rng, &mut tokens);
            }
        }
        tokens.concat()
    }

    fn once<'a>(&'a self, rng: &mut Rng, tokens: &mut Vec<Cow<'a, str>>) {
        let at = rng.below(tokens.len());
        match rng.below(20) {
            0..=4 => {
                let at = next(tokens, at, is_number);
                tokens[at] = Cow::Borrowed(*rng.pick(&NUMBERS));
            }
            5..=7 => {
                let at = next(tokens, at, is_word);
                tokens[at] = Cow::Borrowed(self.word(rng));
            }
            8 => {
                tokens.remove(at);
            }
            9 => tokens.insert(at, tokens[at].clone()),
            10 => {
                let other = rng.below(tokens.len());
                tokens.swap(at, other);
            }
            11 => tokens.insert(at, Cow::Borrowed(*rng.pick(&PIECES))),
            12 => tokens.insert(at, Cow::Borrowed(*rng.pick(&BLANKS))),
            13 => {
                let at = next(tokens, at, |token| is_word(token) || is_number(token));
                tokens[at] = Cow::Borrowed(if rng.one_in(2) { "\"$p\"" } else { *rng.pick(&PIECES) });
            }
            14 => {
                tokens.drain(group(tokens, at));
            }
            15 => {
                let copy = tokens[group(tokens, at)].to_vec();
                tokens.splice(at..at, copy);
            }
            16 | 17 => {
                let other = split(self.text(rng));
                let taken: Vec<Cow<'_, str>> = other.into_iter().map(Cow::Borrowed).collect();
                let taken = taken[group(&taken, rng.below(taken.len()))].to_vec();
                let end = if rng.one_in(2) { at } else { group(tokens, at).end };
                tokens.splice(at..end, taken);
            }
            18 => nest(rng, tokens, at),
            _ => {
                let text = tokens[at].clone();
                tokens[at] = Cow::Owned(inside(rng, &text));
            }
        }
    }
}

/// Nests a token in brackets, usually a few, occasionally more than a parser's stack can hold.
fn nest(rng: &mut Rng, tokens: &mut [Cow<'_, str>], at: usize) {
    let depth = *rng.pick(&[1, 2, 5, 50, 130, 300, 20_000]);
    let (open, close) =
        *rng.pick(&[("(", ")"), ("[", "]"), ("{", "}"), ("Some(", ")"), ("{\"a\":", "}"), ("/*", "*/")]);
    let close = if rng.one_in(8) { "" } else { close };
    tokens[at] = Cow::Owned(format!("{}{}{}", open.repeat(depth), tokens[at], close.repeat(depth)));
}

/// A token with a letter added, removed or replaced.
fn inside(rng: &mut Rng, token: &str) -> String {
    let mut letters: Vec<char> = token.chars().collect();
    let at = rng.below(letters.len());
    let new = *rng.pick(&[
        'a',
        'A',
        '0',
        '9',
        '.',
        '-',
        '_',
        '/',
        '$',
        '"',
        '\\',
        '\u{7f}',
        '\u{1b}',
        'é',
        '\u{10ffff}',
    ]);
    match rng.below(4) {
        0 if !letters.is_empty() => {
            letters.remove(at);
        }
        1 if !letters.is_empty() => letters[at] = new,
        2 => return token.repeat(*rng.pick(&[2, 3, 100])),
        _ => letters.insert(at, new),
    }
    letters.into_iter().collect()
}

/// The first wanted token from a position on; if there is none, the one at the position.
fn next(tokens: &[Cow<'_, str>], at: usize, wanted: impl Fn(&str) -> bool) -> usize {
    tokens[at..].iter().position(|token| wanted(token)).map_or(at, |found| at + found)
}

fn is_number(token: &str) -> bool {
    token.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit())
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c == '"' || c.is_alphabetic())
}

/// A token; if it opens a bracket or is followed by one, everything up to the closing bracket.
fn group(tokens: &[Cow<'_, str>], at: usize) -> std::ops::Range<usize> {
    let opens = |token: &str| matches!(token, "(" | "[" | "{");
    let start = if tokens.get(at + 1).is_some_and(|token| opens(token)) && is_word(&tokens[at]) {
        at + 1
    } else {
        at
    };
    if !opens(&tokens[start]) {
        return at..at + 1;
    }
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        if opens(token) {
            depth += 1;
        } else if matches!(&**token, ")" | "]" | "}") {
            depth -= 1;
        }
        if depth == 0 {
            return at..index + 1;
        }
    }
    at..tokens.len()
}

/// Splits a text into words, numbers, quotations, blanks and comments; everything else into letters.
fn split(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = |inside: fn(char) -> bool| rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let length = match first {
            '"' => quoted(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            c if c.is_whitespace() => end(char::is_whitespace),
            c if c.is_ascii_digit() || c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                let digits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
                1 + rest[1..].find(|c| !digits(c)).unwrap_or(rest.len() - 1)
            }
            c if c.is_alphabetic() => end(|c| c.is_alphanumeric() || c == '_'),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_together_are_the_text_and_groups_end_at_their_brackets() {
        let text = "Graph(size: (1, -2.5e-3), // why\n \"a\\\"b\": Bé([\"x]\"]), /";
        let tokens = split(text);
        assert_eq!(tokens.concat(), text);
        assert!(tokens.contains(&"\"a\\\"b\"") && tokens.contains(&"-2.5e") && tokens.contains(&"// why"));
        let tokens: Vec<Cow<'_, str>> = split("a, B(c, [d]), e").into_iter().map(Cow::Borrowed).collect();
        assert_eq!(tokens[group(&tokens, 3)].concat(), "B(c, [d])");
        assert_eq!(tokens[group(&tokens, 0)].concat(), "a");
    }

    #[test]
    fn inputs_differ_and_are_reproducible() {
        let corpus = Corpus::new(vec!["A(b: 1, c: \"d\")".to_owned()], ["E".to_owned()]);
        let input = |number| corpus.mutated(&mut Rng::new(1, "t", number));
        let all: BTreeSet<String> = (0..200).map(input).collect();
        assert!(all.len() > 120, "{}", all.len());
        assert_eq!(input(7), input(7));
    }
}
