//! All mistakes of a graph, rendered with the lines around them.

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan};

use super::diagnostic::Diagnostic;
use super::excerpt::Excerpt;
use super::source::{Cursor, printable};

/// The maximum number of mistakes that are rendered. Further mistakes get no "did you mean", because this
/// would take a search of all names.
pub const MAX_RENDERED: usize = 100;

/// All mistakes of a graph, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Renders the mistakes for a terminal: each with its line, a caret and a help line.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
        let mut out = String::new();
        let mut lines: Option<Cursor<'_>> = None;
        for diagnostic in self.0.iter().take(MAX_RENDERED) {
            let excerpt = diagnostic.place.as_ref().map(|(source, span)| {
                let place = Cursor::of(&mut lines, source).line_column(span.start);
                Excerpt::new(source, span, place)
            });
            let [message, help, label] = [&diagnostic.message, &diagnostic.help, &diagnostic.label]
                .map(|text| printable(text).into_owned());
            // Writing to a String cannot fail.
            let _infallible = handler.render_report(&mut out, &Drawn { message, help, label, excerpt });
        }
        if self.0.len() > MAX_RENDERED {
            out += &format!("{} more mistakes not shown\n", self.0.len() - MAX_RENDERED);
        }
        out
    }

    /// Each mistake as JSON, as [`Diagnostic::to_json`] writes it. Takes time O(mistakes + text) if the
    /// mistakes are in the order of the text.
    pub fn to_json(&self) -> impl Iterator<Item = serde_json::Value> + '_ {
        let mut cursor: Option<Cursor<'_>> = None;
        self.0.iter().map(move |diagnostic| {
            let place = diagnostic
                .place
                .as_ref()
                .map(|(source, span)| Cursor::of(&mut cursor, source).line_column(span.start));
            diagnostic.json(place)
        })
    }

    /// `Ok` if there are no mistakes.
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

/// A diagnostic for miette, without terminal control characters.
#[derive(Debug)]
struct Drawn {
    message: String,
    help: String,
    label: String,
    excerpt: Option<Excerpt>,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Drawn {}

impl miette::Diagnostic for Drawn {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let marked = self.excerpt.as_ref()?.marked();
        let label = (!self.label.is_empty()).then(|| self.label.clone());
        Some(Box::new(std::iter::once(LabeledSpan::new_primary_with_span(label, marked))))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn miette::SourceCode)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use super::*;
    use crate::report::SourceText;

    #[test]
    fn terminal_control_characters_in_a_graph_are_replaced() {
        let text = "Graph(\u{9b}2J\u{1b}]0;title\u{7}, \"é\")";
        assert_eq!(printable(text), "Graph(¿2J?]0;title?, \"é\")");
        assert_eq!(printable(text).len(), text.len());
        let text = "a\u{202e}b\u{2066}c\u{200f}d\u{2028}e\u{7f}f\u{61c}g";
        assert_eq!(printable(text), "a？b？c？d？e?f¿g");
        assert_eq!(printable(text).len(), text.len());
        assert!(matches!(printable("a\tb\r\n"), Cow::Borrowed(_)));
        let source = Arc::new(SourceText { name: "a\u{1b}.ron".to_owned(), text: text.into() });
        let drawn =
            Diagnostics(vec![Diagnostic::at(&source, 9..12, "no \u{1b}[31m", "mend \u{7}")]).render(false);
        assert!(!drawn.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{drawn:?}");
    }

    #[test]
    fn positions_in_any_order_are_correct() {
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
    fn at_most_a_hundred_mistakes_are_rendered() {
        let many = Diagnostics(vec![Diagnostic::nowhere("wrong", ""); 250]);
        let drawn = many.render(false);
        assert_eq!(drawn.matches("wrong").count(), 100);
        assert!(drawn.ends_with("150 more mistakes not shown\n"), "{drawn}");
    }
}
