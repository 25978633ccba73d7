//! Mistakes in fields.

use std::ops::Range as Span;

/// A mistake in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Where; `None` is the node as a whole.
    pub span: Option<Span<usize>>,
    /// What is wrong.
    pub message: String,
    /// What was expected, and what to do.
    pub help: String,
    /// A stable name of this sort of mistake, such as `unknown-field`.
    pub code: &'static str,
    /// What mends it in the place of what stands there, where there is one such text.
    pub fix: Option<String>,
}

impl FieldError {
    /// A mistake at a place, or of the whole.
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
