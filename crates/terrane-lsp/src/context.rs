//! What surrounds a position of a text, valid or not: the brackets that are open there, with the names before
//! them and the keys in them. Only what stands before the position counts, so that a text may be incomplete.

use std::ops::Range as Span;

use terrane_flow::syntax::{Bracket, TokenKind, Tree, section_at};

/// An open bracket before a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its kind.
    pub bracket: Bracket,
    /// Its first byte.
    pub open: usize,
    /// The name before it: `Perlin` before `Perlin(`.
    pub name: Option<Span<usize>>,
    /// The key in it whose value contains the position: `height` in `(height: |`. Quotes do not count.
    pub key: Option<Span<usize>>,
    /// The key that is missing before a map of a graph, as its entries show it.
    pub lost: Option<&'static str>,
    /// The number of commas in it before the position.
    pub index: usize,
}

impl Frame {
    const fn new(bracket: Bracket, open: usize, name: Option<Span<usize>>) -> Self {
        Self { bracket, open, name, key: None, lost: None, index: 0 }
    }
}

/// What surrounds a position.
#[derive(Clone, Debug)]
pub struct Context<'t> {
    tree: &'t Tree,
    /// The open brackets, the outermost first.
    pub frames: Vec<Frame>,
    /// The word or the quoted text at the position, without quotes. In arithmetic, the parameter's name with
    /// its `$`. Empty if there is none.
    pub word: Span<usize>,
    /// Whether the word is in quotes.
    pub is_quoted: bool,
    /// Whether the word is quoted and its second quote is missing.
    pub is_open: bool,
    /// Whether nothing but comments precedes the position.
    pub is_first: bool,
    /// Whether no word can stand at the position.
    pub is_idle: bool,
    /// The end of a value before the position that no comma follows yet.
    pub no_comma: Option<usize>,
    /// Whether the position is in a comment.
    pub is_comment: bool,
}

impl<'t> Context<'t> {
    /// What surrounds a byte of a text. O(length).
    #[must_use]
    pub fn at(tree: &'t Tree, offset: usize) -> Self {
        let mut this = Self {
            tree,
            frames: Vec::new(),
            word: offset..offset,
            is_quoted: false,
            is_open: false,
            is_first: true,
            no_comma: None,
            is_idle: false,
            is_comment: false,
        };
        let mut last: Option<(Span<usize>, bool)> = None;
        // The end of the token before, if a value can end with it.
        let mut ended: Option<usize> = None;
        for (kind, span) in tree.tokens_from(0) {
            // A bracket that was added for a missing one is empty.
            if span.end == offset && span.start == offset {
                continue;
            }
            if span.start >= offset {
                // The position before a value stands for the value.
                let is_value =
                    span.start == offset && this.frames.last().is_some_and(|own| own.key.is_some());
                if is_value && matches!(kind, TokenKind::Word | TokenKind::Text) && ended.is_none() {
                    this.word = span;
                }
                break;
            }
            let touches = offset <= span.end;
            let end = span.end;
            match kind {
                TokenKind::LineComment if touches => this.is_comment = true,
                TokenKind::BlockComment if offset < span.end => this.is_comment = true,
                TokenKind::Word if touches => {
                    this.word = span;
                    break;
                }
                TokenKind::Text if offset < span.end || !is_closed(&tree.text()[span.clone()]) => {
                    // Text without its second quote ends where the line does.
                    if touches {
                        let text = inner(tree.text(), &span);
                        this.is_quoted = offset >= text.start;
                        this.is_open = this.is_quoted && !is_closed(&tree.text()[span]);
                        this.word = parameter(tree.text(), &text, offset);
                        break;
                    }
                    last = Some((inner(tree.text(), &span), true));
                }
                TokenKind::Word => last = Some((span, false)),
                TokenKind::Text => last = Some((inner(tree.text(), &span), true)),
                TokenKind::Open(bracket) => {
                    let mut name = last.take().filter(|(_, quoted)| !quoted).map(|(span, _)| span);
                    // A colon is missing in `nodes {`.
                    if let Some(frame) = this.frames.last_mut().filter(|_| bracket == Bracket::Curly) {
                        frame.key = name.take().or(frame.key.take());
                        let is_graph =
                            frame.name.as_ref().is_some_and(|own| &tree.text()[own.clone()] == "Graph");
                        if frame.key.is_none() && is_graph {
                            // The bracket itself is empty if it is missing.
                            let inside = tree.tokens_from(span.end).filter(|(_, own)| !own.is_empty());
                            frame.lost = section_at(inside.map(|(kind, own)| (kind, &tree.text()[own])));
                        }
                    }
                    this.frames.push(Frame::new(bracket, span.start, name));
                }
                TokenKind::Close(bracket) => {
                    this.close(bracket);
                    last = None;
                }
                TokenKind::Colon => {
                    let is_quoted = last.as_ref().is_some_and(|(_, quoted)| *quoted);
                    let key = last.take().map(|(span, _)| span);
                    this.close_before_key(is_quoted);
                    this.open_missing_map(is_quoted, key.as_ref());
                    if let Some(frame) = this.frames.last_mut() {
                        frame.key = key;
                    }
                }
                TokenKind::Comma => {
                    if let Some(frame) = this.frames.last_mut() {
                        frame.index += 1;
                        (frame.key, frame.lost) = (None, None);
                    }
                    last = None;
                }
                _ => {}
            }
            if !kind.is_trivia() {
                this.is_first = false;
                let ends = matches!(kind, TokenKind::Word | TokenKind::Text | TokenKind::Close(_));
                ended = Some(end).filter(|_| ends);
            }
        }
        if let Some(end) = ended {
            // Behind a value, the next entry follows. Directly behind it, and behind a key, only a comma or a
            // colon can follow.
            let frame = this.frames.last_mut().filter(|_| this.word != (end..end));
            match frame.and_then(|frame| frame.key.take()) {
                Some(_) => this.no_comma = Some(end),
                None => this.is_idle = true,
            }
        }
        this
    }

