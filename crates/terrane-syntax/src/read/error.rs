//! Errors of reading a value.

use std::fmt;
use std::ops::Range;

use crate::mistake::Problem;

/// Why a value could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadError {
    /// The affected bytes: a part of the value, or the `"$name"` of the parameter whose value is wrong.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// The value has another form than expected.
    Unexpected {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The result of arithmetic is of another type than expected.
    Result {
        /// What was expected.
        expected: String,
        /// The arithmetic, as written.
        text: String,
        /// Its result.
        number: f64,
    },
    /// A problem with a parameter or with arithmetic.
    Problem(Problem),
    /// A message from the type that is read.
    Other(String),
}

impl ReadError {
    /// Sets the position of the error if it has none.
    pub fn at(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Wrong::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::Result { expected, text, number } => {
                write!(f, "expected {expected}, found `{text}`, which is {number}")
            }
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
