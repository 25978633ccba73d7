//! A tree of groups as lines.

use super::flat::{Flat, gap};
use super::sheet::{Comment, Group, Item, Part};

/// Columns that a line may have, where it can be broken.
const COLUMNS: usize = 110;
const INDENT: usize = 4;

/// The document as text.
pub fn write(document: &Group<'_>, line_end: &str) -> String {
    let mut writer = Writer { lines: vec![Line::default()] };
    for (index, item) in document.items.iter().enumerate() {
        writer.before(item, 0, index == 0);
        writer.parts(&item.parts, 0, true);
        writer.after(item, false);
    }
    writer.tail(&document.tail, 0);
    writer.text(line_end)
}

/// A value as text, for a place that many columns into a line with that indentation.
pub fn write_value(document: &Group<'_>, indent: usize, column: usize, line_end: &str) -> String {
    let mut writer = Writer { lines: vec![Line { code: " ".repeat(column), ..Line::default() }] };
    for item in &document.items {
        writer.parts(&item.parts, indent, false);
    }
    let text = writer.text(line_end);
    let text = text.strip_suffix(line_end).unwrap_or(&text);
    text.get(column..).unwrap_or_default().to_owned()
}

#[derive(Default)]
struct Line {
    code: String,
    /// Comments behind the code.
    comment: String,
    /// Whether the comment is aligned with those of its neighbours.
    aligned: bool,
}

struct Writer {
    lines: Vec<Line>,
}

impl Writer {
    fn line(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    fn push(&mut self, text: &str) {
        self.line().code.push_str(text);
    }

    fn new_line(&mut self, indent: usize) {
        self.lines.push(Line { code: " ".repeat(indent), ..Line::default() });
    }

    /// A line for what follows: this one where nothing is on it yet.
    fn fresh_line(&mut self, indent: usize, blank: bool) {
        if self.line().code.trim().is_empty() {
            self.line().code = " ".repeat(indent);
        } else {
            if blank {
                self.lines.push(Line::default());
            }
            self.new_line(indent);
        }
    }

    fn room(&mut self) -> usize {
        let code = &self.line().code;
        COLUMNS.saturating_sub(code.rsplit('\n').next().unwrap_or(code).chars().count())
    }

    /// The comments in front of an item, and the line that it stands on.
    fn before(&mut self, item: &Item<'_>, indent: usize, first: bool) {
        for (index, comment) in item.before.iter().enumerate() {
            if index == 0 || item.before[index - 1].ends_line {
                self.fresh_line(indent, comment.blank && !(first && index == 0));
            } else {
                self.push(" ");
            }
            self.push(comment.text);
        }
        match item.before.last() {
            Some(last) if !last.ends_line => self.push(" "),
            Some(_) => self.fresh_line(indent, item.blank),
            None => self.fresh_line(indent, item.blank && !first),
        }
    }

    /// The comments behind an item.
    fn after(&mut self, item: &Item<'_>, aligned: bool) {
        let texts: Vec<&str> = item.after.iter().map(|comment| comment.text).collect();
        let line = self.line();
        line.comment = texts.join(" ");
        line.aligned = aligned;
    }

    fn tail(&mut self, tail: &[Comment<'_>], indent: usize) {
        for comment in tail {
            self.fresh_line(indent, comment.blank);
            self.push(comment.text);
        }
    }

    /// An item's parts, broken into lines where they do not fit; `open` breaks the outermost groups in any case.
    fn parts(&mut self, parts: &[Part<'_>], indent: usize, open: bool) {
        // A comma follows.
        let room = self.room().saturating_sub(1);
        if !open && let Some(flat) = Flat::fit(room, |flat| flat.parts(parts)) {
            return self.push(&flat);
        }
        let mut previous: Option<&Part<'_>> = None;
        for part in parts {
            if matches!(previous, Some(Part::Comment(text)) if text.starts_with("//")) {
                self.new_line(indent + INDENT);
            } else {
                self.push(gap(previous, part));
            }
            match part {
                Part::Word(text) | Part::Comment(text) => self.push(text),
                Part::Colon => self.push(":"),
                Part::Group(group) => self.group(group, indent, open),
            }
            previous = Some(part);
        }
    }

    fn group(&mut self, group: &Group<'_>, indent: usize, open: bool) {
        let room = self.room().saturating_sub(1);
        let empty = group.items.is_empty();
        if (!open || empty)
            && let Some(flat) = Flat::fit(room, |flat| flat.group(group))
        {
            return self.push(&flat);
        }
        self.push(group.open);
        for comment in &group.head {
            self.push(" ");
            self.push(comment.text);
        }
        // Whether the last item stands on one line.
        let mut whole = false;
        for (index, item) in group.items.iter().enumerate() {
            let inner = indent + INDENT;
            if group.has_rows() && whole && self.joins_row(&group.items[index - 1], item) {
                continue;
            }
            if index == 0 {
                self.new_line(inner);
            }
            self.before(item, inner, index == 0);
            let lines = self.lines.len();
            self.parts(&item.parts, inner, false);
            if group.comma || index + 1 < group.items.len() || !group.is_single() {
                self.push(",");
            }
            whole = lines == self.lines.len() && !self.line().code.contains('\n');
            self.after(item, whole);
        }
        if group.items.is_empty() {
            self.new_line(indent + INDENT);
        }
        self.tail(&group.tail, indent + INDENT);
        self.fresh_line(indent, false);
        self.push(group.close);
    }

    /// Puts an item behind the one before it, where it stood there and fits.
    fn joins_row(&mut self, previous: &Item<'_>, item: &Item<'_>) -> bool {
        let whole = Flat::fit(COLUMNS, |flat| flat.item(previous)).is_some();
        let stays = !item.begins_line && previous.after.is_empty() && whole;
        let room = self.room().saturating_sub(2);
        if stays && let Some(flat) = Flat::fit(room, |flat| flat.front(item)) {
            self.push(" ");
            self.push(&flat);
            self.push(",");
            self.after(item, true);
            return true;
        }
        false
    }

    /// All lines as text, comments aligned where consecutive lines have them.
    fn text(self, line_end: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        while at < self.lines.len() {
            let run =
                self.lines[at..].iter().take_while(|l| l.aligned && !l.comment.is_empty()).count().max(1);
            let run = &self.lines[at..at + run];
            let width = |text: &str| text.chars().count();
            let widest = run.iter().map(|line| width(line.code.trim_end())).max().unwrap_or(0);
            let fits = run.iter().all(|line| widest + 1 + width(&line.comment) <= COLUMNS);
            for line in run {
                let code = line.code.trim_end();
                out.push_str(code);
                if !line.comment.is_empty() {
                    let pad = if fits { widest - width(code) } else { 0 };
                    out.push_str(&" ".repeat(pad + 1));
                    out.push_str(&line.comment);
                }
                out.push_str(line_end);
            }
            at += run.len();
        }
        out
    }
}
