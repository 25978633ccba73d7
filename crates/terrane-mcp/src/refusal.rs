//! Why a tool did not do what it was asked for.

use serde_json::{Value as Json, json};
use terrane_flow::Diagnostics;
use terrane_runs::{Failure, Problem};

use crate::folder::Folder;
use crate::mistakes;

/// Why a tool did not do what it was asked for.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    /// What is wrong.
    pub what: String,
    /// Where: an argument, a file, or a node.
    pub place: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do.
    pub remedy: String,
    /// Further facts, such as the mistakes of a graph.
    pub more: serde_json::Map<String, Json>,
}

impl Refusal {
    /// A refusal with its remedy.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into(), ..Self::default() }
    }

    /// Says where it is.
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// Says what was expected and what was found.
    pub fn expected(self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), ..self }
    }

    /// Adds a fact.
    pub fn with(mut self, name: &str, fact: Json) -> Self {
        self.more.insert(name.to_owned(), fact);
        self
    }

    /// A failure of a run.
    pub fn of(failure: Failure, folder: &Folder) -> Self {
        match failure {
            Failure::Graph(mistakes) => Self::of_graph(&mistakes, folder),
            Failure::Usage(problem) => Self::of_problem(problem, folder),
            Failure::Evaluation(problems) => {
                let list: Vec<Json> = problems
                    .iter()
                    .map(|p| json!({ "what": folder.shown(&p.message), "remedy": folder.shown(&p.help) }))
                    .collect();
                let mut all = problems.into_iter();
                let first = all.next().unwrap_or_else(|| Problem::new("the evaluation failed", "run again"));
                Self::of_problem(first, folder).with("problems", list.into())
            }
        }
    }

    /// A problem with its remedy.
    pub fn of_problem(problem: Problem, folder: &Folder) -> Self {
        Self::new(folder.shown(&problem.message), folder.shown(&problem.help))
    }

    /// The mistakes of a graph.
    pub fn of_graph(found: &Diagnostics, folder: &Folder) -> Self {
        let count = found.0.len();
        let first = found.0.first();
        let what = first.map_or_else(String::new, |first| folder.shown(&first.message));
        let remedy = first.map_or_else(String::new, |first| folder.shown(&first.help));
        let place = first.and_then(terrane_flow::Diagnostic::location);
        Self::new(format!("the graph has {count} mistakes; the first: {what}"), remedy)
            .at(place.map_or_else(String::new, |place| folder.shown(&place)))
            .with("mistakes", mistakes::listed(found, folder))
    }

    /// The refusal as JSON.
    pub fn to_json(&self) -> Json {
        let mut error = json!({
            "what": self.what, "where": self.place, "expected": self.expected, "found": self.found,
            "remedy": self.remedy,
        });
        if let Some(error) = error.as_object_mut() {
            error.extend(self.more.clone());
        }
        json!({ "error": error })
    }

    /// The refusal in lines.
    pub fn to_text(&self) -> String {
        let lines = [
            ("error", &self.what),
            ("where", &self.place),
            ("expected", &self.expected),
            ("found", &self.found),
            ("remedy", &self.remedy),
        ];
        let told = lines.iter().filter(|(_, text)| !text.is_empty());
        let mut text: String = told.map(|(name, text)| format!("{name}: {text}\n")).collect();
        for mistake in self.more.get("mistakes").and_then(Json::as_array).into_iter().flatten() {
            text += &mistakes::line(mistake);
        }
        text
    }
}
