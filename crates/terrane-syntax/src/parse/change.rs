//! Changes of single brackets: what they do to the tokens, and the mistakes that they correct.

use std::ops::Range;

use crate::mistake::{Edit, Mistake};
use crate::section::section_at;
use crate::syntax_errors;
use crate::token::{Bracket, Token, TokenKind};

/// A change of a bracket.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another kind of bracket; the bracket that it belongs to.
    Kind(usize, Bracket, usize),
    /// A bracket that opens instead of one that closes, or the other way.
    Turn(usize, TokenKind),
    /// No bracket. An opening one is taken away with the name before it, a closing one with its comma.
    Remove(Range<usize>),
    /// One more bracket that opens before a token.
    Open(usize, Bracket),
    /// One more bracket that closes before a token: the bracket that it closes, and whether a comma follows.
    Close(usize, Bracket, usize, bool),
}

impl Change {
    /// Changes tokens. Other tokens keep their bytes.
    pub fn apply(&self, tokens: &mut Vec<Token>) {
        match self {
            Self::Kind(at, bracket, _) => {
                let is_open = matches!(tokens[*at].kind, TokenKind::Open(_));
                tokens[*at].kind =
                    if is_open { TokenKind::Open(*bracket) } else { TokenKind::Close(*bracket) };
            }
            Self::Turn(at, kind) => tokens[*at].kind = *kind,
            Self::Remove(range) => {
                for token in &mut tokens[range.clone()] {
                    token.kind = TokenKind::Blank;
                }
            }
            Self::Open(at, bracket) => add(tokens, *at, [TokenKind::Open(*bracket)]),
            Self::Close(at, bracket, _, false) => add(tokens, *at, [TokenKind::Close(*bracket)]),
            Self::Close(at, bracket, _, true) => {
                add(tokens, *at, [TokenKind::Close(*bracket), TokenKind::Comma]);
            }
        }
    }

    /// The mistake that it corrects.
    pub fn mistake(&self, text: &str, tokens: &[Token]) -> Mistake {
        let byte = |at: usize| tokens.get(at).map_or(text.len(), |token| token.start as usize);
        let span = |at: usize| byte(at)..byte(at + 1);
        let line = |at: usize| 1 + text[..byte(at)].matches('\n').count();
        match self {
            Self::Kind(at, bracket, other) => match tokens[*at].kind {
                TokenKind::Open(is) => syntax_errors::wrong_open(span(*at), is, *bracket, line(*other)),
                TokenKind::Close(is) => syntax_errors::wrong_close(span(*at), *bracket, is, line(*other)),
                _ => unreachable!("only brackets have another kind"),
            },
            Self::Turn(at, kind) => syntax_errors::turned(span(*at), sign(tokens[*at].kind), sign(*kind)),
            Self::Remove(range) => {
                let bytes = byte(range.start)..byte(range.end);
                let at = range.clone().find(|at| is_bracket(tokens[*at].kind)).unwrap_or(range.start);
                match tokens[at].kind {
                    TokenKind::Open(is) => syntax_errors::stray_open(span(at), is).fixed_by(bytes, ""),
                    TokenKind::Close(is) => syntax_errors::stray_close(span(at), is).fixed_by(bytes, ""),
                    _ => unreachable!("only brackets are taken away"),
                }
            }
            Self::Open(at, bracket) => opened(text, tokens, *at, *bracket),
            Self::Close(at, bracket, open, comma) => {
                let next = (*at..tokens.len()).find(|at| {
                    let kind = tokens[*at].kind;
                    !kind.is_trivia() && kind != TokenKind::Comma && span(*at).start < span(*at).end
                });
                let what = next.map(|next| match tokens[next].kind {
                    TokenKind::Close(bracket) => (format!("the `{}`", bracket.close()), line(next)),
                    _ => (format!("the name `{}`", &text[span(next)]), line(next)),
                });
                let what = what.as_ref().map(|(what, line)| (&**what, *line));
                let first = (*open + 1..*at).find(|at| !tokens[*at].kind.is_trivia()).unwrap_or(*at);
                let close = closing(text, (byte(*open), byte(first), byte(*at)), *bracket, *comma);
                syntax_errors::open_bracket(span(*open), *bracket, what).fixed_by(close.span, close.text)
            }
        }
    }
}

/// The edit that closes a bracket behind its last value: on a line of its own, if its first value has one.
/// The bytes are those of the bracket, of what follows it, and of the end of the value.
pub fn closing(
    text: &str,
    (open, first, end): (usize, usize, usize),
    bracket: Bracket,
    needs_comma: bool,
) -> Edit {
    let close = bracket.close();
    if first >= end || !text[open..first].contains('\n') {
        let comma = if needs_comma { "," } else { "" };
        return Edit { span: end..end, text: format!("{close}{comma}") };
    }
    let behind = text[end..].trim_start_matches([' ', '\t']).strip_prefix(',');
    let line = &text[text[..open].rfind('\n').map_or(0, |end| end + 1)..open];
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let line_end = if text[open..first].contains("\r\n") { "\r\n" } else { "\n" };
    let comma = if needs_comma || behind.is_some() { "," } else { "" };
    let span = end..behind.map_or(end, |behind| text.len() - behind.len());
    Edit { span, text: format!(",{line_end}{indent}{close}{comma}") }
}

