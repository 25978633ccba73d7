//! Incremental parsing. The tree of an edited text reuses everything that the edit does not touch.

use std::ops::Range;
use std::sync::Arc;

use crate::edit::apply;
use crate::mistake;
use crate::mistake::Edit;
use crate::node::{NONE, Node, NodeKind};
use crate::token::{Bracket, Token, TokenKind};
use crate::tree::Tree;

/// The maximum number of edits that are applied one by one. With more, the whole text is parsed.
const MAX_EDITS: usize = 8;

/// The maximum nesting depth around a part that is parsed alone. It is far below the parser's own limit on
/// depth.
const MAX_DEPTH_AROUND: usize = 32;

/// The items of a group that an edit touches, up to the commas around them.
struct Touched {
    /// The group and all nodes around it, outermost first.
    path: Vec<usize>,
    /// The bytes of the items. They begin after a comma or the opening bracket. They end after a comma or
    /// before the closing bracket.
    bytes: Range<usize>,
    /// The same range in tokens.
    tokens: Range<usize>,
    /// The nodes of the items and their descendants.
    nodes: Range<usize>,
    /// Whether the group's closing bracket follows these items.
    is_last: bool,
    /// Whether the group's other items have names; `None` if there are no others.
    named: Option<bool>,
}

impl Tree {
    /// The tree of the edited text. It equals the tree of [`Tree::parse`], but is built in less time. Only
    /// the items that an edit touches are parsed again. The positions of all other items are shifted. If the
    /// old or the new text has mistakes, the whole text is parsed.
    #[must_use]
    pub fn edited(&self, edits: &[Edit]) -> Self {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let apart = sorted.windows(2).all(|pair| pair[0].span.end < pair[1].span.start);
        if sorted.len() <= MAX_EDITS && apart {
            // Edits are applied from the last to the first, so that the positions of earlier edits stay
            // valid.
            let mut tree = None;
            let all = sorted.iter().rev().try_for_each(|edit| {
                tree = Some(tree.as_ref().unwrap_or(self).with(edit)?);
                Some(())
            });
            if all.is_some() {
                return tree.unwrap_or_else(|| self.clone());
            }
        }
        Self::parse(apply(&self.text, edits))
    }

    /// The tree after one edit; `None` if the whole text has to be parsed.
    fn with(&self, edit: &Edit) -> Option<Self> {
        if !self.mistakes.is_empty() || edit.span.end > self.text.len() {
            return None;
        }
        let touched = self.touched(&edit.span)?;
        let old = &self.text[touched.bytes.clone()];
        let inside = Edit {
            span: edit.span.start - touched.bytes.start..edit.span.end - touched.bytes.start,
            text: edit.text.clone(),
        };
        let new = apply(old, std::slice::from_ref(&inside));
        let part = self.part(&touched, &new)?;
        Some(self.spliced(&touched, &new, part))
    }

    /// The items that an edit touches.
    fn touched(&self, span: &Range<usize>) -> Option<Touched> {
        let mut path = vec![0];
        // Finds the innermost brackets around the edit.
        let mut at = 0;
        while let Some(inner) = self.child_around(at, span) {
            path.push(inner);
            at = inner;
        }
        while !self.is_around(*path.last()?, span) {
            path.pop();
        }
        let group = self.nodes[*path.last()?];
        let groups = path.iter().filter(|&&node| matches!(self.nodes[node].kind, NodeKind::Group(_)));
        if groups.count() > MAX_DEPTH_AROUND {
            return None;
        }
        let (first, close) = (group.first as usize + 1, group.sign as usize);
        let mut found = Touched {
            bytes: 0..0,
            tokens: first..first,
            nodes: 0..0,
            is_last: false,
            named: None,
            path: Vec::new(),
        };
        let (mut item, end) = (*path.last()? + 1, group.end as usize);
        let (mut start, mut has_begun) = (first, false);
        loop {
            let next = if item < end { self.nodes[item].end as usize } else { end };
            let comma = if item < end { self.comma_after(self.nodes[item].last as usize + 1) } else { None };
            let stop = comma.map_or(close, |comma| comma + 1);
            let bytes = self.byte(start)..self.byte(stop);
            let is_touched = span.start <= bytes.end && span.end >= bytes.start;
            if is_touched {
                if !std::mem::replace(&mut has_begun, true) {
                    (found.tokens.start, found.nodes.start) = (start, item);
                }
                (found.tokens.end, found.nodes.end) = (stop, next);
                found.is_last = stop == close;
            } else if item < end {
                found.named = found.named.or(Some(self.nodes[item].sign != NONE));
                if has_begun && found.named.is_some() {
                    break;
                }
            }
            if stop == close {
                break;
            }
            (start, item) = (stop, next);
        }
        found.bytes = self.byte(found.tokens.start)..self.byte(found.tokens.end);
        found.path = path;
        has_begun.then_some(found)
    }

