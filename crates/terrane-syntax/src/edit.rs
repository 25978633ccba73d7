//! Edits that insert or remove entries. All other bytes are kept. A new entry follows the layout of its
//! neighbours.

use crate::Edit;
use crate::token::{Bracket, TokenKind};
use crate::view::{Group, Item};

/// Applies edits to a text. The spans of the edits must not overlap. Insertions at the same position keep
/// their order.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start.max(at)]);
        out.push_str(&edit.text);
        at = edit.span.end.max(at);
    }
    out.push_str(&text[at..]);
    out
}

/// The edits that append an entry to a group. The entry gets a line to itself if the last entry has one.
#[must_use]
pub fn insert(group: Group<'_>, entry: &str) -> Vec<Edit> {
    let at = |place: usize, text: String| Edit { span: place..place, text };
    let Some(last) = group.items().last() else {
        return vec![first(group, entry)];
    };
    let text = group.tree().text();
    let span = last.span();
    let before = text[..span.start].trim_end_matches([' ', '\t']);
    let indent = &text[before.len()..span.start];
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
    let comma = last.comma().map(|comma| comma.end);
    let behind = comma.unwrap_or(span.end);
    match (line_break, comma) {
        (None, None) => vec![at(span.end, format!(", {entry}"))],
        (None, Some(_)) => vec![at(behind, format!(" {entry},"))],
        (Some(line_break), _) => {
            let (missing, trailing) = if comma.is_none() { (",", "") } else { ("", ",") };
            let line = comments_end(last, behind);
            // The comma comes first, because both edits may have the same position.
            let mut edits = Vec::new();
            if !missing.is_empty() {
                edits.push(at(span.end, missing.to_owned()));
            }
            edits.push(at(line, format!("{line_break}{indent}{entry}{trailing}")));
            edits
        }
    }
}

/// The edit that inserts an entry into an empty group. If the closing bracket of a map has a line to itself,
/// so does the entry, before it.
fn first(group: Group<'_>, entry: &str) -> Edit {
    let text = group.tree().text();
    let open = group.open_span().end;
    let close = group.span().end - 1;
    let inside = text.get(open..close).unwrap_or_default();
    if group.bracket() == Some(Bracket::Curly)
        && let Some(line) = inside.rfind('\n').map(|newline| open + newline + 1)
        && text[line..close].trim_matches([' ', '\t']).is_empty()
    {
        let line_break = if text[..line].ends_with("\r\n") { "\r\n" } else { "\n" };
        let indent = &text[line..close];
        return Edit { span: line..line, text: format!("{indent}    {entry},{line_break}") };
    }
    let pad = if group.bracket() == Some(Bracket::Curly) { " " } else { "" };
    Edit { span: open..open, text: format!("{pad}{entry}{pad}") }
}

/// The edits that insert an entry after another one of the same group.
#[must_use]
pub fn insert_after(group: Group<'_>, item: Item<'_>, entry: &str) -> Vec<Edit> {
    let Some(comma) =
        item.comma().filter(|_| group.items().last().is_some_and(|last| last.span() != item.span()))
    else {
        return insert(group, entry);
    };
    let text = group.tree().text();
    let before = text[..item.span().start].trim_end_matches([' ', '\t']);
    let indent = &text[before.len()..item.span().start];
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
    let (place, text) = match line_break {
        Some(line_break) => (comments_end(item, comma.end), format!("{line_break}{indent}{entry},")),
        None => (comma.end, format!(" {entry},")),
    };
    vec![Edit { span: place..place, text }]
}

/// The edit that removes an entry, its comma, and the comments after it. Lines on which nothing else remains
/// are removed too.
#[must_use]
pub fn remove(group: Group<'_>, item: Item<'_>) -> Edit {
    remove_from(group, item, item.span().start)
}

/// Like [`remove`], but the removed bytes begin at `start`, before the entry.
pub fn remove_from(group: Group<'_>, item: Item<'_>, start: usize) -> Edit {
    let text = item.tree().text();
    let behind = item.comma().map_or(item.span().end, |comma| comma.end);
    let end = comments_end(item, behind);
    let before = text[..start].trim_end_matches([' ', '\t']);
    let ends_line = text[end..].starts_with(['\r', '\n']) || end == text.len();
    let span = match before.strip_suffix('\n') {
        Some(line) if ends_line => line.strip_suffix('\r').unwrap_or(line).len()..end,
        _ => within_line(group, item, start, end),
    };
    Edit { span, text: String::new() }
}

