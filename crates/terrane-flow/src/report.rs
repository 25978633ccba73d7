//! Mistakes in graphs, drawn where they stand.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range as Span;
use std::sync::Arc;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan};
use terrane_syntax::{Edit, Mistake};

/// The text of a graph file.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file's name as the user gave it.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// So many mistakes are drawn; beyond, none is helped with names that are near, which costs a look at all names.
pub const DRAWN: usize = 100;

/// A text without what would drive a terminal: control characters but for line breaks and tabs become question marks of as many bytes.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let drives = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(drives) {
        return Cow::Borrowed(text);
    }
    // Beyond ASCII control characters have two bytes.
    let shown = |c: char| match c {
        c if !drives(c) => c,
        c if c.is_ascii() => '?',
        _ => '¿',
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Longer lines are shown only around the mistake.
const LONGEST_LINE: usize = 240;

impl SourceText {
    /// The text as it can be shown, with every place where it was.
    fn printable(self: &Arc<Self>) -> Arc<Self> {
        match (printable(&self.name), printable(&self.text)) {
            (Cow::Borrowed(_), Cow::Borrowed(_)) => Arc::clone(self),
            (name, text) => Arc::new(Self { name: name.into_owned(), text: text.into() }),
        }
    }

    /// The part of a long line around a span.
    fn window<'a>(&'a self, span: &miette::SourceSpan) -> Box<dyn miette::SpanContents<'a> + 'a> {
        const AROUND: usize = 40;
        let (start, end) = (span.offset(), (span.offset() + span.len()).min(span.offset() + 2 * AROUND));
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let from = self.text.ceil_char_boundary(start.saturating_sub(AROUND).max(line_start));
        let to = self.text.floor_char_boundary((end + AROUND).min(line_end)).max(from);
        let (line, column) = self.line_column(from);
        Box::new(miette::MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[from..to],
            (from, to - from).into(),
            line - 1,
            column - 1,
            1,
        ))
    }
}

/// Named text for miette, which reads lines around a span from it.
impl miette::SourceCode for SourceText {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        if inner.data().split(|byte| *byte == b'\n').any(|line| line.len() > LONGEST_LINE) {
            return Ok(self.window(span));
        }
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

impl SourceText {
    /// Where `part` stands, when it is a slice of this text.
    #[must_use]
    pub fn span_of(&self, part: &str) -> Span<usize> {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if start <= self.text.len() && start + part.len() <= self.text.len() {
            start..start + part.len()
        } else {
            0..0
        }
    }

    /// The first character: where something is that concerns the whole text.
    #[must_use]
    pub fn beginning(&self) -> Span<usize> {
        0..self.text.chars().next().map_or(0, char::len_utf8)
    }

    /// Line and column, from 1, of a byte offset; the column counts characters.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = &before[line_start..];
        // A byte order mark in front is no character of the first line.
        let line = if line_start == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The text it is in, and where; `None` for a graph built in code and for the command line.
    pub place: Option<(Arc<SourceText>, Span<usize>)>,
    /// What is wrong.
    pub message: String,
    /// What was expected, and what to do.
    pub help: String,
    /// A stable name of this sort of mistake, such as `missing-comma`; empty where there is none yet.
    pub code: &'static str,
    /// What the place is, in a few words, for the caret below it.
    pub label: String,
    /// The change of the text that mends it, where there is exactly one.
    pub fix: Option<Edit>,
}

impl Diagnostic {
    /// A mistake at a place, or at none.
    #[must_use]
    pub fn new(
        place: Option<(Arc<SourceText>, Span<usize>)>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (message, help) = (message.into(), help.into());
        Self { place, message, help, code: "", label: String::new(), fix: None }
    }

    /// A mistake of a text.
    #[must_use]
    pub fn of(source: &Arc<SourceText>, mistake: &Mistake) -> Self {
        Self {
            code: mistake.code,
            label: mistake.label.clone(),
            fix: mistake.fix.clone(),
            ..Self::at(source, mistake.span.clone(), &*mistake.message, &*mistake.help)
        }
    }

    /// A mistake at a place in a text.
    #[must_use]
    pub fn at(
        source: &Arc<SourceText>,
        span: Span<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::new(Some((Arc::clone(source), span)), message, help)
    }

    /// A mistake without a place.
    #[must_use]
    pub fn nowhere(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(None, message, help)
    }

    /// `file:line:column`, where the mistake has a place.
    #[must_use]
    pub fn location(&self) -> Option<String> {
        let (source, span) = self.place.as_ref()?;
        let (line, column) = source.line_column(span.start);
        Some(format!("{}:{line}:{column}", source.name))
    }

    /// The mistake as JSON: `file`, `line`, `column`, `message`, `help`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        self.json(self.place.as_ref().map(|(source, span)| source.line_column(span.start)))
    }

    fn json(&self, place: Option<(usize, usize)>) -> serde_json::Value {
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

/// A place in a text that moves on: finds lines and columns of many places in order without counting each from the text's beginning.
struct Cursor<'a> {
    source: &'a SourceText,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(source: &'a SourceText) -> Self {
        Self { source, offset: 0, line: 1, column: 1 }
    }

