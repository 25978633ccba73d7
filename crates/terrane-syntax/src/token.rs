//! Tokens: words, brackets, signs, and the blanks and comments between them.

/// A kind of bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// `(` and `)`: fields of a call, tuples.
    Round,
    /// `[` and `]`: lists.
    Square,
    /// `{` and `}`: maps.
    Curly,
}

impl Bracket {
    /// The opening bracket.
    #[must_use]
    pub const fn open(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    /// The closing bracket.
    #[must_use]
    pub const fn close(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Blanks and line breaks.
    Blank,
    /// `// …`, without its line break.
    LineComment,
    /// `/* … */`, nested.
    BlockComment,
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// `=`, which RON does not have.
    Equals,
    /// `;`, which RON does not have.
    Semicolon,
    /// A name or a number.
    Word,
    /// Text in quotes, raw or not, with its prefix.
    Text,
    /// A character in single quotes.
    Char,
}

impl TokenKind {
    /// Whether the parser skips the token. It skips blanks and comments.
    #[must_use]
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::LineComment | Self::BlockComment)
    }
}

/// A token. It ends where the next token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its first byte.
    pub start: u32,
}
