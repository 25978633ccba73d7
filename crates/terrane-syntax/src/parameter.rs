//! Parameters of a graph in its values: `"$name"`, `"$name * 2"`, and `"$$"` for a dollar sign.

use crate::mistake::Problem;
use crate::view::Value;
use crate::{arithmetic, literal};

/// The parameters that a text can name.
pub trait Parameters {
    /// A parameter's value.
    ///
    /// # Errors
    /// What is wrong, and what to do, where there is none of the name.
    fn get(&self, name: &str) -> Result<Value<'_>, Problem>;

    /// Whether there is a parameter of the name.
    fn has(&self, name: &str) -> bool {
        self.get(name).is_ok()
    }

    /// Whether text in quotes is looked at for them at all.
    fn can_be_named(&self) -> bool {
        true
    }
}

/// Texts that can name none.
pub struct NoParameters;

impl Parameters for NoParameters {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        let message = format!("`\"${name}\"` is not known");
        Err(Problem { message, help: "there are no parameters here: write the value itself".to_owned() })
    }
}

/// The name in `"$name"`, as written; nothing for other text, and for arithmetic.
#[must_use]
pub fn parameter_name(written: &str) -> Option<&str> {
    let inner = written.strip_prefix('"')?.strip_suffix('"')?;
    let name = inner.strip_prefix('$')?;
    (!name.contains('"') && !name.starts_with('$') && !arithmetic::is_arithmetic(inner)).then_some(name)
}

/// The names of parameters in text in quotes, as written, some of which may not be known.
pub fn parameter_names(written: &str) -> impl Iterator<Item = &str> {
    let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    let whole = parameter_name(written);
    let counted = if whole.is_none() && arithmetic::is_arithmetic(inner) { inner } else { "" };
    let parts = counted.split('$').skip(1).map(|part| {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(part.len());
        &part[..end]
    });
    whole.into_iter().chain(parts)
}

/// Values that were written by a program: all text in quotes is what it says, dollar signs and all.
pub struct Literally;

impl Parameters for Literally {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        NoParameters.get(name)
    }

    fn can_be_named(&self) -> bool {
        false
    }
}

/// What text in quotes stands for.
pub enum Parameter<'p> {
    /// Itself.
    None,
    /// The value of a parameter.
    Value(Value<'p>),
    /// A parameter that there is not.
    Unknown(Problem),
    /// It may be arithmetic.
    Arithmetic(String),
}

/// What text in quotes, as written, stands for; arithmetic only where a number is wanted, or where it names a
/// parameter.
pub fn parameter<'p>(written: &str, parameters: &'p dyn Parameters, is_number: bool) -> Parameter<'p> {
    if !(is_number || written.contains('$')) || !parameters.can_be_named() {
        return Parameter::None;
    }
    let Some(text) = literal::text(written).filter(|text| !text.starts_with("$$")) else {
        return Parameter::None;
    };
    // A dollar sign that is written as an escape is text.
    if text.matches('$').count() != written.matches('$').count() {
        return Parameter::None;
    }
    let Some(name) = text.strip_prefix('$') else {
        let counts = is_number && arithmetic::is_arithmetic(&text);
        return if counts { Parameter::Arithmetic(text) } else { Parameter::None };
    };
    if arithmetic::is_arithmetic(&text) && !parameters.has(name) {
        return Parameter::Arithmetic(text);
    }
    match parameters.get(name) {
        Ok(value) => Parameter::Value(value),
        Err(problem) => Parameter::Unknown(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_arithmetic() {
        let names = |written| parameter_names(written).collect::<Vec<_>>();
        for (written, name, all) in [
            ("\"$n\"", Some("n"), vec!["n"]),
            ("\"$n * 2\"", None, vec!["n"]),
            ("\"$n-$m\"", None, vec!["n", "m"]),
            ("\"2 * ($n)\"", None, vec!["n"]),
            ("\"$two words\"", Some("two words"), vec!["two words"]),
            ("\"$$n\"", None, vec![]),
            ("\"n\"", None, vec![]),
            ("\"$", None, vec![]),
        ] {
            assert_eq!((parameter_name(written), names(written)), (name, all), "{written}");
        }
    }
}
