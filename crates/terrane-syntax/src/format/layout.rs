//! Lays out a tree of groups in lines.

use crate::lex::is_blank;

use super::flat::{Flat, columns, gap};
use super::groups::{Comment, Group, Item, Part};

/// The maximum width of a line. Only a line that cannot be broken is wider.
const COLUMNS: usize = 110;
const INDENT: usize = 4;

/// The document as text. `bytes` is an estimate of its length.
pub fn write(document: &Group<'_>, bytes: usize, line_end: &str) -> String {
    let mut writer = Writer::new(0, bytes);
    for (index, item) in document.items.iter().enumerate() {
        writer.before(item, 0, index == 0);
        writer.parts(item.parts(), 0, true);
        writer.after(item, false);
    }
    writer.tail(&document.tail, 0);
    writer.text(line_end)
}

/// A value as text, to be placed at `column` of a line with indentation `indent`.
pub fn write_value(document: &Group<'_>, indent: usize, column: usize, line_end: &str) -> String {
    let mut writer = Writer::new(column, 0);
    for item in &document.items {
        writer.parts(item.parts(), indent, false);
    }
    let text = writer.text(line_end);
    let text = text.strip_suffix(line_end).unwrap_or(&text);
    text.get(column..).unwrap_or_default().to_owned()
}

/// A line of output. The code of a line begins at byte `start` and ends where the code of the next line
/// begins.
#[derive(Default)]
struct Line {
    start: usize,
    /// Comments after the code.
    comment: String,
    /// Whether the comment is aligned with those of neighbouring lines.
    aligned: bool,
}

struct Writer {
    /// The code of all lines, without line ends.
    code: String,
    /// All lines. The last one is being written.
    lines: Vec<Line>,
}

impl Writer {
    /// A writer with one indented line.
    fn new(indent: usize, bytes: usize) -> Self {
        let mut code = String::with_capacity(bytes + indent);
        code.extend(std::iter::repeat_n(' ', indent));
        Self { code, lines: vec![Line::default()] }
    }

    /// The code of the last line.
    fn line(&self) -> &str {
        &self.code[self.lines.last().map_or(0, |line| line.start)..]
    }

    fn push(&mut self, text: &str) {
        self.code.push_str(text);
    }

    fn indent(&mut self, indent: usize) {
        self.code.extend(std::iter::repeat_n(' ', indent));
    }

    fn new_line(&mut self, indent: usize) {
        self.lines.push(Line { start: self.code.len(), ..Line::default() });
        self.indent(indent);
    }

    /// Moves to an empty line. This is the current line if nothing is on it yet.
    fn fresh_line(&mut self, indent: usize, blank: bool) {
        let code = self.line();
        if code.trim_matches(is_blank).is_empty() {
            self.code.truncate(self.code.len() - code.len());
            self.indent(indent);
        } else {
            if blank {
                self.new_line(0);
            }
            self.new_line(indent);
        }
    }

    fn room(&self) -> usize {
        let code = self.line();
        COLUMNS.saturating_sub(columns(code.rsplit('\n').next().unwrap_or(code)))
    }

    /// Appends to this line if the result fits into `room` columns. Otherwise appends nothing.
    fn fits(&mut self, room: usize, write: impl FnOnce(&mut Flat<'_>) -> Option<()>) -> bool {
        Flat::fits(&mut self.code, room, write)
    }

    /// Writes the comments before an item and moves to the item's line.
    fn before(&mut self, item: &Item<'_>, indent: usize, first: bool) {
        for (index, comment) in item.before().iter().enumerate() {
            if index == 0 || item.before()[index - 1].ends_line {
                self.fresh_line(indent, comment.blank && !(first && index == 0));
            } else {
                self.push(" ");
            }
            self.push(comment.text);
        }
        match item.before().last() {
            Some(last) if !last.ends_line => self.push(" "),
            Some(_) => self.fresh_line(indent, item.blank),
            None => self.fresh_line(indent, item.blank && !first),
        }
    }

    /// Sets the comments after an item.
    fn after(&mut self, item: &Item<'_>, aligned: bool) {
        let Some(line) = self.lines.last_mut() else { return };
        line.aligned = aligned;
        line.comment.clear();
        for comment in item.after() {
            let gap = if line.comment.is_empty() { "" } else { " " };
            line.comment.extend([gap, comment.text]);
        }
    }

    fn tail(&mut self, tail: &[Comment<'_>], indent: usize) {
        for comment in tail {
            self.fresh_line(indent, comment.blank);
            self.push(comment.text);
        }
    }

    /// Writes an item's parts, and breaks lines where the parts do not fit. With `open`, the outermost groups
    /// are always broken into lines.
    fn parts(&mut self, parts: &[Part<'_>], indent: usize, open: bool) {
        // Leaves room for the comma that follows.
        let room = self.room().saturating_sub(1);
        if !open && self.fits(room, |flat| flat.parts(parts)) {
            return;
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
        if (!open || empty) && self.fits(room, |flat| flat.group(group)) {
            return;
        }
        self.push(group.open);
        for comment in &group.head {
            self.push(" ");
            self.push(comment.text);
        }
        // Whether the item written last is on one line.
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
            self.parts(item.parts(), inner, false);
            if group.comma || index + 1 < group.items.len() || !group.is_single() {
                self.push(",");
            }
            whole = lines == self.lines.len() && !self.line().contains('\n');
            self.after(item, whole);
        }
        if group.items.is_empty() {
            self.new_line(indent + INDENT);
        }
        self.tail(&group.tail, indent + INDENT);
        self.fresh_line(indent, false);
        self.push(group.close);
    }

    /// Appends an item to the line of the previous item. Does so only if the item was on that line in the
    /// original text, and fits. Returns whether it was appended.
    fn joins_row(&mut self, previous: &Item<'_>, item: &Item<'_>) -> bool {
        if item.begins_line || !previous.after().is_empty() {
            return false;
        }
        let whole = Flat::fits(&mut String::new(), COLUMNS, |flat| flat.item(previous));
        let room = self.room().saturating_sub(2);
        let before = self.code.len();
        self.push(" ");
        if whole && self.fits(room, |flat| flat.front(item)) {
            self.push(",");
            self.after(item, true);
            return true;
        }
        self.code.truncate(before);
        false
    }

    /// All lines as text. Comments on consecutive lines are aligned.
    fn text(self, line_end: &str) -> String {
        let mut out = String::with_capacity(self.code.len() + self.lines.len() * 2);
        let code = |at: usize| {
            let end = self.lines.get(at + 1).map_or(self.code.len(), |next| next.start);
            self.code[self.lines[at].start..end].trim_end_matches(is_blank)
        };
        let mut at = 0;
        while at < self.lines.len() {
            let run =
                self.lines[at..].iter().take_while(|l| l.aligned && !l.comment.is_empty()).count().max(1);
            let widest = (at..at + run).map(|at| columns(code(at))).max().unwrap_or(0);
            let comments = &self.lines[at..at + run];
            let fits = comments.iter().all(|line| widest + 1 + columns(&line.comment) <= COLUMNS);
            for at in at..at + run {
                out.push_str(code(at));
                if !self.lines[at].comment.is_empty() {
                    let pad = if fits { widest - columns(code(at)) } else { 0 };
                    out.extend(std::iter::repeat_n(' ', pad + 1));
                    out.push_str(&self.lines[at].comment);
                }
                out.push_str(line_end);
            }
            at += run;
        }
        out
    }
}
