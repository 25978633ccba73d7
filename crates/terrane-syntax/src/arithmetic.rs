//! Arithmetic in quoted text: numbers, parameters, `+`, `-`, `*`, `/` and brackets.

use crate::mistake::Problem;

/// The maximum nesting depth of brackets and signs.
const MAX_DEPTH: usize = 64;

/// The result of evaluating a text.
pub enum Arithmetic {
    /// A finite number.
    Number(f64),
    /// Arithmetic with an error.
    Wrong(Problem),
    /// Not arithmetic.
    None,
}

/// Whether a text is meant as arithmetic. Such a text has an operator or brackets, and otherwise only numbers
/// and parameters.
pub fn is_arithmetic(text: &str) -> bool {
    let begins = ["-$", "-(", "+$", "+("].iter().any(|sign| text.starts_with(sign));
    let sign = |(at, c): (usize, char)| {
        matches!(c, '*' | '/' | '(' | ')' | '−') || (matches!(c, '-' | '+') && at > 0)
    };
    let fits = |c: char| c.is_alphanumeric() || " \t$_.+-−*/()^%".contains(c);
    // The operators `^` and `%` do not exist. A message that says so helps more than one about an unknown
    // parameter.
    let has_unknown_operator = text.starts_with('$') && text.contains(['^', '%']);
    let has_sign = begins || has_unknown_operator || text.char_indices().any(sign);
    has_sign && text.contains(|c: char| c == '$' || c.is_ascii_digit()) && text.chars().all(fits)
}

/// Evaluates a text. `get` returns the number that a parameter stands for.
pub fn evaluate(text: &str, get: &dyn Fn(&str) -> Result<f64, Problem>) -> Arithmetic {
    let mut reader = Reader { rest: text.trim(), get, depth: 0 };
    let whole = reader.sum().and_then(|number| {
        if !reader.rest.is_empty() {
            return Err(unexpected(reader.rest));
        }
        if !number.is_finite() {
            let message = format!("\"{}\" does not evaluate to a finite number", cut(text));
            return Err(Some(Problem {
                message,
                help: "look for a division by zero, or for numbers that are too large".to_owned(),
            }));
        }
        Ok(number)
    });
    match whole {
        Ok(number) => Arithmetic::Number(number),
        Err(Some(problem)) => Arithmetic::Wrong(problem),
        Err(None) => Arithmetic::None,
    }
}

/// A text for a message, cut if it is long.
fn cut(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

struct Reader<'t> {
    rest: &'t str,
    get: &'t dyn Fn(&str) -> Result<f64, Problem>,
    depth: usize,
}

type Number = Result<f64, Option<Problem>>;

fn unexpected(rest: &str) -> Option<Problem> {
    let word = rest.split_whitespace().next().unwrap_or_default();
    // A text with words is not arithmetic.
    if word.starts_with(char::is_alphabetic) {
        return None;
    }
    let message = if word.is_empty() {
        "expected a number, found the end of the arithmetic".to_owned()
    } else {
        format!("`{}` is not valid in arithmetic", cut(word))
    };
    let help = match word.chars().next() {
        Some('^') => "there is no operator for powers: write a square as \"$a * $a\"",
        Some('%') => "there is no operator for percent or remainder: write \"$a * 0.05\" for 5 percent",
        _ => "combine numbers and parameters with +, -, * and /, such as \"$talus * 2\"",
    };
    Some(Problem { message, help: help.to_owned() })
}

impl Reader<'_> {
    fn take(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|sign| signs.contains(sign))?;
        self.rest = self.rest[sign.len_utf8()..].trim_start();
        Some(sign)
    }

    fn sum(&mut self) -> Number {
        let mut sum = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let next = self.product()?;
            sum = if sign == '+' { sum + next } else { sum - next };
        }
        Ok(sum)
    }

    fn product(&mut self) -> Number {
        let mut product = self.factor()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let next = self.factor()?;
            product = if sign == '*' { product * next } else { product / next };
        }
        Ok(product)
    }

    fn factor(&mut self) -> Number {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = "brackets in arithmetic are nested too deeply".to_owned();
            return Err(Some(Problem { message, help: "write it more simply".to_owned() }));
        }
        let number = if self.take(&['-', '−']).is_some() {
            self.factor().map(|number| -number)
        } else if self.take(&['(']).is_some() {
            let number = self.sum()?;
            if self.take(&[')']).is_none() {
                let message = "a bracket in the arithmetic is not closed".to_owned();
                return Err(Some(Problem { message, help: "write `)` where it ends".to_owned() }));
            }
            Ok(number)
        } else {
            self.atom()
        };
        self.depth -= 1;
        number
    }

    fn atom(&mut self) -> Number {
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(name) = self.rest.strip_prefix('$') {
            let end = name.find(|c| !letters(c)).unwrap_or(name.len());
            let (name, rest) = name.split_at(end);
            self.rest = rest.trim_start();
            return (self.get)(name).map_err(Some);
        }
        let digits = self.rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(self.rest.len());
        let mut end = digits;
        // The exponent, with its sign.
        if self.rest[end..].starts_with(['e', 'E']) {
            let exponent = &self.rest[end + 1..];
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let power = exponent[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(exponent.len() - sign);
            if power > 0 {
                end += 1 + sign + power;
            }
        }
        let Ok(number) = self.rest[..end].parse::<f64>() else { return Err(unexpected(self.rest)) };
        self.rest = self.rest[end..].trim_start();
        Ok(number)
    }
}
