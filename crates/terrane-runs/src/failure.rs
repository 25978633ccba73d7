//! The reasons for which a run fails.

use terrane_flow::Diagnostics;
use terrane_flow::syntax::Problem;

/// Why a run produced no result, or not everything that was requested.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The graph is invalid.
    Graph(Diagnostics),
    /// The request or a file is not valid. Nothing useful was evaluated.
    Usage(Problem),
    /// Nodes failed, or files could not be written. Everything else was done. The list is empty if the
    /// listener already reported the failure, for example snapshots that differ.
    Evaluation(Vec<Problem>),
}

impl Failure {
    /// An invalid request.
    #[must_use]
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage(Problem::new(message, help))
    }

    /// A failed node, or a file that could not be written.
    #[must_use]
    pub fn evaluation(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Evaluation(vec![Problem::new(message, help)])
    }

    /// Success if there are no problems.
    ///
    /// # Errors
    /// The problems, if any.
    pub fn unless(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self::Evaluation(problems)) }
    }

    /// The failure in one line, for example for a table cell.
    #[must_use]
    pub fn in_short(&self) -> String {
        match self {
            Self::Graph(diagnostics) => in_short(diagnostics),
            Self::Usage(problem) => problem.message.clone(),
            Self::Evaluation(problems) => {
                problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; ")
            }
        }
    }
}

/// The first error of a graph, with its location.
pub fn in_short(diagnostics: &Diagnostics) -> String {
    diagnostics.0.first().map_or_else(String::new, |diagnostic| {
        let at = diagnostic.location().map_or_else(String::new, |at| format!("{at}: "));
        format!("{at}{}", diagnostic.message)
    })
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Graph(diagnostics)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.in_short())
    }
}

impl std::error::Error for Failure {}

/// The problem of a file that could not be read or written.
pub fn of_file(error: &terrane_io::IoError) -> Problem {
    Problem::new(format!("{}: {}", error.path.display(), error.problem), error.remedy())
}
