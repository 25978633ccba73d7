//! Limits on XML texts, checked before they are parsed: lists that the parser processes in quadratic time.

use std::{collections::BTreeSet, fmt};

/// The maximum number of attributes per element. Each attribute is compared with all previous ones (roxmltree
/// 0.21.2, parse.rs); drawings have a few dozen.
const MAX_ATTRIBUTES: usize = 256;

/// The maximum number of names of namespaces. An element that declares one copies all that are declared
/// around it, and compares each with all others (roxmltree 0.21.2, parse.rs); drawings have about ten.
const MAX_NAMESPACES: usize = 64;

/// The longest name of a namespace that is told from others.
const LONGEST_NAME: usize = 100;

/// Why a text is not parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heavy {
    /// What there is too much of.
    pub what: String,
    /// What to do about it.
    pub remedy: &'static str,
    /// The line and column, counted from 1.
    pub at: (usize, usize),
}

impl fmt::Display for Heavy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at line {}, column {}", self.what, self.at.0, self.at.1)
    }
}

/// Refuses a text that takes long to parse.
pub(crate) fn check(text: &str) -> Result<(), Heavy> {
    check_attributes(text)?;
    check_namespaces(text)
}

/// Refuses elements with too many attributes.
///
/// An element's tag ends before the next `<`, which no value may contain, so tags are found without parsing.
/// Tags in comments and in the text of entities count, too.
fn check_attributes(text: &str) -> Result<(), Heavy> {
    let mut start = 0;
    while let Some(found) = text[start..].find('<') {
        start += found;
        let tag = &text[start + 1..];
        let tag = tag.split_once('<').map_or(tag, |(tag, _)| tag);
        // Most tags are too short to have too many attributes.
        if tag.len() > MAX_ATTRIBUTES && !tag.starts_with(['!', '?', '/']) && attributes(tag) > MAX_ATTRIBUTES
        {
            return Err(Heavy {
                what: format!("an element has more than {MAX_ATTRIBUTES} attributes"),
                remedy: "remove attributes that the file does not need",
                at: position(text, start),
            });
        }
        start += 1 + tag.len();
    }
    Ok(())
}

/// Refuses too many names of namespaces, wherever in the text they are.
fn check_namespaces(text: &str) -> Result<(), Heavy> {
    let mut names = BTreeSet::new();
    for (start, _) in text.match_indices("xmlns") {
        let rest = &text.as_bytes()[start..];
        let ends = |byte: &u8| matches!(byte, b'=' | b'>' | b'<') || byte.is_ascii_whitespace();
        let length = rest.iter().take(LONGEST_NAME).position(ends).unwrap_or(LONGEST_NAME);
        names.insert(&rest[..length.min(rest.len())]);
        if names.len() > MAX_NAMESPACES {
            return Err(Heavy {
                what: format!("there are more than {MAX_NAMESPACES} names of namespaces"),
                remedy: "remove namespaces that the file does not need",
                at: position(text, start),
            });
        }
    }
    Ok(())
}

/// The number of equals signs outside quotes before the tag ends.
fn attributes(tag: &str) -> usize {
    let (mut quote, mut count) = (None, 0);
    for byte in tag.bytes() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => count += 1,
            (None, b'>') => break,
            (None, _) => {}
        }
    }
    count
}

/// The line and column of a byte, counted from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or(before);
    (1 + before.bytes().filter(|byte| *byte == b'\n').count(), 1 + line.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_namespaces_are_limited_wherever_they_are() {
        let nested = |count: usize| -> String {
            (0..count).map(|i| format!("<a xmlns:n{i} = \"u{i}\">\n")).chain(["</a>".repeat(count)]).collect()
        };
        assert_eq!(check(&nested(64)), Ok(()));
        let heavy = check(&nested(65)).unwrap_err();
        assert_eq!((heavy.what.as_str(), heavy.at), ("there are more than 64 names of namespaces", (65, 4)));
        // One name may be declared often, as programs do that join fragments.
        assert_eq!(check(&"<path xmlns=\"u\" d=\"M0 0\"/>".repeat(5000)), Ok(()));
        assert_eq!(check("<a xmlns"), Ok(()));
    }

    #[test]
    fn attributes_are_limited() {
        let of = |count: usize| {
            let all: String = (0..count).map(|i| format!(" a{i}='=>'")).collect();
            check(&format!("<?xml version='1.0'?>\n <a{all}/>"))
        };
        assert_eq!(of(256), Ok(()));
        assert_eq!(of(257).unwrap_err().at, (2, 2));
    }
}
