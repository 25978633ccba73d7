//! Messages and help for invalid fields.

use std::ops::Range as Span;

use terrane_syntax::{Problem, ReadError, Wrong, split};

use crate::model::field_error::FieldError;
use crate::model::param::Shape;
use crate::model::parameter_help::mended_parameter;
use crate::model::spec::{InputSpec, LARGEST, ParamSpec, Range, SMALLEST};
use crate::report::suggest::{self, shorten};

/// The error for a value that does not fit its field.
pub fn misfit(param: &ParamSpec, (value, value_span): (&str, &Span<usize>), error: &ReadError) -> FieldError {
    let (name, shape) = (param.name, &(param.shape)());
    let span = error.span.clone().filter(|span| !span.is_empty());
    let is_whole = span.as_ref().is_none_or(|span| span == value_span);
    let (message, help) = match &error.wrong {
        Wrong::Problem(problem) => (problem.message.clone(), problem.help.clone()),
        Wrong::Result { text, number, .. } if is_whole => (
            format!("`{name}` is `{text}`, which is {number}: expected {shape}"),
            shape_help(param, shape, value),
        ),
        Wrong::Result { expected, text, number } => (
            format!("`{name}` has `{text}`, which is {number} instead of {expected}"),
            format!("`{name}` takes {shape}"),
        ),
        Wrong::Unexpected { found, .. } if is_whole => (
            format!("`{name}` is {found}: expected {shape}"),
            shape_help(param, shape, found.trim_matches('`')),
        ),
        Wrong::Unexpected { expected, found } => {
            (format!("`{name}` has {found} instead of {expected}"), format!("`{name}` takes {shape}"))
        }
        Wrong::Other(_) if is_whole && matches!(shape, Shape::NumberOrNamed(_)) => {
            (format!("`{name}` is {}: expected {shape}", shorten(value)), shape_help(param, shape, value))
        }
        Wrong::Other(message) if is_whole => {
            (format!("`{name}` is {}: expected {shape}", shorten(value)), message.clone())
        }
        Wrong::Other(message) => (format!("in `{name}`: {message}"), format!("`{name}` takes {shape}")),
    };
    let code = if matches!(error.wrong, Wrong::Problem(_)) { "parameter" } else { "wrong-type" };
    let span = span.unwrap_or_else(|| value_span.clone());
    let text =
        span.start.checked_sub(value_span.start).and_then(|start| value.get(start..start + span.len()));
    let fix = text.and_then(|text| match &error.wrong {
        Wrong::Problem(problem) => mended_parameter(text, problem),
        _ => meant(shape, text),
    });
    let help =
        fix.as_ref().filter(|_| is_whole && !is_simple(shape)).map_or(help, |fix| format!("write {fix}"));
    FieldError { fix, ..FieldError::new(code, Some(span), message, help) }
}

/// Whether values of a shape have no brackets.
fn is_simple(shape: &Shape) -> bool {
    match shape {
        Shape::Optional(item) => is_simple(item),
        Shape::List(_) | Shape::Tuple(_) => false,
        _ => true,
    }
}

/// The text that is meant by a wrong one: a misspelled choice, a choice or a number in quotes, or values in
/// other brackets.
fn meant(shape: &Shape, text: &str) -> Option<String> {
    let inner = text.trim_matches('"');
    let within = |open: char, close: char| Some(text.strip_prefix(open)?.strip_suffix(close)?.trim());
    match shape {
        Shape::Bool => {
            ["true", "false"].into_iter().find(|own| own.eq_ignore_ascii_case(inner)).map(str::to_owned)
        }
        Shape::Tuple(parts) => {
            let items = within('[', ']').or_else(|| within('{', '}'))?;
            (split(items).len() == parts.len()).then(|| format!("({items})"))
        }
        Shape::List(item) if text.starts_with(['(', '{']) => {
            let items = within('(', ')').or_else(|| within('{', '}'))?;
            let is_one = !items.starts_with('(') && matches!(&**item, Shape::Tuple(_));
            Some(if is_one { format!("[({items})]") } else { format!("[{items}]") })
        }
        Shape::Optional(item) | Shape::List(item) => meant(item, text),
        Shape::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            suggest::nearest(inner, &names).map(str::to_owned)
        }
        Shape::Float if text.starts_with('"') && inner.parse::<f64>().is_ok() => Some(inner.to_owned()),
        Shape::Integer { .. } if text.starts_with('"') && is_whole(inner) => Some(inner.to_owned()),
        Shape::Integer { min, max } => without_decimals(text, *min, *max),
        _ => None,
    }
}

