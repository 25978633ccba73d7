//! Replaces one value by another, and keeps the parts that both have in common as they were written.
//!
//! The two values are compared token by token, without a schema. Equal numbers keep their spelling. List
//! items and fields that remain keep their comments and their lines.

use std::ops::Range as Span;

use crate::format::groups::{Comment, Group, Item, Part, read};
use crate::lex::{Quotes, lex};
use crate::literal;
use crate::token::TokenKind;

/// The result of a merge.
pub struct Merged {
    /// The text of the value.
    pub text: String,
    /// Whether items were added or removed. If so, the lines may need new breaks.
    pub restructured: bool,
}

/// The text of the value `old`, with the smallest change that makes it equal to `new`.
#[must_use]
pub fn merge(old: &str, new: &str) -> Merged {
    let mut merge = Merge::new(old, new);
    merge.document();
    let restructured = merge.restructured;
    let text = merge.text();
    // A comment in an unexpected position can spoil the merge. In this case the new text replaces the whole
    // value.
    if equal(&text, new) {
        Merged { text, restructured }
    } else {
        Merged { text: new.to_owned(), restructured: true }
    }
}

/// Whether two texts have the same value.
fn equal(old: &str, new: &str) -> bool {
    let mut probe = Merge::new(old, new);
    probe.document();
    probe.edits.is_empty()
}

struct Merge<'a> {
    old: &'a str,
    new: &'a str,
    edits: Vec<(Span<usize>, String)>,
    restructured: bool,
}

type Parts<'p, 'a> = Vec<&'p Part<'a>>;

impl<'a> Merge<'a> {
    const fn new(old: &'a str, new: &'a str) -> Self {
        Self { old, new, edits: Vec::new(), restructured: false }
    }

    fn document(&mut self) {
        let (old, new) = (read(self.old), read(self.new));
        match (&*old.items, &*new.items) {
            ([old], [new]) => self.value(&parts(old), &parts(new)),
            _ => self.replace(0..self.old.len(), self.new.to_owned()),
        }
    }

    fn replace(&mut self, span: Span<usize>, text: String) {
        self.restructured |= text.contains(['[', '(', '{']);
        self.edits.push((span, text));
    }

    fn value(&mut self, old: &Parts<'_, '_>, new: &Parts<'_, '_>) {
        match (&**old, &**new) {
            ([Part::Word(a)], [Part::Word(b)]) if same(a, b) => {}
            ([Part::Group(a)], [Part::Group(b)]) if a.open == b.open => self.group(a, b),
            ([Part::Word(a), Part::Group(old)], [Part::Word(b), Part::Group(new)]) if a == b => {
                self.group(old, new);
            }
            // `Some(x)` has the same meaning as `x`.
            ([Part::Word("Some"), Part::Group(some)], _) if some.items.len() == 1 && !is_option(new) => {
                self.value(&parts(&some.items[0]), new);
            }
            _ => {
                let span = span(self.old, old);
                let text = slice(self.new, new).to_owned();
                self.replace(span, text);
            }
        }
    }

    fn group(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let named = |group: &Group<'_>| group.items.iter().any(|item| name(item).is_some());
        if named(old) || named(new) {
            self.fields(old, new);
        } else if old.items.len() == new.items.len() {
            for (old, new) in old.items.iter().zip(&new.items) {
                self.value(&parts(old), &parts(new));
            }
        } else if old.open == "[" {
            self.list(old, new);
        } else {
            self.whole(old, new);
        }
    }

