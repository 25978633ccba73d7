//! What is wrong, as Python exceptions.

use pyo3::prelude::*;
use terrane_flow::syntax::Problem;
use terrane_flow::{Diagnostic, Diagnostics};
use terrane_runs::Failure;

use crate::causes;
use crate::json::to_python;

/// The exception for a failure. Its text is what the command draws; `problems` are its parts.
pub fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    let (class, diagnostics) = match failure {
        Failure::Graph(diagnostics) => ("GraphError", diagnostics),
        Failure::Usage(problem) => ("UsageError", without_place([problem])),
        Failure::Evaluation(problems) => ("EvaluationError", without_place(problems)),
    };
    let made = exception(py, class, &diagnostics);
    made.unwrap_or_else(|error| error)
}

/// The exception for what is asked for in a way that cannot be.
pub fn usage(py: Python<'_>, message: impl Into<String>, help: impl Into<String>) -> PyErr {
    raised(py, Failure::usage(message, help))
}

fn without_place(problems: impl IntoIterator<Item = Problem>) -> Diagnostics {
    Diagnostics(problems.into_iter().map(|p| Diagnostic::nowhere(p.message, p.help)).collect())
}

/// Options of the command as Python has them: `--allow-outside` is an argument `allow_outside=`.
fn in_python(diagnostics: &Diagnostics) -> Diagnostics {
    let own = |diagnostic: &Diagnostic| {
        let mut words = diagnostic.help.split(' ').map(|word| match word.strip_prefix("--") {
            Some(option) if option.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let end =
                    option.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(option.len());
                format!("{}={}", option[..end].replace('-', "_"), &option[end..])
            }
            _ => word.to_owned(),
        });
        let first = words.next().unwrap_or_default();
        let help = words.fold(first, |text, word| text + " " + &word);
        Diagnostic { help, ..diagnostic.clone() }
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