    /// Closes a bracket. One that closes nothing is ignored. One that closes an outer bracket closes the
    /// inner ones too, unless it would close a map: then it is one too many.
    fn close(&mut self, bracket: Bracket) {
        let Some(at) = self.frames.iter().rposition(|frame| frame.bracket == bracket) else { return };
        if !self.frames[at + 1..].iter().any(|frame| frame.bracket == Bracket::Curly) {
            self.frames.truncate(at);
        }
    }

    /// Closes brackets that cannot have a key: lists and tuples, and for a quoted key calls.
    fn close_before_key(&mut self, is_quoted: bool) {
        let fits = |frame: &Frame| match frame.bracket {
            Bracket::Curly => true,
            Bracket::Round => frame.name.is_some() && !is_quoted,
            Bracket::Square => false,
        };
        if let Some(at) = self.frames.iter().rposition(fits) {
            self.frames.truncate(at + 1);
        }
    }

    /// Opens the map of a quoted key that is in none: `nodes: "a": Perlin()` lacks its bracket.
    fn open_missing_map(&mut self, is_quoted: bool, key: Option<&Span<usize>>) {
        let (Some(key), Some(frame)) = (key.filter(|_| is_quoted), self.frames.last()) else { return };
        if frame.bracket == Bracket::Round && frame.name.is_some() && frame.key.is_some() {
            self.frames.push(Frame::new(Bracket::Curly, key.start, None));
        }
    }

    /// The kind of the first token from a byte on that is no comment, and whether it begins there.
    #[must_use]
    pub fn next(&self, at: usize) -> Option<(TokenKind, bool)> {
        let mut rest = self.tree.tokens_from(self.word.start);
        let after = rest.find(|(kind, span)| !kind.is_trivia() && span.start >= at);
        after.map(|(kind, span)| (kind, span.start == at))
    }

    /// Whether an entry follows a byte: a key, or something on a later line.
    #[must_use]
    pub fn entry_follows(&self, at: usize) -> bool {
        let rest = self.tree.tokens_from(self.word.start);
        let mut rest = rest.filter(|(kind, span)| !kind.is_trivia() && span.start >= at);
        let Some((_, first)) = rest.next() else { return false };
        self.tree.text()[at..first.start].contains('\n')
            || rest.next().is_some_and(|(kind, _)| kind == TokenKind::Colon)
    }

