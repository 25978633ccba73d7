//! What can go wrong with a file.

use std::path::{Path, PathBuf};

/// A file that cannot be read or written: which, why, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct IoError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub help: String,
}

impl IoError {
    /// An error about a file.
    #[must_use]
    pub fn new(path: &Path, problem: impl std::fmt::Display, help: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.to_string(), help: help.into() }
    }
}

/// What is wrong with the content of a file, before it is known which file that is.
#[derive(Debug)]
pub struct Problem {
    pub what: String,
    pub help: String,
}

impl Problem {
    pub fn new(what: impl std::fmt::Display, help: impl Into<String>) -> Self {
        Self { what: what.to_string(), help: help.into() }
    }

    /// A file that ends early or contradicts itself.
    pub fn broken(what: impl std::fmt::Display) -> Self {
        Self::new(format!("the file is damaged: {what}"), "export it again, or fetch it again whole")
    }

    pub fn at(self, path: &Path) -> IoError {
        IoError { path: path.to_owned(), problem: self.what, help: self.help }
    }
}
