//! Excerpts: the lines around a mistake, for rendering.

use std::ops::Range as Span;

use super::source::{SourceText, printable};

/// The maximum length in bytes of a line that is shown whole. Of a longer line, only the part around the
/// mistake is shown.
const MAX_LINE: usize = 240;

/// The maximum number of bytes that are marked. Of a longer mistake, the beginning is marked.
const MAX_MARKED: usize = 80;

/// The lines around a mistake. The rest of the text is not read, however large it is.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    /// The shown part of the source. Control characters are replaced, but the number of bytes is the same.
    shown: String,
    /// The position in the source at which the shown part begins.
    start: usize,
    /// The marked bytes, as positions in the source.
    marked: Span<usize>,
    /// Line and column of the mistake, from 1.
    place: (usize, usize),
}

impl Excerpt {
    /// The lines around a span with a known line and column.
    pub fn new(source: &SourceText, span: &Span<usize>, place: (usize, usize)) -> Self {
        let text = &*source.text;
        let start = text.floor_char_boundary(span.start);
        let marked = start..text.ceil_char_boundary(span.end.min(start + MAX_MARKED)).max(start);
        let part = lines(text, &marked).unwrap_or_else(|| window(text, &marked));
        Self {
            name: printable(&source.name).into_owned(),
            shown: printable(&text[part.clone()]).into_owned(),
            start: part.start,
            marked,
            place,
        }
    }

    /// The marked bytes, as positions in the whole text.
    pub fn marked(&self) -> Span<usize> {
        self.marked.clone()
    }
}

/// For miette. It requests the marked bytes alone, and also with the lines around them.
impl miette::SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let (line, column) = (self.place.0 - 1, self.place.1 - 1);
        let own = self.marked.start - self.start..self.marked.end - self.start;
        let before_it = self.shown.get(..own.start).unwrap_or_default();
        let (part, line, column) = if before + after == 0 {
            (own, line, column)
        } else {
            let line = line.saturating_sub(before_it.matches('\n').count());
            let column = if before_it.contains('\n') { 0 } else { column };
            (0..self.shown.len(), line, column.saturating_sub(before_it.chars().count()))
        };
        let data = self.shown.as_bytes().get(part.clone()).unwrap_or_default();
        let place = (self.start + part.start, data.len()).into();
        let breaks = data.iter().filter(|&&byte| byte == b'\n').count();
        let name = self.name.clone();
        Ok(Box::new(miette::MietteSpanContents::new_named(name, data, place, line, column, breaks)))
    }
}

/// The lines that a span touches, with one line before and one line after. `None` if any of these lines is
/// too long.
fn lines(text: &str, span: &Span<usize>) -> Option<Span<usize>> {
    let last = text.floor_char_boundary(span.end.saturating_sub(1)).max(span.start);
    let (first, own_end) = (line_start(text, span.start)?, line_end(text, last)?);
    let from = first.checked_sub(1).map_or(Some(0), |before| line_start(text, before))?;
    let to = line_end(text, own_end)?;
    let is_short = text[from..to].split('\n').all(|line| line.len() <= MAX_LINE);
    is_short.then_some(from..to)
}

/// The start of the line that contains a position; `None` if the line is longer than [`MAX_LINE`].
fn line_start(text: &str, at: usize) -> Option<usize> {
    let near = text.floor_char_boundary(at.saturating_sub(MAX_LINE + 1));
    let found = text[near..at].rfind('\n').map(|newline| near + newline + 1);
    found.or((near == 0).then_some(0))
}

/// The start of the next line, or the end of the text; `None` if the line is longer than [`MAX_LINE`].
fn line_end(text: &str, at: usize) -> Option<usize> {
    let near = text.ceil_char_boundary((at + MAX_LINE + 1).min(text.len()));
    let found = text[at..near].find('\n').map(|newline| at + newline + 1);
    found.or((near == text.len()).then_some(near))
}

/// The part of a long line around a span.
fn window(text: &str, span: &Span<usize>) -> Span<usize> {
    const AROUND: usize = 40;
    let near = text.ceil_char_boundary(span.start.saturating_sub(AROUND));
    let from = text[near..span.start].rfind('\n').map_or(near, |newline| near + newline + 1);
    let near = text.floor_char_boundary((span.end + AROUND).min(text.len())).max(span.start);
    let to = text[span.start..near].find('\n').map_or(near, |newline| span.start + newline);
    from..to
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::report::{Diagnostic, Diagnostics, SourceText};

    fn drawn(text: &str, at: &str) -> String {
        let source = Arc::new(SourceText { name: "g.ron".to_owned(), text: text.into() });
        let start = text.find(at).unwrap();
        Diagnostics(vec![Diagnostic::at(&source, start..start + at.len(), "wrong", "")]).render(false)
    }

    #[test]
    fn columns_are_counted_in_characters() {
        for (text, place) in [
            ("a\n  \"é—\": x1,\nb", "g.ron:2:9"),
            ("\u{feff}é x1", "g.ron:1:3"),
            ("é\r\nx1\r\n", "g.ron:2:1"),
            (&("é".repeat(300) + "x1" + &"y".repeat(300)), "g.ron:1:301"),
        ] {
            let drawn = drawn(text, "x1");
            assert!(drawn.contains(&format!("[{place}]")), "{drawn}");
            let (line, mark) = (drawn.lines().position(|l| l.contains("x1")).unwrap(), drawn.contains("──"));
            assert!(mark && drawn.lines().nth(line + 1).unwrap().contains("──"), "{drawn}");
        }
    }

    #[test]
    fn one_line_before_and_one_after_are_shown() {
        let drawn = drawn("l1\nl2\nl3 x\nl4\nl5", "x");
        let shown: Vec<&str> = drawn.lines().filter(|line| line.contains(" │ ")).map(str::trim).collect();
        assert_eq!(shown, ["2 │ l2", "3 │ l3 x", "4 │ l4"]);
    }

    #[test]
    fn any_span_of_any_text_is_rendered() {
        let long = "é".repeat(500);
        for text in
            ["", "\n", "\n\n\n", "é", "a\rb", "a\r\n\r\nb", &long, &format!("x\n{long}\ny"), "\u{9b}é\u{7}"]
        {
            let source = Arc::new(SourceText { name: String::new(), text: text.into() });
            for (start, end) in
                (0..text.len() + 3).flat_map(|start| [0, 1, 5, 2000].map(|n| (start, start + n)))
            {
                let wrong = Diagnostics(vec![Diagnostic::at(&source, start..end, "wrong", "")]);
                let drawn = wrong.render(false);
                assert!(
                    drawn.contains("wrong") && !drawn.contains("Failed"),
                    "{text:?} {start}..{end} {drawn}"
                );
                assert!(!drawn.contains(['\u{9b}', '\u{7}']), "{drawn:?}");
            }
        }
    }
}