    /// Merges fields by name.
    fn fields(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let find = |group: &'_ Group<'_>, wanted: &Item<'_>| {
            group.items.iter().position(|item| name(item) == name(wanted))
        };
        let gone: Vec<&Item<'_>> = old.items.iter().filter(|item| find(new, item).is_none()).collect();
        let come: Vec<&Item<'_>> = new.items.iter().filter(|item| find(old, item).is_none()).collect();
        if !gone.is_empty() && !come.is_empty() {
            return self.whole(old, new);
        }
        for item in &old.items {
            if let Some(at) = find(new, item) {
                self.value(&parts(item).split_off(2), &parts(&new.items[at]).split_off(2));
            }
        }
        gone.into_iter().for_each(|item| self.remove(item));
        self.insert(old, old.items.len(), &come);
    }

    /// Merges lists of different lengths. Equal items at the beginning and the end are kept.
    fn list(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let same = |a: &Item<'_>, b: &Item<'_>| equal(slice(self.old, &parts(a)), slice(self.new, &parts(b)));
        let shorter = old.items.len().min(new.items.len());
        let front = old.items.iter().zip(&new.items).take_while(|(a, b)| same(a, b)).count();
        let back = old.items.iter().rev().zip(new.items.iter().rev()).take_while(|(a, b)| same(a, b)).count();
        let back = back.min(shorter - front);
        let from = &old.items[front..old.items.len() - back];
        let to = &new.items[front..new.items.len() - back];
        let common = from.len().min(to.len());
        for (old, new) in from.iter().zip(to) {
            self.value(&parts(old), &parts(new));
        }
        from[common..].iter().for_each(|item| self.remove(item));
        self.insert(old, front + common, &to[common..].iter().collect::<Vec<_>>());
    }

    fn whole(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let span = at(self.old, old.open).start..at(self.old, old.close).end;
        let text = self.new[at(self.new, new.open).start..at(self.new, new.close).end].to_owned();
        self.replace(span, text);
    }

    /// Removes an item with its comments and its comma. The line is removed too if nothing else is on it.
    fn remove(&mut self, item: &Item<'_>) {
        let first = item.before().first().map(|comment| at(self.old, comment.text).start);
        let start = first.unwrap_or_else(|| span(self.old, &parts(item)).start);
        let end = self.end_with_comments(item);
        let blank = |c: char| c == ' ' || c == '\t';
        let before = self.old[..start].trim_end_matches(blank);
        let ends_line = self.old[end..].trim_start_matches(blank).starts_with(['\r', '\n']);
        let line = before.strip_suffix('\n').filter(|_| ends_line);
        let start = line.map_or(start, |line| line.strip_suffix('\r').unwrap_or(line).len());
        self.restructured = true;
        self.edits.push((start..end, String::new()));
    }

    /// Inserts items before the one at `index`, or after the last.
    fn insert(&mut self, group: &Group<'_>, index: usize, items: &[&Item<'_>]) {
        if items.is_empty() {
            return;
        }
        self.restructured = true;
        let texts: Vec<&str> = items.iter().map(|item| slice(self.new, &parts(item))).collect();
        let texts = texts.join(", ");
        let Some(before) = index.checked_sub(1).map(|at| &group.items[at]) else {
            let place = group.items.first().map_or(at(self.old, group.open).end, |first| {
                let comment = first.before().first().map(|comment| at(self.old, comment.text).start);
                comment.unwrap_or_else(|| span(self.old, &parts(first)).start)
            });
            let line_break =
                if group.items.first().is_some_and(|first| first.begins_line) { "\n" } else { " " };
            let comma = if group.items.is_empty() { "" } else { "," };
            self.edits.push((place..place, format!("{texts}{comma}{line_break}")));
            return;
        };
        let end = span(self.old, &parts(before)).end;
        let has_comma = self.comma_end(end).is_some();
        if !has_comma {
            self.edits.push((end..end, ",".to_owned()));
        }
        let place = self.end_with_comments(before);
        let own_line =
            before.begins_line && group.spread || before.after().last().is_some_and(Comment::is_line);
        let (gap, comma) = (if own_line { "\n" } else { " " }, if has_comma { "," } else { "" });
        self.edits.push((place..place, format!("{gap}{texts}{comma}")));
    }

    /// The end of an item with its comma and its comments.
    fn end_with_comments(&self, item: &Item<'_>) -> usize {
        let end = span(self.old, &parts(item)).end;
        let comments = item.after().last().map_or(0, |comment| at(self.old, comment.text).end);
        end.max(comments).max(self.comma_end(end).unwrap_or(0))
    }

    /// The end of the comma that follows.
    fn comma_end(&self, end: usize) -> Option<usize> {
        let tokens = lex(&self.old[end..], Quotes::Anywhere).tokens;
        let next = tokens.iter().find(|token| !token.kind.is_trivia())?;
        (next.kind == TokenKind::Comma).then_some(end + next.start as usize + 1)
    }

    fn text(mut self) -> String {
        self.edits.sort_by_key(|(span, _)| span.start);
        let (mut out, mut at) = (String::new(), 0);
        for (span, text) in &self.edits {
            out.push_str(&self.old[at..span.start.max(at)]);
            out.push_str(text);
            at = span.end.max(at);
        }
        out.push_str(&self.old[at..]);
        out
    }
}

/// The parts of an item without its comments.
fn parts<'p, 'a>(item: &'p Item<'a>) -> Parts<'p, 'a> {
    item.parts().iter().filter(|part| !matches!(part, Part::Comment(_))).collect()
}

/// The name in `name: value`.
fn name<'a>(item: &Item<'a>) -> Option<&'a str> {
    match &*parts(item) {
        [Part::Word(name), Part::Colon, _, ..] => Some(name),
        _ => None,
    }
}

fn is_option(parts: &Parts<'_, '_>) -> bool {
    matches!(parts.first(), Some(Part::Word("Some" | "None")))
}

/// The position of a slice within its text.
fn at(text: &str, part: &str) -> Span<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

fn span(text: &str, parts: &Parts<'_, '_>) -> Span<usize> {
    let ends = |part: &Part<'_>| match part {
        Part::Word(word) | Part::Comment(word) => at(text, word),
        Part::Group(group) => at(text, group.open).start..at(text, group.close).end,
        // A colon is never at an end of a value.
        Part::Colon => 0..0,
    };
    match (parts.first(), parts.last()) {
        (Some(first), Some(last)) => ends(first).start..ends(last).end,
        _ => 0..0,
    }
}

fn slice<'t>(text: &'t str, parts: &Parts<'_, '_>) -> &'t str {
    &text[span(text, parts)]
}

/// Whether two words have the same value: `1e3` is `1000.0`, and `"\u{41}"` is `"A"`.
fn same(old: &str, new: &str) -> bool {
    fn both<T: serde::de::DeserializeOwned>(old: &str, new: &str) -> Option<(T, T)> {
        Some((literal::read(old)?, literal::read(new)?))
    }
    // Quoted text that begins with `$` names a parameter and is not plain text.
    if old == new || old.contains("\"$") || new.contains("\"$") {
        return old == new;
    }
    if let Some((old, new)) = both::<String>(old, new) {
        return old == new;
    }
    // The words are compared as whole numbers first. As floating point, large neighbouring numbers would be
    // equal.
    let whole = both::<i64>(old, new).map(|(old, new)| old == new);
    let whole = whole.or_else(|| both::<u64>(old, new).map(|(old, new)| old == new));
    whole.or_else(|| both::<f64>(old, new).map(|(old, new)| old == new)).unwrap_or(false)
}
