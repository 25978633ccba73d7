//! Converts JSON to RON, by shape. For any input, the output is a valid value of the shape or an error.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::model::param::{RecordSpec, Shape};

/// The maximum nesting depth of lists and tuples.
const MAX_DEPTH: usize = 32;
/// The maximum length of a value's text in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The number of characters of an invalid value that are shown.
const SHOWN: usize = 60;

/// See [`Literal::ron`](super::Literal::ron).
pub fn ron(shape: &Shape, value: &Json) -> Result<String, String> {
    let mut writer = Writer { out: String::new(), path: Vec::new() };
    writer.value(shape, value).map_err(|problem| match writer.path.join(", ") {
        path if path.is_empty() => problem,
        path => format!("{path}: {problem}"),
    })?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    /// The position in the value, such as `item 2`, `field seed`. After an error, it is the position of the
    /// error.
    path: Vec<String>,
}

impl Writer {
    fn value(&mut self, shape: &Shape, value: &Json) -> Result<(), String> {
        let wrong = || Err(format!("expected {}, found {}", expected(shape), shorten(value)));
        if self.path.len() > MAX_DEPTH {
            return Err(format!("nested too deeply: more than {MAX_DEPTH} levels"));
        }
        match (shape, value) {
            (Shape::Bool, Json::Bool(value)) => self.out.push_str(if *value { "true" } else { "false" }),
            (Shape::Integer { min, max }, _) => match integer(value) {
                // Writing to a string does not fail.
                Some(number) if (*min..=*max).contains(&number) => {
                    let _infallible = write!(self.out, "{number}");
                }
                _ => return wrong(),
            },
            (Shape::Float, _) => match float(value) {
                // The number has a decimal point, so that a reader sees that it is a float.
                Some(number) => {
                    let _infallible = write!(self.out, "{number:?}");
                }
                None => return wrong(),
            },
            (Shape::Text, Json::String(text)) => self.out.push_str(&quoted(text)),
            (Shape::Choice(choices), Json::String(name)) if choices.iter().any(|c| c.name == name) => {
                self.out.push_str(name);
            }
            (Shape::Record(records), Json::Object(object)) => {
                let name = object.get("name").and_then(Json::as_str);
                let record = records.iter().find(|record| Some(record.name) == name);
                let (Some(record), Some(Json::Object(fields)), 2) =
                    (record, object.get("fields"), object.len())
                else {
                    return wrong();
                };
                self.record(record, fields)?;
            }
            (Shape::List(item), Json::Array(values)) => {
                self.row(('[', ']'), values.iter().map(|value| (&**item, value)), "item")?;
            }
            (Shape::Tuple(items), Json::Array(values)) if items.len() == values.len() => {
                self.row(('(', ')'), items.iter().zip(values), "value")?;
            }
            (Shape::NumberOrNamed(name), Json::Object(object)) => match (object.len(), object.get(*name)) {
                (1, Some(Json::String(text))) => {
                    let _infallible = write!(self.out, "{name}({})", quoted(text));
                }
                _ => return wrong(),
            },
            (Shape::NumberOrNamed(_), _) => self.value(&Shape::Float, value).or_else(|_| wrong())?,
            (Shape::NumberOrPlace, Json::Array(values)) if values.len() == 2 => {
                self.row(('(', ')'), values.iter().map(|value| (&Shape::Float, value)), "value")?;
            }
            (Shape::NumberOrPlace, _) => {
                self.value(&Shape::Integer { min: 0, max: u32::MAX.into() }, value).or_else(|_| wrong())?;
            }
            (Shape::Optional(_), Json::Null) => self.out.push_str("None"),
            (Shape::Optional(item), value) => {
                let start = self.out.len();
                self.value(item, value)?;
                // `Some` can be omitted, except around a value whose name is itself `None` or `Some`.
                let name = self.out[start..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
                if matches!(name, Some("None" | "Some")) {
                    self.out.insert_str(start, "Some(");
                    self.out.push(')');
                }
            }
            _ => return wrong(),
        }
        if self.out.len() > MAX_BYTES {
            return Err(format!("too long: more than {MAX_BYTES} bytes"));
        }
        Ok(())
    }

    fn row<'a>(
        &mut self,
        (open, close): (char, char),
        items: impl Iterator<Item = (&'a Shape, &'a Json)>,
        what: &str,
    ) -> Result<(), String> {
        self.out.push(open);
        for (index, (shape, value)) in items.enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.path.push(format!("{what} {}", index + 1));
            self.value(shape, value)?;
            self.path.pop();
        }
        self.out.push(close);
        Ok(())
    }

    fn record(&mut self, record: &RecordSpec, fields: &serde_json::Map<String, Json>) -> Result<(), String> {
        if let Some(unknown) =
            fields.keys().find(|name| !record.fields.iter().any(|field| field.name == **name))
        {
            return Err(format!("expected a field of {record}, found \"{}\"", unknown.escape_debug()));
        }
        self.out.push_str(record.name);
        self.out.push('(');
        let given = record.fields.iter().filter_map(|field| Some((field, fields.get(field.name)?)));
        for (index, (field, value)) in given.enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            let _infallible = write!(self.out, "{}: ", field.name);
            self.path.push(format!("field {}", field.name));
            self.value(&field.shape(), value)?;
            self.path.pop();
        }
        self.out.push(')');
        Ok(())
    }
}

fn integer(value: &Json) -> Option<i128> {
    match value {
        Json::Number(number) => number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)),
        Json::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn float(value: &Json) -> Option<f64> {
    let number = match value {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => text.parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// Quotes and escapes a text. A `$` after a quote would begin a parameter name, so it is written as a Unicode
/// escape.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let mut after_quote = true;
    for c in text.chars() {
        match c {
            '$' if after_quote => out.push_str("\\u{24}"),
            // `escape_debug` would escape this character too, which is not needed.
            '\'' => out.push(c),
            c => out.extend(c.escape_debug()),
        }
        after_quote = c == '"';
    }
    out.push('"');
    out
}

fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Integer { min, max } if *max < i128::from(u32::MAX) => format!("{shape} from {min} to {max}"),
        _ => shape.to_string(),
    }
}

fn shorten(value: &Json) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