/// The help for a parameter of this shape, for which `text` was written.
fn shape_help(param: &ParamSpec, shape: &Shape, text: &str) -> String {
    let wanted = match shape {
        Shape::Optional(inner) => inner,
        shape => shape,
    };
    let inner = text.trim_matches('"');
    match wanted {
        Shape::Choice(choices)
            if text.starts_with('"') && choices.iter().any(|choice| choice.name == inner) =>
        {
            format!("write {inner} without quotes")
        }
        Shape::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|c| c.name).collect();
            suggest::help(inner, &names, "the choices are")
        }
        Shape::Integer { .. } | Shape::Float | Shape::NumberOrNamed(_)
            if text.starts_with('"') && inner.parse::<f64>().is_ok() =>
        {
            format!("write {inner} without quotes")
        }
        Shape::Integer { .. } | Shape::Float | Shape::NumberOrNamed(_) if text.starts_with('"') => {
            "write a number, or \"$name\" for a graph parameter: only ports take nodes".to_owned()
        }
        Shape::Integer { min, .. } if *min >= 0 && text.starts_with('-') => {
            "write a number of at least 0, without a minus sign".to_owned()
        }
        // The text is a whole number outside the range of the type.
        Shape::Integer { min, max } if is_whole(text) => format!("write a whole number from {min} to {max}"),
        Shape::Integer { min, max } => {
            let number = without_decimals(text, *min, *max).unwrap_or_else(|| "3".to_owned());
            format!("write a number without decimals, such as {number}")
        }
        Shape::Float => "write a number, such as 0.5".to_owned(),
        Shape::Bool => "write true or false".to_owned(),
        Shape::Tuple(_) => match param.default.map(|default| default()).filter(|default| default != "None") {
            Some(default) => format!("write {shape}, such as {}: {default}", param.name),
            None => format!("write {shape}"),
        },
        shape => match sample(shape) {
            Some(sample) => format!("write {shape}, such as {}: {sample}", param.name),
            None => format!("write {shape}"),
        },
    }
}

/// The whole number that a text such as `8.0` means.
fn without_decimals(text: &str, min: i128, max: i128) -> Option<String> {
    let (whole, decimals) = text.split_once('.')?;
    let number: i128 = whole.parse().ok().filter(|number| (min..=max).contains(number))?;
    decimals.bytes().all(|byte| byte == b'0').then(|| number.to_string())
}

fn is_whole(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The help for a missing required parameter.
pub fn missing(param: &ParamSpec) -> String {
    let shape = (param.shape)();
    match sample(&shape) {
        Some(sample) => format!("write {}: {sample}", param.name),
        None => format!("write {}: {shape}", param.name),
    }
}

/// An example value of a shape; `None` if there is no typical one.
fn sample(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::File => Some("\"folder/file.ext\""),
        Shape::Text => Some("\"text\""),
        Shape::Float => Some("0.5"),
        Shape::Integer { .. } => Some("3"),
        _ => None,
    }
}

/// The name of a node that a text at a port looks like: one without quotes, or one letter in single quotes.
pub fn node_name(text: &str) -> Option<&str> {
    let letter = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let name = letter.unwrap_or(text);
    let is_name = name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
    Some(name).filter(|name| is_name && !["None", "true", "false"].contains(name))
}

/// The help for a port for which `text` was written.
pub fn port_help(input: &InputSpec, text: &str) -> String {
    if let Some(text) = node_name(text) {
        let number = if input.scalar { ", or a number for the same value everywhere" } else { "" };
        return format!("write \"{text}\"{number}");
    }
    let number = text.parse::<f64>().is_ok();
    match (input.scalar, number) {
        (true, _) => "write \"NODE\" or \"NODE.OUTPUT\" in quotes, or a number for the same value everywhere"
            .to_owned(),
        (false, true) => {
            format!(
                "write \"NODE\" or \"NODE.OUTPUT\" in quotes; for the same value everywhere, add a node: \
                Constant(value: {text})"
            )
        }
        (false, false) if text.contains('(') => {
            "give this node a name in `nodes`, and write that name in quotes here".to_owned()
        }
        (false, false) => "write \"NODE\" or \"NODE.OUTPUT\" in quotes".to_owned(),
    }
}

/// The problem of a number outside its range.
pub fn out_of_range(name: &str, number: f64, range: &Range) -> Problem {
    let finite = if number.is_finite() || range.is_open() { "" } else { "a finite number, " };
    // A range of its own, such as from 1e-12 to 1e12, says more than the limits of every number.
    let limits = if number.is_finite() && !Range::is_moderate(number) && !range.is_beyond(number) {
        format!(", at most {LARGEST:e} and, except for 0, at least {SMALLEST:e} in size")
    } else {
        String::new()
    };
    let is_plain = limits.is_empty() && (!number.is_finite() || Range::is_moderate(number));
    let shown = if is_plain { number.to_string() } else { format!("{number:e}") };
    Problem::new(
        format!("`{name}` is {shown}, which is out of range"),
        format!("it must be {finite}{range}{limits}"),
    )
}
