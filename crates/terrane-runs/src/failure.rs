//! Why a run gives nothing.

use terrane_flow::Diagnostics;
use terrane_flow::syntax::Problem;

/// Why a run gives nothing, or not all that was asked for.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The graph is wrong.
    Graph(Diagnostics),
    /// What is asked for cannot be had, or files are not as they must be. Nothing was evaluated, or nothing
    /// of use.
    Usage(Problem),
    /// Nodes failed, or files could not be written; all the rest was done. Empty where something is said
    /// otherwise, such as that snapshots differ.
    Evaluation(Vec<Problem>),
}

impl Failure {
    /// What is asked for cannot be had.
    #[must_use]
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage(Problem::new(message, help))
    }

    /// A node failed, or a file could not be written.
    #[must_use]
    pub fn evaluation(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Evaluation(vec![Problem::new(message, help)])
    }

    /// Nothing where there are no problems.
    ///
    /// # Errors
    /// The problems.
    pub fn unless(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self::Evaluation(problems)) }
    }

    /// What went wrong in one line, such as a cell of a table.
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

/// The first mistake of a graph, with its place.
pub fn in_short(diagnostics: &Diagnostics) -> String {
    diagnostics.0.first().map_or_else(String::new, |diagnostic| {
        let place = diagnostic.location().map_or_else(String::new, |place| format!("{place}: "));
        format!("{place}{}", diagnostic.message)
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

/// What is wrong with a file that was to be read or written.
pub fn of_file(error: &terrane_io::IoError) -> Problem {
    Problem::new(format!("{}: {}", error.path.display(), error.problem), error.remedy())
}
