//! What is told of a snapshot.

use std::path::PathBuf;

use terrane_flow::Job;

use super::subject::Subject;

/// What became of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is as it was.
    Passed,
    /// The value is another.
    Changed,
    /// There was none.
    New,
    /// What there is now was taken as right.
    Accepted,
    /// There is no value, or files could not be read or written.
    Failed,
    /// Nothing has it any more.
    Unused,
    /// Nothing had it any more, and it was removed.
    Removed,
}

impl Outcome {
    /// All of them, in the order in which they are counted up.
    pub const ALL: [Self; 7] =
        [Self::Passed, Self::Changed, Self::New, Self::Accepted, Self::Failed, Self::Unused, Self::Removed];

    /// The outcome in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Accepted => "accepted",
            Self::Failed => "failed",
            Self::Unused => "unused",
            Self::Removed => "removed",
        }
    }
}

/// A snapshot, and what became of it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The graph's file.
    pub graph: PathBuf,
    /// What it is about.
    pub subject: Subject,
    /// Its file.
    pub file: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// Lines that differ.
    pub difference: String,
    /// A picture of what differs.
    pub picture: Option<PathBuf>,
}

/// Whoever is told of tests while they go on.
pub trait Listener {
    /// A graph's values are being made.
    fn job(&mut self, _job: &Job) {}

    /// A snapshot was looked at.
    fn told(&mut self, _told: &Told) {}

    /// Something that a person should know.
    fn note(&mut self, _text: &str) {}
}

/// Nobody is told.
impl Listener for () {}