/// The mistake that a bracket is missing that opens before a token.
fn opened(text: &str, tokens: &[Token], at: usize, bracket: Bracket) -> Mistake {
    let byte = |at: usize| tokens.get(at).map_or(text.len(), |token| token.start as usize);
    let span = |at: usize| byte(at)..byte(at + 1);
    let line_of = |at: usize| text[..byte(at)].rfind('\n').map_or(0, |end| end + 1);
    if tokens[..at].iter().all(|token| token.kind.is_trivia()) {
        let line = line_of(at);
        return syntax_errors::missing_type(span(at), &text[span(at)]).fixed_by(line..line, "Graph(\n");
    }
    let last = significant_before(tokens, at).unwrap_or(0);
    let next = (at..tokens.len()).find(|at| !tokens[*at].kind.is_trivia()).unwrap_or(at);
    if let Some(name) = section_in(text, tokens, next).filter(|_| bracket == Bracket::Curly) {
        let mistake = syntax_errors::missing_map(span(next), &text[span(next)], name);
        // On a line of its own, if the entry has one.
        let line = line_of(next);
        if line <= byte(last) {
            return mistake.fixed_by(byte(next)..byte(next), format!("{name}: {{ "));
        }
        let indent = &text[line..byte(next)];
        let outer = indent.strip_prefix("    ").or(indent.strip_prefix('\t')).unwrap_or(indent);
        let first = byte(last) + text[byte(last)..].find('\n').map_or(0, |end| end + 1);
        return mistake.fixed_by(first..first, format!("{outer}{name}: {{\n"));
    }
    match tokens[last].kind {
        TokenKind::Comma | TokenKind::Open(_) => {
            syntax_errors::missing_open_before(span(next), &text[span(next)], bracket)
                .fixed_by(byte(next)..byte(next), bracket.open().to_string())
        }
        kind => {
            let key = significant_before(tokens, last).filter(|_| kind == TokenKind::Colon);
            let before = byte(key.unwrap_or(last))..byte(last + 1);
            let is_touching = kind == TokenKind::Colon && byte(last + 1) == byte(at);
            let blank = if is_touching { " " } else { "" };
            // The bracket takes the place of a blank behind a type.
            let is_between = kind == TokenKind::Word && !text[byte(at)..byte(next)].contains('\n');
            let end = if is_between { byte(next) } else { byte(at) };
            syntax_errors::missing_open(before.clone(), &text[before], bracket)
                .fixed_by(byte(at)..end, format!("{blank}{}", bracket.open()))
        }
    }
}

/// The field of the graph whose map should begin at a token, if the token begins an entry of one and stands
/// in a graph.
fn section_in(text: &str, tokens: &[Token], at: usize) -> Option<&'static str> {
    let shown = |at: usize| {
        let end = tokens.get(at + 1).map_or(text.len(), |next| next.start as usize);
        &text[tokens[at].start as usize..end]
    };
    let mut depth = 0_usize;
    let open = (0..at).rev().find(|at| match tokens[*at].kind {
        TokenKind::Close(_) => {
            depth += 1;
            false
        }
        TokenKind::Open(_) if depth > 0 => {
            depth -= 1;
            false
        }
        kind => matches!(kind, TokenKind::Open(_)),
    })?;
    let before = significant_before(tokens, at).map(|last| tokens[last].kind)?;
    let is_graph = significant_before(tokens, open).is_some_and(|name| shown(name) == "Graph");
    let begins = matches!(before, TokenKind::Comma | TokenKind::Open(_));
    (is_graph && begins).then(|| section_at((at..tokens.len()).map(|at| (tokens[at].kind, shown(at)))))?
}

/// Inserts empty tokens.
fn add<const N: usize>(tokens: &mut Vec<Token>, at: usize, kinds: [TokenKind; N]) {
    let Some(start) = tokens.get(at).map(|token| token.start) else { return };
    tokens.splice(at..at, kinds.map(|kind| Token { kind, start }));
}

/// The sign of a bracket.
const fn sign(kind: TokenKind) -> char {
    match kind {
        TokenKind::Open(bracket) => bracket.open(),
        TokenKind::Close(bracket) => bracket.close(),
        _ => ' ',
    }
}

const fn is_bracket(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Open(_) | TokenKind::Close(_))
}

/// The last token before another one that is no trivia.
pub fn significant_before(tokens: &[Token], at: usize) -> Option<usize> {
    tokens[..at].iter().rposition(|token| !token.kind.is_trivia())
}