    /// Whether nothing but comments follows a byte on its line.
    #[must_use]
    pub fn ends_line(&self, at: usize) -> bool {
        let Some(length) = self.tree.text()[at..].find('\n') else { return false };
        let mut rest = self.tree.tokens_from(self.word.start);
        let next = rest.find(|(kind, span)| !kind.is_trivia() && span.start >= at);
        next.is_none_or(|(_, span)| span.start > at + length)
    }

    /// The text of a span.
    #[must_use]
    pub fn text(&self, span: &Span<usize>) -> &'t str {
        &self.tree.text()[span.clone()]
    }

    /// The key in a frame whose value contains the position.
    #[must_use]
    pub fn key(&self, frame: &Frame) -> Option<&'t str> {
        frame.key.as_ref().map(|span| self.text(span)).or(frame.lost)
    }

    /// The name before a frame's bracket.
    #[must_use]
    pub fn name(&self, frame: &Frame) -> Option<&'t str> {
        frame.name.as_ref().map(|span| self.text(span))
    }

    /// All keys in a frame, also behind the position, except the word at the position.
    #[must_use]
    pub fn keys(&self, frame: &Frame) -> Vec<&'t str> {
        self.key_spans(frame).into_iter().map(|key| self.text(&key)).collect()
    }

    /// How many keys in a frame stand before the position.
    #[must_use]
    pub fn keys_before(&self, frame: &Frame) -> usize {
        self.key_spans(frame).iter().filter(|key| key.end <= self.word.start).count()
    }

    fn key_spans(&self, frame: &Frame) -> Vec<Span<usize>> {
        let (mut keys, mut depth, mut last) = (Vec::new(), 0_usize, None);
        for (kind, span) in self.tree.tokens_from(frame.open).skip(1) {
            match kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) if depth == 0 => break,
                TokenKind::Close(_) => depth -= 1,
                TokenKind::Word if depth == 0 => last = Some(span),
                TokenKind::Text if depth == 0 => last = Some(inner(self.tree.text(), &span)),
                TokenKind::Colon if depth == 0 => {
                    keys.extend(last.take().filter(|key| *key != self.word));
                }
                TokenKind::Comma => last = None,
                _ => {}
            }
        }
        keys
    }
}

/// Whether quoted text has both of its quotes.
fn is_closed(text: &str) -> bool {
    let rest = text.trim_start_matches(['b', 'r', '#']);
    rest.len() > 1 && text.trim_end_matches('#').ends_with('"')
}

