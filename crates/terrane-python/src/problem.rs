//! Errors as Python exceptions.

use pyo3::prelude::*;
use terrane_flow::syntax::Problem;
use terrane_flow::{Diagnostic, Diagnostics};
use terrane_runs::Failure;

use crate::causes;
use crate::json::to_python;

/// The exception for a failure. It has the text that the command prints, and a list of problems.
pub fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    let (class, diagnostics) = match failure {
        Failure::Graph(diagnostics) => ("GraphError", diagnostics),
        Failure::Usage(problem) => ("UsageError", without_place([problem])),
        Failure::Evaluation(problems) => ("EvaluationError", without_place(problems)),
    };
    let made = exception(py, class, &diagnostics);
    made.unwrap_or_else(|error| error)
}

/// The exception for invalid arguments.
pub fn usage(py: Python<'_>, message: impl Into<String>, help: impl Into<String>) -> PyErr {
    raised(py, Failure::usage(message, help))
}

fn without_place(problems: impl IntoIterator<Item = Problem>) -> Diagnostics {
    Diagnostics(problems.into_iter().map(|p| Diagnostic::nowhere(p.message, p.help)).collect())
}

/// Replaces options of the command by Python arguments: `--allow-outside` becomes `allow_outside=`.
fn in_python(diagnostics: &Diagnostics) -> Diagnostics {
    let own = |diagnostic: &Diagnostic| {
        // A message that begins with an option is about the argument of that name.
        let message = diagnostic.message.strip_prefix("--").unwrap_or(&diagnostic.message).to_owned();
        let diagnostic = Diagnostic { message, ..diagnostic.clone() };
        // Help that names a command stays unchanged.
        if diagnostic.help.contains("terrane ") {
            return diagnostic;
        }
        let mut words = diagnostic.help.split(' ').peekable();
        let mut help: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            let option = word.strip_prefix("--").filter(|o| o.starts_with(|c: char| c.is_ascii_lowercase()));
            let Some(option) = option else {
                help.push(word.to_owned());
                continue;
            };
            let end = option.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(option.len());
            let (name, rest) = (option[..end].replace('-', "_"), &option[end..]);
            // A share is two numbers, separated by a slash in the command.
            let share = words.peek().filter(|_| name == "share").and_then(|value| value.split_once('/'));
            if let Some((number, of)) = share {
                help.push(format!("share=({number}, {of})"));
                words.next();
            } else {
                help.push(format!("{name}={rest}"));
            }
        }
        Diagnostic { help: help.join(" "), ..diagnostic }
    };
    Diagnostics(diagnostics.0.iter().map(own).collect())
}

fn exception(py: Python<'_>, class: &str, diagnostics: &Diagnostics) -> PyResult<PyErr> {
    let diagnostics = &in_python(diagnostics);
    let problems = diagnostics.to_json().map(|json| to_python(py, &json)).collect::<PyResult<Vec<_>>>()?;
    let class = py.import("pyterrane._errors")?.getattr(class)?;
    let value = class.call1((diagnostics.render(false).trim_end(), problems))?;
    let error = PyErr::from_value(value);
    if let Some(cause) = diagnostics.0.iter().find_map(|diagnostic| causes::take(&diagnostic.message)) {
        error.set_cause(py, Some(cause));
    }
    Ok(error)
}
