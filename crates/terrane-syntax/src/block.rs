//! Blocks: an entry together with the comments that move with it.

use std::ops::Range;

use crate::Edit;
use crate::edit::{comments_end, remove_from};
use crate::token::TokenKind;
use crate::tree::Tree;
use crate::view::{Group, Item};

/// The bytes of an entry with its comma and its comments. Comments after the entry belong to it if they are
/// on its line. Comments before the entry belong to it if they are on its line, or on lines directly above,
/// without a blank line between.
#[must_use]
pub fn block(item: Item<'_>) -> Range<usize> {
    let end = item.comma().map_or(item.span().end, |comma| comma.end);
    comments_start(item.tree(), item.span().start)..comments_end(item, end)
}

/// The edit that removes an entry with its whole [`block`].
#[must_use]
pub fn remove_block(group: Group<'_>, item: Item<'_>) -> Edit {
    remove_from(group, item, block(item).start)
}

/// The position at which the comments before an entry begin. `place` is the position of the entry.
fn comments_start(tree: &Tree, place: usize) -> usize {
    let mut index = tree.tokens().partition_point(|token| (token.start as usize) < place);
    let (mut start, mut lines) = (place, 0);
    while index > 0 {
        index -= 1;
        let (kind, span) = (tree.tokens()[index].kind, tree.token_span(index as u32));
        match kind {
            TokenKind::Blank => {
                lines += tree.text()[span].matches('\n').count();
                if lines > 1 {
                    break;
                }
            }
            TokenKind::BlockComment if lines == 0 => start = span.start,
            TokenKind::LineComment | TokenKind::BlockComment if begins_line(tree, index) => {
                (start, lines) = (span.start, 0);
            }
            _ => break,
        }
    }
    start
}

/// Whether only blanks and comments precede a token on its line.
fn begins_line(tree: &Tree, index: usize) -> bool {
    for before in (0..index).rev() {
        let (kind, span) = (tree.tokens()[before].kind, tree.token_span(before as u32));
        match kind {
            TokenKind::Blank if tree.text()[span].contains('\n') => return true,
            TokenKind::Blank | TokenKind::BlockComment => {}
            _ => return false,
        }
    }
    true
}

/// A part of a text with its lines re-indented from `from` to `to` columns. Line breaks inside quoted text
/// and comments are kept. All others become `line_end`.
#[must_use]
pub fn indented(tree: &Tree, span: Range<usize>, from: usize, to: usize, line_end: &str) -> String {
    let mut out = String::with_capacity(span.len());
    for (kind, place) in tree.tokens_from(span.start).take_while(|(_, place)| place.start < span.end) {
        let text = &tree.text()[place.start..place.end.min(span.end)];
        let Some((_, last)) = text.rsplit_once('\n').filter(|_| kind == TokenKind::Blank) else {
            out.push_str(text);
            continue;
        };
        for _ in text.matches('\n') {
            out.push_str(line_end);
        }
        let blanks = last.chars().take_while(|&c| c == ' ').count();
        out.extend(std::iter::repeat_n(' ', if blanks < from { blanks } else { blanks - from + to }));
        out.push_str(&last[blanks..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bracket, apply};

    const TEXT: &str = "{ // of all
    // of a,
    /* still */
    \"a\": 1, // one

    // apart

    /* of b */ \"b\": 2, /* of c */ \"c\": 3, // both
    // of d
    \"d\": 4 // four
    // last
}";

    fn with(name: &str, check: impl Fn(Group<'_>, Item<'_>)) {
        let tree = Tree::parse(TEXT);
        let group = tree.value().unwrap().group(Bracket::Curly).unwrap();
        check(group, group.get(name).unwrap());
    }

    #[test]
    fn a_block_has_only_the_comments_of_its_entry() {
        for (name, expected) in [
            ("a", "// of a,\n    /* still */\n    \"a\": 1, // one"),
            ("b", "/* of b */ \"b\": 2,"),
            ("c", "/* of c */ \"c\": 3, // both"),
            ("d", "// of d\n    \"d\": 4 // four"),
        ] {
            with(name, |_, item| assert_eq!(&TEXT[block(item)], expected));
        }
    }

    #[test]
    fn removing_a_block_keeps_its_neighbours() {
        for (name, gone) in [
            ("a", "\n    // of a,\n    /* still */\n    \"a\": 1, // one"),
            ("b", "/* of b */ \"b\": 2, "),
            ("c", " /* of c */ \"c\": 3, // both"),
            ("d", "\n    // of d\n    \"d\": 4 // four"),
        ] {
            with(name, |group, item| {
                assert_eq!(apply(TEXT, &[remove_block(group, item)]), TEXT.replacen(gone, "", 1), "{name}");
            });
        }
    }

    #[test]
    fn lines_are_reindented_and_quoted_text_is_kept() {
        let tree = Tree::parse("{\n  \"a\": [\n    r\"x\n  y\",\n\n ],\n}");
        let moved = indented(&tree, 4..tree.text().len(), 2, 8, "\r\n");
        assert_eq!(moved, "\"a\": [\r\n          r\"x\n  y\",\r\n\r\n ],\r\n}");
    }
}
