//! The message for an unknown parameter, and what is meant by it.

use terrane_syntax::{Problem, parameter_names};

use crate::report::suggest;

/// The message for an unknown parameter.
pub fn unknown(name: &str) -> String {
    format!("{} is not known", suggest::shorten(&format!("\"${name}\"")))
}

/// The text of a value with the parameter that a problem suggests instead of an unknown one.
pub fn mended_parameter(text: &str, problem: &Problem) -> Option<String> {
    let near = problem.help.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let name = parameter_names(text).find(|name| unknown(name) == problem.message)?;
    let at = name.as_ptr() as usize - text.as_ptr() as usize;
    Some(format!("{}{near}{}", &text[..at], &text[at + name.len()..]))
}
