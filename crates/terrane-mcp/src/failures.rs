//! Failures of runs and mistakes of graphs as refusals.

use serde_json::{Value as Json, json};
use terrane_flow::{Diagnostic, Diagnostics};
use terrane_runs::{Failure, Problem};

use crate::folder::Folder;
use crate::mistakes;
use crate::refusal::Refusal;

/// A failure of a run.
pub fn of(failure: Failure, folder: &Folder) -> Refusal {
    match failure {
        Failure::Graph(mistakes) => of_graph(&mistakes, folder),
        Failure::Usage(problem) => of_problem(problem, folder),
        Failure::Evaluation(problems) => {
            let list: Vec<Json> = problems
                .iter()
                .map(|p| json!({ "what": folder.shown(&p.message), "remedy": folder.shown(&p.help) }))
                .collect();
            let mut all = problems.into_iter();
            let first = all.next().unwrap_or_else(|| Problem::new("the evaluation failed", "run again"));
            of_problem(first, folder).with("problems", list.into())
        }
    }
}

/// A problem with its remedy.
pub fn of_problem(problem: Problem, folder: &Folder) -> Refusal {
    Refusal::new(folder.shown(&problem.message), folder.shown(&problem.help))
}

/// The mistakes of a graph.
pub fn of_graph(found: &Diagnostics, folder: &Folder) -> Refusal {
    let count = mistakes::counted(found.0.len());
    let first = found.0.first();
    let what = first.map_or_else(String::new, |first| folder.shown(&first.message));
    let remedy = first.map_or_else(String::new, |first| folder.shown(&first.help));
    let place = first.and_then(Diagnostic::location);
    Refusal::new(format!("the graph has {count}; the first: {what}"), remedy)
        .at(place.map_or_else(String::new, |place| folder.shown(&place)))
        .with("mistakes", mistakes::listed(found, folder))
}
