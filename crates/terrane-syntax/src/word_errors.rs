//! Mistakes in words: numbers, parameters and types that are not written as graphs write them.

use std::ops::Range;

use crate::mistake::{Edit, Mistake};

type Span = Range<usize>;

pub fn bare_parameter(span: Span, word: &str) -> Mistake {
    let help = format!("write \"{word}\"");
    Mistake::new("bare-parameter", span.clone(), "a graph parameter needs quotes", "no quotes", help)
        .fixed_by(span, format!("\"{word}\""))
}

pub fn arithmetic(span: Span, text: &str) -> Mistake {
    let help = format!("write the result, or put it in quotes: \"{text}\"");
    Mistake::new("bare-arithmetic", span.clone(), "arithmetic needs quotes", "no quotes", help)
        .fixed_by(span, format!("\"{text}\""))
}

pub fn number_with_unit(span: Span, number: &str, unit: &str) -> Mistake {
    let (help, meant) = match unit {
        "%" => number.parse::<f64>().map_or_else(
            |_| ("write a fraction of 1, such as 0.3".to_owned(), None),
            |percent| {
                let part = percent / 100.0;
                (format!("write {part}, as a fraction of 1"), Some(part.to_string()))
            },
        ),
        "deg" | "°" => {
            let slope = "slopes are rise over run, such as 0.577 for 30°";
            (format!("{slope}; other angles are in degrees: write {number}"), None)
        }
        _ => {
            let plain = (unit == "m").then(|| number.to_owned());
            (format!("write {number}: lengths and heights are in world units"), plain)
        }
    };
    let fix = meant.map(|text| Edit { span: span.clone(), text });
    let mistake =
        Mistake::new("unit", span, "expected a number without a unit", "a number with a unit", help);
    Mistake { fix, ..mistake }
}

/// A type whose name is written as two words, with the bracket behind it.
pub fn split_type(span: Span, joined: &str) -> Mistake {
    let help = format!("write {joined}(");
    Mistake::new("split-type", span.clone(), "the name of a type has no blanks", "two words", help)
        .fixed_by(span, joined)
}

/// A number with characters that RON does not allow: other minus signs, and thousands separators.
pub fn plain_number(span: Span, plain: &str) -> Mistake {
    let message = "expected a number of digits, with a point for decimals and a hyphen for minus";
    let help = format!("write {plain}");
    Mistake::new("number-signs", span.clone(), message, "a number with other characters", help)
        .fixed_by(span, plain)
}

pub fn not_a_word(span: Span, text: &str) -> Mistake {
    let message = format!("`{text}` is neither a number nor a name");
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if text.starts_with(char::is_alphabetic) && text.chars().all(is_inner) {
        let quoted = format!("\"{text}\"");
        let help = format!("write {quoted}");
        return Mistake::new("not-a-value", span.clone(), message, "no quotes", help).fixed_by(span, quoted);
    }
    let help = "write a number such as 0.5, a name, or quoted text";
    Mistake::new("not-a-value", span, message, "cannot be read", help)
}