/// The part of quoted text that a proposal replaces: in arithmetic, a parameter's name with its `$`, or
/// nothing.
fn parameter(text: &str, quoted: &Span<usize>, offset: usize) -> Span<usize> {
    if offset < quoted.start || !text[quoted.clone()].contains('$') {
        return quoted.clone();
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let (before, after) = (&text[quoted.start..offset], &text[offset..quoted.end]);
    let start = before.char_indices().rev().take_while(|(_, c)| is_name(*c)).last();
    let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
    start.map_or(offset, |(at, _)| quoted.start + at)..offset + end
}

/// The content of quoted text.
fn inner(text: &str, span: &Span<usize>) -> Span<usize> {
    let token = &text[span.clone()];
    let open = token.find('"').map_or(0, |at| at + 1);
    let close = if is_closed(token) { token.rfind('"').unwrap_or(token.len()) } else { token.len() };
    span.start + open..span.start + close.max(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames at `|` as names, brackets and keys, and the word there.
    fn told(text: &str) -> String {
        let offset = text.find('|').unwrap();
        let tree = Tree::parse(text.replacen('|', "", 1));
        let context = Context::at(&tree, offset);
        let frames = context.frames.iter().map(|frame| {
            let (name, key) = (context.name(frame).unwrap_or(""), context.key(frame).unwrap_or("-"));
            format!("{name}{}{key} {}", frame.bracket.open(), frame.index)
        });
        let word = context.text(&context.word);
        let quotes = if context.is_quoted { "\"" } else { "" };
        let comment = if context.is_comment { " comment" } else { "" };
        format!("{} > {quotes}{word}{quotes}{comment}", frames.collect::<Vec<_>>().join(" > "))
    }

    #[test]
    fn contexts_by_hand() {
        assert_eq!(told("Gra|ph("), " > Graph");
        assert_eq!(told("Graph(size: (3, |"), "Graph(size 0 > (- 1 > ");
        assert_eq!(
            told("Graph(nodes: { \"a\": Blur(height: \"h|"),
            "Graph(nodes 0 > {a 0 > Blur(height 0 > \"h\""
        );
        assert_eq!(
            told("Graph(nodes: { \"a\": Blur(height: \"h|\", radius: 3) })"),
            "Graph(nodes 0 > {a 0 > Blur(height 0 > \"h\""
        );
        assert_eq!(told("Graph(nodes: { \"a\": Pe|"), "Graph(nodes 0 > {a 0 > Pe");
        assert_eq!(told("Graph(nodes: { \"a\": Perlin(), |"), "Graph(nodes 0 > {- 1 > ");
        assert_eq!(told("Graph(seed: 4, // wh|at\n"), "Graph(- 1 >  comment");
        // Before a value, and in arithmetic.
        assert_eq!(told("Graph(a: Perlin(fractal: |Ridged"), "Graph(a 0 > Perlin(fractal 0 > Ridged");
        assert_eq!(told("Graph(a: Perlin(|octaves: 3"), "Graph(a 0 > Perlin(- 0 > ");
        assert_eq!(told("Graph(a: \"$b * $c|d / 2\""), "Graph(a 0 > \"$cd\"");
        assert_eq!(told("Graph(a: \"$b * |"), "Graph(a 0 > \"\"");
        // A comma is missing.
        assert_eq!(told("Graph(size: (3, 4) |"), "Graph(- 0 > ");
        assert_eq!(
            told("Graph(nodes: { \"a\": Blur(height: \"h\" rad|"),
            "Graph(nodes 0 > {a 0 > Blur(- 0 > rad"
        );
        // Tuples have no keys, and calls no quoted ones.
        assert_eq!(told("Graph(size: (3, 4 nodes: { \"a\": |"), "Graph(nodes 0 > {a 0 > ");
        assert_eq!(
            told("Graph(nodes: { \"a\": Blur(radius: , \"b\": Blur(height: |"),
            "Graph(nodes 0 > {b 0 > Blur(height 0 > "
        );
        assert_eq!(
            told("Graph(nodes: { \"a\": Blur(height: \"h\"| ) })"),
            "Graph(nodes 0 > {a 0 > Blur(height 0 > "
        );
        // A bracket is missing, and one is too many.
        assert_eq!(told("Graph(nodes: { \"a\": Blur(height: \"h\" }, out|"), "Graph(- 1 > out");
        assert_eq!(told("Graph(nodes: { ] \"a\": |"), "Graph(nodes 0 > {a 0 > ");
        assert_eq!(told("Graph(nodes: { \"a\": Blur()), \"b\": |"), "Graph(nodes 0 > {b 1 > ");
        // One is of the wrong kind.
        assert_eq!(told("Graph(nodes: { \"a\": Blur(radius: 3}, \"b\": |"), "Graph(nodes 0 > {b 1 > ");
        assert_eq!(
            told("Graph(nodes: { \"a\": P(k: [(1, 2}, (3, 4)], h: |"),
            "Graph(nodes 0 > {a 0 > P(h 1 > "
        );
        // The bracket of a map is missing.
        assert_eq!(
            told("Graph(size: 3, nodes: \"a\": Perlin(), \"b\": Blur(height: |"),
            "Graph(nodes 1 > {b 1 > Blur(height 0 > "
        );
    }

    #[test]
    fn keys_before_and_behind() {
        let text = "Blur(height: \"h\", , radius: (a: 3), \"x\": 4) rest: 5";
        let tree = Tree::parse(text);
        let context = Context::at(&tree, text.find(" , radius").unwrap());
        assert_eq!(context.keys(&context.frames[0]), ["height", "radius", "x"]);
    }
}
