//! The text of values with their parameters filled in. It is used where the parameters are not defined.

use crate::arithmetic::{self, Arithmetic};
use crate::mistake::Problem;
use crate::parameter::{Parameter, Parameters, parameter};
use crate::read::{ReadError, Wrong, number};
use crate::token::TokenKind;
use crate::view::Value;

/// The maximum length in bytes of a filled text. If each parameter names the next one twice, the length
/// doubles at each step.
const MAX_BYTES: usize = 4 << 20;

/// The text of a value in which every parameter is replaced by the value that it stands for. Text that begins
/// with two dollar signs is kept as it is.
///
/// # Errors
/// Fails with an unknown parameter or invalid arithmetic, with its position.
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
        match parameter(text, parameters, text.contains('$')) {
            Parameter::None => out.push_str(text),
            Parameter::Value(value) if out.len() + value.text().len() > MAX_BYTES => {
                return Err(problem(Problem {
                    message: format!(
                        "this is longer than {} MiB with its parameters filled in",
                        MAX_BYTES >> 20
                    ),
                    help: "use a long parameter less often, or import its value from a file".to_owned(),
                }));
            }
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

/// A number as text that reads back as the same number. Whole numbers have no decimals.
fn written(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole =
        number.fract() == 0.0 && number.abs() < EXACT && !(number == 0.0 && number.is_sign_negative());
    if is_whole { format!("{number:.0}") } else { format!("{number:?}") }
}