/// The bytes to remove for an entry that shares its line with others.
fn within_line(group: Group<'_>, item: Item<'_>, start: usize, end: usize) -> std::ops::Range<usize> {
    let text = item.tree().text();
    if item.comma().is_none() {
        // The last entry has no comma after it, so the comma before it is removed.
        let comma = group.items().take_while(|other| other.span().start < start).last().and_then(Item::comma);
        if let Some(comma) = comma.filter(|comma| text[comma.end..start].trim_matches([' ', '\t']).is_empty())
        {
            return comma.start..end;
        }
        return start..end;
    }
    let blanks = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
    let next = text[end + blanks..].chars().next();
    let is_last = next.is_none_or(|c| matches!(c, ')' | ']' | '}' | '\r' | '\n'));
    if is_last {
        let blanks = text[..start].len() - text[..start].trim_end_matches([' ', '\t']).len();
        return start - blanks..end;
    }
    start..end + blanks
}

/// The end of the comments that follow an entry on its line.
pub fn comments_end(item: Item<'_>, from: usize) -> usize {
    let tree = item.tree();
    let mut end = from;
    for (kind, span) in tree.tokens_from(from) {
        match kind {
            TokenKind::Blank if !tree.text()[span.clone()].contains('\n') => {}
            TokenKind::LineComment | TokenKind::BlockComment => end = span.end,
            _ => break,
        }
    }
    // Comments before the next entry on the same line belong to that entry.
    let rest = tree.text()[end..].trim_start_matches([' ', '\t']);
    if rest.is_empty() || rest.starts_with(['\r', '\n', ')', ']', '}']) { end } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;

    fn group(tree: &Tree) -> Group<'_> {
        match tree.value().unwrap().form() {
            crate::Form::Group(group) => group,
            crate::Form::Call(call) => call.group(),
            _ => panic!("no brackets"),
        }
    }

    #[test]
    fn an_entry_is_inserted_in_the_layout_of_the_last_and_removed_again() {
        for (text, with) in [
            ("{}", "{ \"x\": 1 }"),
            ("{\n}", "{\n    \"x\": 1,\n}"),
            ("{ // none\r\n  }", "{ // none\r\n      \"x\": 1,\r\n  }"),
            ("P()", "P(\"x\": 1)"),
            ("{ \"a\": 1 }", "{ \"a\": 1, \"x\": 1 }"),
            ("{ \"a\": 1, }", "{ \"a\": 1, \"x\": 1, }"),
            ("{\n    \"a\": 1, // one\n}", "{\n    \"a\": 1, // one\n    \"x\": 1,\n}"),
            ("{\r\n\t\"a\": 1,\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"x\": 1,\r\n}"),
            ("{\n    \"a\": 1 // one\n}", "{\n    \"a\": 1, // one\n    \"x\": 1\n}"),
        ] {
            let tree = Tree::parse(text);
            let added = apply(text, &insert(group(&tree), "\"x\": 1"));
            assert_eq!(added, with);
            let tree = Tree::parse(&*added);
            let item = group(&tree).get("x").unwrap();
            let removed = apply(&added, &[remove(group(&tree), item)]);
            if !text.contains("1 //") && text != "{}" {
                assert_eq!(removed, text);
            }
        }
    }

    #[test]
    fn an_entry_is_inserted_after_another_one() {
        for (text, with) in [
            ("{ \"a\": 1, \"b\": 2 }", "{ \"a\": 1, \"x\": 1, \"b\": 2 }"),
            (
                "{\n    \"a\": 1, // one\n    \"b\": 2,\n}",
                "{\n    \"a\": 1, // one\n    \"x\": 1,\n    \"b\": 2,\n}",
            ),
            ("{ \"a\": 1 }", "{ \"a\": 1, \"x\": 1 }"),
            ("{\n    \"a\": 1\n}", "{\n    \"a\": 1,\n    \"x\": 1\n}"),
        ] {
            let tree = Tree::parse(text);
            let item = group(&tree).get("a").unwrap();
            assert_eq!(apply(text, &insert_after(group(&tree), item, "\"x\": 1")), with);
        }
    }

    #[test]
    fn removing_an_entry_keeps_its_neighbours() {
        let text = "{\n    // first\n    \"a\": 1, // one\n    /* of b */ \"b\": 2, \"c\": 3, // both\n    \
            \"d\": 4\n}";
        let without = |name: &str| {
            let tree = Tree::parse(text);
            apply(text, &[remove(group(&tree), group(&tree).get(name).unwrap())])
        };
        assert_eq!(without("a"), text.replace("\n    \"a\": 1, // one", ""));
        assert_eq!(without("b"), text.replace("\"b\": 2, ", ""));
        assert_eq!(without("c"), text.replace(" \"c\": 3, // both", ""));
        assert_eq!(without("d"), text.replace("\n    \"d\": 4", ""));
    }
}
