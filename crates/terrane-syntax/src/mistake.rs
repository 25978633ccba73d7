//! A mistake in a text, as data.

use std::ops::Range;

/// Mistakes of a text at most, of its tokens and of its nodes: what has more is something else.
pub const MOST_MISTAKES: usize = 25_000;

/// What is wrong at a place of a text, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// A stable name of this sort of mistake, such as `missing-comma`.
    pub code: &'static str,
    /// The bytes that it is about; at least one, unless the text is empty.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What the span is, in a few words, for the caret below it.
    pub label: String,
    /// What to do.
    pub help: String,
    /// The change that mends it, where there is exactly one.
    pub fix: Option<Edit>,
}

/// What is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// A change of a text: other bytes in the place of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; empty for an insertion.
    pub span: Range<usize>,
    /// What takes their place.
    pub text: String,
}

impl Problem {
    /// A problem and its remedy.
    #[must_use]
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

impl Mistake {
    pub(crate) fn new(
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (message, help) = (shortened(message.into()), shortened(help.into()));
        Self { code, span, message, label: label.into(), help, fix: None }
    }

    /// The mistake with the change that mends it.
    pub(crate) fn fixed_by(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.fix = Some(Edit { span, text: text.into() });
        self
    }
}

/// A message in which long words of the text are cut, so that it can be read.
fn shortened(message: String) -> String {
    const LONGEST_WORD: usize = 60;
    if message.len() <= LONGEST_WORD {
        return message;
    }
    let mut out = String::new();
    for (at, word) in message.split(' ').enumerate() {
        out.push_str(if at > 0 { " " } else { "" });
        match word.char_indices().nth(LONGEST_WORD) {
            None => out.push_str(word),
            Some((end, _)) => {
                out.push_str(&word[..end]);
                out.push_str("...");
                // The sign that closes what the message quotes.
                out.extend(word.chars().last().filter(|sign| matches!(sign, '`' | '"')));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_in_messages_and_whole_in_fixes() {
        let word = "é".repeat(500);
        let mistake =
            Mistake::new("c", 0..1, format!("`{word}` is no name"), "", format!("write \"{word}\""));
        assert_eq!(mistake.message, format!("`{}...` is no name", "é".repeat(59)));
        assert_eq!(mistake.help, format!("write \"{}...\"", "é".repeat(59)));
        assert_eq!(mistake.fixed_by(0..1, &*word).fix.unwrap().text, word);
    }
}
