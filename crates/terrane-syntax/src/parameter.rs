//! Parameters of a graph in its values: `"$name"`, `"$name * 2"`, and `"$$"` for a dollar sign.

use crate::mistake::Problem;
use crate::view::Value;
use crate::{arithmetic, literal};

/// The parameters that a text can refer to.
pub trait Parameters {
    /// The value of a parameter.
    ///
    /// # Errors
    /// Fails if there is no parameter of that name. The problem says what is wrong and what to do.
    fn get(&self, name: &str) -> Result<Value<'_>, Problem>;

    /// Whether there is a parameter of that name.
    fn has(&self, name: &str) -> bool {
        self.get(name).is_ok()
    }

    /// Whether quoted text can name parameters.
    fn can_be_named(&self) -> bool {
        true
    }
}

/// No parameters.
pub struct NoParameters;

impl Parameters for NoParameters {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        let message = format!("`\"${name}\"` is not known");
        Err(Problem { message, help: "there are no parameters here: write the value itself".to_owned() })
    }
}

/// The name in `"$name"`, as written; `None` for arithmetic and other text.
#[must_use]
pub fn parameter_name(written: &str) -> Option<&str> {
    let inner = written.strip_prefix('"')?.strip_suffix('"')?;
    let name = inner.strip_prefix('$')?;
    (!name.contains('"') && !name.starts_with('$') && !arithmetic::is_arithmetic(inner)).then_some(name)
}

/// The parameter names in quoted text, as written. Some may be unknown.
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

/// Values written by a program: quoted text is taken literally, including dollar signs.
pub struct Literally;

impl Parameters for Literally {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        NoParameters.get(name)
    }

    fn can_be_named(&self) -> bool {
        false
    }
}

/// The meaning of quoted text.
pub enum Parameter<'p> {
    /// The text itself.
    None,
    /// The value of a parameter.
    Value(Value<'p>),
    /// An unknown parameter.
    Unknown(Problem),
    /// Text that may be arithmetic.
    Arithmetic(String),
}

/// The meaning of quoted text, as written. It can be arithmetic only if a number is expected or if it begins
/// with a dollar sign.
pub fn parameter<'p>(written: &str, parameters: &'p dyn Parameters, is_number: bool) -> Parameter<'p> {
    if !(is_number || written.contains('$')) || !parameters.can_be_named() {
        return Parameter::None;
    }
    let Some(text) = literal::text(written).filter(|text| !text.starts_with("$$")) else {
        return Parameter::None;
    };
    // An escaped dollar sign is plain text.
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
    fn names_and_arithmetic_are_distinguished() {
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
