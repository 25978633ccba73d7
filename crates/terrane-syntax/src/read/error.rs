//! Why a value was not read.

use std::fmt;
use std::ops::Range;

use crate::mistake::Problem;

/// Why a value was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The bytes of the text that it is about: a part of the value, or the `"$name"` by whose value it is
    /// wrong.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is of another sort.
    Unexpected {
        /// What was expected.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A parameter, or arithmetic.
    Problem(Problem),
    /// What the type that is read says of it.
    Other(String),
}

impl ReadError {
    /// The error, at a place where it has none.
    pub fn at(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Wrong::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::Problem(problem) => f.write_str(&problem.message),
            Wrong::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

impl serde::de::Error for ReadError {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self { span: None, wrong: Wrong::Other(message.to_string()) }
    }
}
