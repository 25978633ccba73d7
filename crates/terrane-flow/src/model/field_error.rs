//! Mistakes in fields.

use std::ops::Range as Span;

/// A mistake in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The position; `None` for the node as a whole.
    pub span: Option<Span<usize>>,
    /// What is wrong.
    pub message: String,
    /// What was expected, and what to do.
    pub help: String,
    /// A stable name for this kind of mistake, such as `unknown-field`.
    pub code: &'static str,
    /// The text that corrects the mistake if it replaces the span. `None` if there is no such text, or more
    /// than one.
    pub fix: Option<String>,
}

impl FieldError {
    /// A mistake at a position, or in the whole node.
    #[must_use]
    pub fn new(
        code: &'static str,
        span: Option<Span<usize>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { span, message: message.into(), help: help.into(), code, fix: None }
    }
}
