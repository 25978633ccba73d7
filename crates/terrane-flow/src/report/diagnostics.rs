//! All mistakes of a graph, drawn where they stand.

use std::fmt;
use std::sync::Arc;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan};

use super::diagnostic::Diagnostic;
use super::source::{Cursor, SourceText, printable};

/// So many mistakes are drawn; beyond, none is helped with names that are near, which costs a look at all names.
pub const DRAWN: usize = 100;

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
    use std::borrow::Cow;

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
