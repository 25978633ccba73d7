//! Mistakes in a text, as data.

use std::ops::Range;

/// The maximum number of reported mistakes in tokens. The same limit applies separately to mistakes in nodes.
/// A text with more mistakes is not a graph.
pub const MAX_MISTAKES: usize = 25_000;

/// A mistake at a position in a text, and how to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// A stable name for this kind of mistake, such as `missing-comma`.
    pub code: &'static str,
    /// The affected bytes: at least one, unless the text is empty.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// A few words about the span, for the caret below it.
    pub label: String,
    /// What to do.
    pub help: String,
    /// The edit that corrects it, if there is exactly one.
    pub fix: Option<Edit>,
}

/// Whether the place of a mistake is a guess, so that what follows it may be read as something else.
#[must_use]
pub fn is_guess(code: &str) -> bool {
    let brackets = ["open-bracket", "stray-bracket", "wrong-bracket", "missing-open", "after-the-end"];
    brackets.contains(&code) || ["open-quote", "missing-quote", "open-comment"].contains(&code)
}

/// What is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// An edit of a text: replaces some bytes by others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced; empty for an insertion.
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// The edit that turns a text into another one: what is between their common beginning and end.
    #[must_use]
    pub fn between(before: &str, after: &str) -> Self {
        let start = before
            .char_indices()
            .zip(after.chars())
            .find(|((_, a), b)| a != b)
            .map_or(before.len().min(after.len()), |((at, _), _)| at);
        let (old, new) = (&before[start..], &after[start..]);
        let common: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        let text = new[..new.len() - common].to_owned();
        Self { span: start..before.len() - common, text }
    }
}

impl Problem {
    /// A problem and its solution.
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
        let shortened = |text: String| shortened(text, MAX_WORD);
        let (message, label, help) =
            (shortened(message.into()), shortened(label.into()), shortened(help.into()));
        Self { code, span, message, label, help, fix: None }
    }

    /// Adds the edit that corrects the mistake.
    pub(crate) fn fixed_by(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.fix = Some(Edit { span, text: text.into() });
        self
    }
}

/// The longest word of a syntax mistake's message.
const MAX_WORD: usize = 60;

/// Cuts words of a message that have more than so many characters, to keep the message readable.
#[must_use]
pub fn shortened(message: String, most: usize) -> String {
    if message.len() <= most {
        return message;
    }
    let mut out = String::new();
    for (at, word) in message.split(' ').enumerate() {
        out.push_str(if at > 0 { " " } else { "" });
        match word.char_indices().nth(most) {
            None => out.push_str(word),
            Some((end, _)) => {
                out.push_str(&word[..end]);
                out.push_str("...");
                // A quoted word keeps its closing quote.
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