    /// [`SourceText::line_column`].
    fn line_column(&mut self, offset: usize) -> (usize, usize) {
        let offset = self.source.text.floor_char_boundary(offset);
        if offset < self.offset {
            *self = Self::new(self.source);
        }
        for (at, letter) in self.source.text[self.offset..offset].char_indices() {
            if letter == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else if letter != '\u{feff}' || self.offset + at > 0 {
                self.column += 1;
            }
        }
        self.offset = offset;
        (self.line, self.column)
    }
}

/// All mistakes of a graph, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// The mistakes drawn for a terminal: each with its line, a caret and what to do.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
        let mut out = String::new();
        let mut cleaned: Option<(&Arc<SourceText>, Arc<SourceText>)> = None;
        for diagnostic in self.0.iter().take(DRAWN) {
            let place = diagnostic.place.as_ref().map(|(source, span)| {
                let clean = match &cleaned {
                    Some((of, clean)) if Arc::ptr_eq(of, source) => Arc::clone(clean),
                    _ => source.printable(),
                };
                cleaned = Some((source, Arc::clone(&clean)));
                (clean, span.clone())
            });
            let [message, help, label] = [&diagnostic.message, &diagnostic.help, &diagnostic.label]
                .map(|text| printable(text).into_owned());
            let shown = Diagnostic { label, ..Diagnostic::new(place, message, help) };
            // Writing to a String cannot fail.
            let _infallible = handler.render_report(&mut out, &Drawn(&shown));
        }
        if self.0.len() > DRAWN {
            out += &format!("{} more mistakes are not shown\n", self.0.len() - DRAWN);
        }
        out
    }

    /// Each mistake as [`Diagnostic::to_json`] gives it. O(mistakes + text) for mistakes in the order of the text.
    pub fn to_json(&self) -> impl Iterator<Item = serde_json::Value> + '_ {
        let mut cursor: Option<Cursor<'_>> = None;
        self.0.iter().map(move |diagnostic| {
            let place = diagnostic.place.as_ref().map(|(source, span)| {
                let cursor = match &mut cursor {
                    Some(cursor) if std::ptr::eq(cursor.source, &raw const **source) => cursor,
                    other => other.insert(Cursor::new(source)),
                };
                cursor.line_column(span.start)
            });
            diagnostic.json(place)
        })
    }

    /// Nothing is wrong, or else these mistakes.
    ///
    /// # Errors
    /// The mistakes themselves, when there are any.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

/// The text of a file, formatted as [`terrane_syntax::format`] does it; `name` is the file's name in mistakes.
///
/// # Errors
/// The mistakes of the text; it must hold `Type(field: value, ...)`.
pub fn format_text(name: &str, text: &str) -> Result<String, Diagnostics> {
    let source = Arc::new(SourceText { name: name.to_owned(), text: text.into() });
    let parsed = crate::document::Parsed::new(source);
    let mistakes = Diagnostics(parsed.mistakes().collect());
    mistakes.into_result()?;
    parsed.call()?;
    Ok(terrane_syntax::format(&parsed.tree).unwrap_or_default())
}

/// A diagnostic as miette wants it.
#[derive(Debug)]
struct Drawn<'a>(&'a Diagnostic);

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.0.help.is_empty()).then(|| Box::new(&self.0.help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.0.place.as_ref()?;
        // A mistake that fills a page is shown by its beginning.
        let end = span.end.min(span.start + 80).max(span.start);
        Some(Box::new(std::iter::once(LabeledSpan::new_primary_with_span(
            (!self.0.label.is_empty()).then(|| self.0.label.clone()),
            span.start..end,
        ))))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&*self.0.place.as_ref()?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_graph_drives_the_terminal() {
        let text = "Graph(\u{9b}2J\u{1b}]0;title\u{7}, \"é\")";
        assert_eq!(printable(text), "Graph(¿2J?]0;title?, \"é\")");
        assert_eq!(printable(text).len(), text.len());
        assert!(matches!(printable("a\tb\r\n"), Cow::Borrowed(_)));
        let source = Arc::new(SourceText { name: "a\u{1b}.ron".to_owned(), text: text.into() });
        let drawn =
            Diagnostics(vec![Diagnostic::at(&source, 9..12, "no \u{1b}[31m", "mend \u{7}")]).render(false);
        assert!(!drawn.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{drawn:?}");
    }

    #[test]
    fn places_in_any_order_are_those_of_each() {
        let sources = ["a\né\n\nbcd", "\u{1f5fb}\n1"]
            .map(|text| Arc::new(SourceText { name: String::new(), text: text.into() }));
        let mut all = Diagnostics::default();
        for at in [0, 1, 3, 2, 9, 4, 7, 100, 5] {
            all.0.extend(sources.each_ref().map(|source| Diagnostic::at(source, at..at, "", "")));
            all.0.push(Diagnostic::at(&sources[0], at..at, "", ""));
        }
        all.0.push(Diagnostic::nowhere("", ""));
        let each: Vec<_> = all.0.iter().map(Diagnostic::to_json).collect();
        assert_eq!(all.to_json().collect::<Vec<_>>(), each);
    }

    #[test]
    fn a_hundred_mistakes_are_drawn() {
        let many = Diagnostics(vec![Diagnostic::nowhere("wrong", ""); 250]);
        let drawn = many.render(false);
        assert_eq!(drawn.matches("wrong").count(), 100);
        assert!(drawn.ends_with("150 more mistakes are not shown\n"), "{drawn}");
    }
}
