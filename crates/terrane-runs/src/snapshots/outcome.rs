//! The result of testing a snapshot, and callbacks during tests.

use std::path::PathBuf;

use terrane_flow::Job;

use super::subject::Subject;

/// The result of testing a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The value matches.
    Passed,
    /// The value differs.
    Changed,
    /// There is no accepted snapshot.
    New,
    /// The current value was accepted.
    Accepted,
    /// There is no value, or files could not be read or written.
    Failed,
    /// No subject uses the snapshot any more.
    Unused,
    /// The snapshot was unused, and was removed.
    Removed,
}

impl Outcome {
    /// All outcomes, in the order of the summary.
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

/// A tested snapshot with its result.
#[derive(Clone, Debug)]
pub struct Told {
    /// The graph's file.
    pub graph: PathBuf,
    /// The output or port that was tested.
    pub subject: Subject,
    /// The snapshot's file.
    pub file: PathBuf,
    /// The result.
    pub outcome: Outcome,
    /// The lines that differ.
    pub difference: String,
    /// A picture of the difference.
    pub picture: Option<PathBuf>,
}

/// Callbacks while tests run.
pub trait Listener {
    /// The evaluation of a graph starts.
    fn job(&mut self, _job: &Job) {}

    /// A snapshot was compared.
    fn told(&mut self, _told: &Told) {}

    /// A note for the user.
    fn note(&mut self, _text: &str) {}
}

/// A listener that does nothing.
impl Listener for () {}
