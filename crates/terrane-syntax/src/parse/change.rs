//! Changes of single brackets: what they do to the tokens, and the mistakes that they correct.

use std::ops::Range;

use crate::mistake::Mistake;
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
            Self::Open(at, bracket) => {
                let last = significant_before(tokens, *at).unwrap_or(0);
                let blank = if tokens[last].kind == TokenKind::Colon && byte(last + 1) == byte(*at) {
                    " "
                } else {
                    ""
                };
                if tokens[..*at].iter().all(|token| token.kind.is_trivia()) {
                    let line = text[..byte(*at)].rfind('\n').map_or(0, |end| end + 1);
                    return syntax_errors::missing_type(span(*at), &text[span(*at)])
                        .fixed_by(line..line, "Graph(\n");
                }
                let mut place = byte(*at);
                let mistake = match tokens[last].kind {
                    TokenKind::Comma | TokenKind::Open(_) => {
                        let next =
                            (*at..tokens.len()).find(|at| !tokens[*at].kind.is_trivia()).unwrap_or(*at);
                        place = byte(next);
                        syntax_errors::missing_open_before(span(next), &text[span(next)], *bracket)
                    }
                    kind => {
                        let key = significant_before(tokens, last).filter(|_| kind == TokenKind::Colon);
                        let before = byte(key.unwrap_or(last))..byte(last + 1);
                        syntax_errors::missing_open(before.clone(), &text[before], *bracket)
                    }
                };
                mistake.fixed_by(place..place, format!("{blank}{}", bracket.open()))
            }
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
                let close = format!("{}{}", bracket.close(), if *comma { "," } else { "" });
                syntax_errors::open_bracket(span(*open), *bracket, what).fixed_by(byte(*at)..byte(*at), close)
            }
        }
    }
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
