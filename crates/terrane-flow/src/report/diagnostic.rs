//! A single mistake.

use std::ops::Range as Span;
use std::sync::Arc;

use terrane_syntax::{Edit, Mistake, shortened};

use super::source::SourceText;

/// A mistake, with its position and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The text that contains the mistake, and the position in the text. `None` for graphs built in code and
    /// for the command line.
    pub place: Option<(Arc<SourceText>, Span<usize>)>,
    /// What is wrong.
    pub message: String,
    /// What was expected, and what to do.
    pub help: String,
    /// A stable name for this kind of mistake, such as `missing-comma`; empty if it has none.
    pub code: &'static str,
    /// A few words about the position. They are shown at the caret below it.
    pub label: String,
    /// The edit that corrects the mistake, if there is exactly one such edit.
    pub fix: Option<Edit>,
}

/// The longest word of a message. Paths are long.
const MAX_WORD: usize = 400;

impl Diagnostic {
    /// A mistake, with or without a position.
    #[must_use]
    pub fn new(
        place: Option<(Arc<SourceText>, Span<usize>)>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (message, help) = (shortened(message.into(), MAX_WORD), shortened(help.into(), MAX_WORD));
        Self { place, message, help, code: "", label: String::new(), fix: None }
    }

    /// A syntax mistake in a text.
    #[must_use]
    pub fn of(source: &Arc<SourceText>, mistake: &Mistake) -> Self {
        Self {
            code: mistake.code,
            label: mistake.label.clone(),
            fix: mistake.fix.clone(),
            ..Self::at(source, mistake.span.clone(), &*mistake.message, &*mistake.help)
        }
    }

    /// A mistake at a position in a text.
    #[must_use]
    pub fn at(
        source: &Arc<SourceText>,
        span: Span<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::new(Some((Arc::clone(source), span)), message, help)
    }

    /// Sets the stable name of this kind of mistake.
    #[must_use]
    pub fn coded(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// Sets the edit that corrects the mistake: `text` replaces the span of the mistake.
    #[must_use]
    pub fn mended_by(self, text: Option<String>) -> Self {
        let span = self.place.as_ref().map(|(_, span)| span.clone());
        let fix = text.zip(span).map(|(text, span)| Edit { span, text });
        Self { fix: fix.or(self.fix), ..self }
    }

    /// A mistake without a position.
    #[must_use]
    pub fn nowhere(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(None, message, help)
    }

    /// `file:line:column`, if the mistake has a position.
    #[must_use]
    pub fn location(&self) -> Option<String> {
        let (source, span) = self.place.as_ref()?;
        let (line, column) = source.line_column(span.start);
        Some(format!("{}:{line}:{column}", source.name))
    }

    /// The mistake as JSON: `file`, `line`, `column`, `message`, `help`, `code` and `fix`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        self.json(self.place.as_ref().map(|(source, span)| source.line_column(span.start)))
    }

    pub(crate) fn json(&self, place: Option<(usize, usize)>) -> serde_json::Value {
        serde_json::json!({
            "file": self.place.as_ref().map(|(source, _)| &source.name),
            "line": place.map(|(line, _)| line),
            "column": place.map(|(_, column)| column),
            "message": self.message,
            "help": self.help,
            "code": self.code,
            "fix": self.fix.as_ref().map(|fix| {
                serde_json::json!({ "start": fix.span.start, "end": fix.span.end, "text": fix.text })
            }),
        })
    }
}
