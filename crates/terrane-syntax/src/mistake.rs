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

impl Mistake {
    pub(crate) fn new(
        code: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { code, span, message: message.into(), label: label.into(), help: help.into(), fix: None }
    }

    /// The mistake with the change that mends it.
    pub(crate) fn fixed_by(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.fix = Some(Edit { span, text: text.into() });
        self
    }
}