    /// The child of a node that covers a span.
    fn child_around(&self, node: usize, span: &Range<usize>) -> Option<usize> {
        let mut child = node + 1;
        while child < self.nodes[node].end as usize {
            let bytes = self.span(child as u32);
            if bytes.start > span.start {
                return None;
            }
            if bytes.end >= span.end {
                return Some(child);
            }
            child = self.nodes[child].end as usize;
        }
        None
    }

    /// Whether a node is a group whose brackets enclose a span.
    fn is_around(&self, node: usize, span: &Range<usize>) -> bool {
        let data = self.nodes[node];
        matches!(data.kind, NodeKind::Group(Some(_)))
            && data.sign != NONE
            && self.byte(data.first as usize + 1) <= span.start
            && span.end <= self.byte(data.sign as usize)
    }

    /// The next token without trivia, if it is a comma.
    fn comma_after(&self, from: usize) -> Option<usize> {
        let next = (from..self.tokens.len()).find(|&at| !self.tokens[at].kind.is_trivia())?;
        (self.tokens[next].kind == TokenKind::Comma).then_some(next)
    }

    fn byte(&self, token: usize) -> usize {
        self.token_span(token as u32).start
    }

    /// The new items, parsed between brackets of the same kind; `None` if they could parse differently inside
    /// the whole text.
    fn part(&self, touched: &Touched, new: &str) -> Option<Part> {
        let group = *touched.path.last()?;
        let NodeKind::Group(Some(bracket)) = self.nodes[group].kind else { return None };
        let call = group.checked_sub(2).filter(|&call| self.nodes[call].kind == NodeKind::Call);
        let name = call.map_or("", |call| &self.text[self.token_span(self.nodes[call].first)]);
        let text = format!("{name}{}{new}{}", bracket.open(), bracket.close());
        let tree = Self::parse(text);
        let value = 2 + 2 * usize::from(call.is_some());
        let whole = tree.nodes.get(value)?;
        let is_whole = tree.mistakes.is_empty()
            && whole.kind == NodeKind::Group(Some(bracket))
            && whole.sign as usize + 1 == tree.tokens.len()
            && whole.end as usize == tree.nodes.len();
        let part = Part { bytes: name.len() + 1, tokens: whole.first as usize + 1, nodes: value + 1, tree };
        (is_whole && part.fits(touched, bracket, call.is_some())).then_some(part)
    }

    /// The tree with the touched items replaced by a parsed part.
    fn spliced(&self, touched: &Touched, new: &str, part: Part) -> Self {
        let Range { start, end } = touched.bytes.clone();
        let mut text = String::with_capacity(self.text.len() + new.len());
        text.push_str(&self.text[..start]);
        text.push_str(new);
        text.push_str(&self.text[end..]);
        let bytes = new.len().wrapping_sub(end - start) as u32;
        let new_tokens = &part.tree.tokens[part.tokens..part.tree.tokens.len() - 1];
        let new_nodes = &part.tree.nodes[part.nodes..];
        let (tokens, nodes) = (&touched.tokens, &touched.nodes);
        let by_tokens = new_tokens.len().wrapping_sub(tokens.len()) as u32;
        let by_nodes = new_nodes.len().wrapping_sub(nodes.len()) as u32;

        let mut all_tokens = Vec::with_capacity(self.tokens.len() + new_tokens.len());
        all_tokens.extend_from_slice(&self.tokens[..tokens.start]);
        let own = (start as u32).wrapping_sub(part.bytes as u32);
        let moved = |by: u32| move |token: &Token| Token { start: token.start.wrapping_add(by), ..*token };
        all_tokens.extend(new_tokens.iter().map(moved(own)));
        all_tokens.extend(self.tokens[tokens.end..].iter().map(moved(bytes)));

        let behind = |token: u32| {
            let moves = token != NONE && token as usize >= tokens.end;
            if moves { token.wrapping_add(by_tokens) } else { token }
        };
        let mut all_nodes = Vec::with_capacity(self.nodes.len() + new_nodes.len());
        all_nodes.extend_from_slice(&self.nodes[..nodes.start]);
        for &node in &touched.path {
            let Node { last, end, sign, .. } = &mut all_nodes[node];
            (*last, *sign, *end) = (behind(*last), behind(*sign), end.wrapping_add(by_nodes));
        }
        let (token, node) = (tokens.start.wrapping_sub(part.tokens), nodes.start.wrapping_sub(part.nodes));
        let shifted = |node: &Node, token: u32, at: u32| Node {
            kind: node.kind,
            first: node.first.wrapping_add(token),
            last: node.last.wrapping_add(token),
            end: node.end.wrapping_add(at),
            sign: if node.sign == NONE { NONE } else { node.sign.wrapping_add(token) },
        };
        all_nodes.extend(new_nodes.iter().map(|new| shifted(new, token as u32, node as u32)));
        all_nodes.extend(self.nodes[nodes.end..].iter().map(|old| shifted(old, by_tokens, by_nodes)));
        Self { text: Arc::from(text), tokens: all_tokens, nodes: all_nodes, mistakes: Vec::new() }
    }
}

