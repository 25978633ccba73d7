//! Values with their parameters filled in, as text: for what goes to where those parameters have no meaning.

use crate::arithmetic::{self, Arithmetic};
use crate::mistake::Problem;
use crate::parameter::{Parameter, Parameters, parameter};
use crate::read::{ReadError, Wrong, number};
use crate::token::TokenKind;
use crate::view::Value;

/// Bytes of a text at most once something was filled in: parameters that name others twice double with each.
const LONGEST: usize = 4 << 20;

/// The text of a value in which no parameter is named any more. Text with two dollar signs in front stays as
/// it is.
///
/// # Errors
/// A parameter that is not known, or arithmetic that is wrong, at its place.
pub fn fill(value: Value<'_>, parameters: &dyn Parameters) -> Result<String, ReadError> {
    if !value.text().contains('$') {
        return Ok(value.text().to_owned());
    }
    let (tree, span) = (value.tree(), value.span());
    let mut out = String::new();
    for (kind, place) in tree.tokens_from(span.start).take_while(|(_, place)| place.start < span.end) {
        let text = &tree.text()[place.clone()];
        if kind != TokenKind::Text {
            out.push_str(text);
            continue;
        }
        let problem = |problem| ReadError { span: Some(place.clone()), wrong: Wrong::Problem(problem) };
        if out.len() > LONGEST {
            return Err(problem(Problem {
                message: format!("with its parameters filled in this is longer than {} MiB", LONGEST >> 20),
                help: "name a long parameter less often, or import what it holds from a file".to_owned(),
            }));
        }
        match parameter(text, parameters, text.contains('$')) {
            Parameter::None => out.push_str(text),
            Parameter::Value(value) => out.push_str(value.text()),
            Parameter::Unknown(unknown) => return Err(problem(unknown)),
            Parameter::Arithmetic(text_of) => {
                match arithmetic::evaluate(&text_of, &|name| number(name, parameters)) {
                    Arithmetic::Number(number) => out.push_str(&written(number)),
                    Arithmetic::Wrong(wrong) => return Err(problem(wrong)),
                    Arithmetic::None => out.push_str(text),
                }
            }
        }
    }
    Ok(out)
}

/// A number as text that is read as the same number, and as a whole one where it is.
fn written(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole =
        number.fract() == 0.0 && number.abs() < EXACT && !(number == 0.0 && number.is_sign_negative());
    if is_whole { format!("{number:.0}") } else { format!("{number:?}") }
}
