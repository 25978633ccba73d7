//! Constants of Python.

use std::fmt;

use serde_json::Value as Json;
use terrane_flow::Shape;

/// A constant of Python. It is displayed as Python writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
    /// Several values.
    Tuple(Vec<Self>),
    /// Values by name.
    Dict(Vec<(String, Self)>),
}

impl Constant {
    /// Converts a parameter's value from JSON. Lists become tuples, since defaults must not change.
    pub(crate) fn new(json: &Json, shape: &Shape) -> Self {
        match (json, shape) {
            (Json::Null, _) => Self::None,
            (json, Shape::Optional(inner)) => Self::new(json, inner),
            (Json::Bool(value), _) => Self::Bool(*value),
            (Json::Number(number), shape) => {
                let whole = number.as_i128().filter(|_| *shape != Shape::Float);
                whole.map_or_else(|| Self::Float(number.as_f64().unwrap_or(f64::NAN)), Self::Int)
            }
            // JSON has no large whole numbers.
            (Json::String(text), Shape::Integer { .. }) => {
                text.parse().map_or_else(|_| Self::Text(text.clone()), Self::Int)
            }
            (Json::String(text), _) => Self::Text(text.clone()),
            (Json::Array(items), Shape::Tuple(shapes)) => {
                Self::Tuple(items.iter().zip(shapes).map(|(item, shape)| Self::new(item, shape)).collect())
            }
            (Json::Array(items), shape) => {
                let shape = if let Shape::List(item) = shape { item } else { shape };
                Self::Tuple(items.iter().map(|item| Self::new(item, shape)).collect())
            }
            (Json::Object(fields), _) => {
                let fields = fields.iter().map(|(name, json)| (name.clone(), Self::new(json, &Shape::Text)));
                Self::Dict(fields.collect())
            }
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            Self::Int(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Tuple(items) => {
                let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "({}{})", texts.join(", "), if items.len() == 1 { "," } else { "" })
            }
            Self::Dict(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name:?}: {value}")).collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn constants_are_written_as_in_python() {
        let pair = Shape::Tuple(vec![Shape::Float, Shape::Bool]);
        let list = Shape::List(Box::new(Shape::Text));
        let whole = Shape::Integer { min: 0, max: i128::from(u64::MAX) };
        let maybe = Shape::Optional(Box::new(Shape::Float));
        for (json, shape, text) in [
            (json!(null), &maybe, "None"),
            (json!(2), &maybe, "2.0"),
            (json!(1e30), &Shape::Float, "1e30"),
            (json!(7), &whole, "7"),
            (json!("18446744073709551615"), &whole, "18446744073709551615"),
            (json!([1, true]), &pair, "(1.0, True)"),
            (json!(["a\""]), &list, r#"("a\"",)"#),
            (json!([]), &list, "()"),
            (
                json!({"rate": 1.0, "count": 3, "kind": "Fast"}),
                &Shape::Map,
                r#"{"rate": 1.0, "count": 3, "kind": "Fast"}"#,
            ),
        ] {
            assert_eq!(Constant::new(&json, shape).to_string(), text, "{json}");
        }
    }
}