/// New items, parsed alone between separate brackets.
struct Part {
    tree: Tree,
    /// The number of bytes before the items. `tokens` and `nodes` count the tokens and nodes before the
    /// items. All of these were added only to parse the items.
    bytes: usize,
    tokens: usize,
    nodes: usize,
}

impl Part {
    /// Whether the items can replace the old ones.
    fn fits(&self, touched: &Touched, bracket: Bracket, is_call: bool) -> bool {
        let inner = &self.tree.tokens[self.tokens..self.tree.tokens.len() - 1];
        // The next item needs a comma before it.
        let last = inner.iter().rev().find(|token| !token.kind.is_trivia());
        let ends_well = touched.is_last || last.is_none_or(|last| last.kind == TokenKind::Comma);
        let mut items = Vec::new();
        let mut at = self.nodes;
        while let Some(node) = self.tree.nodes.get(at) {
            items.push(node.sign != NONE);
            at = node.end as usize;
        }
        let alike = touched.named.is_none_or(|named| items.iter().all(|&own| own == named));
        // Round brackets without a type may be meant as a map. This depends on all names in them together.
        let is_plain = bracket != Bracket::Round || is_call || !items.contains(&true);
        ends_well && alike && is_plain && self.tree.mistakes.len() < mistake::MAX_MISTAKES
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_same(edited: &Tree, text: &str) {
        let whole = Tree::parse(text);
        assert_eq!(edited.text(), text);
        assert_eq!(edited.tokens, whole.tokens, "{text}");
        assert_eq!(format!("{:?}", edited.nodes), format!("{:?}", whole.nodes), "{text}");
        assert_eq!(edited.mistakes, whole.mistakes, "{text}");
    }

    const TEXT: &str = "Graph(\n    size: (5, 5), // small\n    params: { \"a\": 1, \"b\": [1, 2, (3, 4)], \
        },\n    nodes: {\n        \"x\": P(), /* c */\n        \"y\": Q(h: \"x\", v: Some(2), w: Noise(a: \
        1)),\n    },\n)\n";

    #[test]
    fn an_edit_by_hand() {
        let tree = Tree::parse(TEXT);
        let at = TEXT.find("(3").unwrap() + 1;
        let edit = Edit { span: at..at + 1, text: "30".to_owned() };
        assert!(tree.with(&edit).is_some());
        assert_same(&tree.edited(std::slice::from_ref(&edit)), &apply(TEXT, &[edit]));
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "1", "\"z\"", "\"z\": 2", "h: 3", ",", " ", "\n", "(", ")", "[", "]", "{", "}", "// c",
            "/* c */", "\"", "Some(", "P(a: 1)", "r#\"", "'", ":", "x", "=", "$", "é",
        ]);
        prop::collection::vec(piece, 0..4).prop_map(|all| all.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn an_edited_tree_equals_the_tree_of_the_edited_text(
            edits in prop::collection::vec((0..TEXT.len(), 0usize..12, pieces()), 1..4),
        ) {
            let mut tree = Tree::parse(TEXT);
            for (start, length, text) in edits {
                let whole = tree.text().to_owned();
                let start = whole.floor_char_boundary(start.min(whole.len()));
                let end = whole.ceil_char_boundary((start + length).min(whole.len()));
                let edit = Edit { span: start..end, text };
                tree = tree.edited(std::slice::from_ref(&edit));
                assert_same(&tree, &apply(&whole, &[edit]));
            }
        }

        #[test]
        fn several_at_once_too(
            a in (0usize..90, 0usize..5, pieces()),
            b in (100usize..150, 0usize..5, pieces()),
        ) {
            let edits = [a, b].map(|(start, length, text)| Edit { span: start..start + length, text });
            assert_same(&Tree::parse(TEXT).edited(&edits), &apply(TEXT, &edits));
        }
    }
}
