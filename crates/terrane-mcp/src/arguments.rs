//! The arguments of a tool, read from JSON. Every argument is checked, and unknown ones are refused.

use serde_json::{Map, Value as Json};
use terrane_flow::suggest;

use crate::refusal::Refusal;

/// The arguments of a call.
pub struct Arguments<'a> {
    given: &'a Map<String, Json>,
}

impl<'a> Arguments<'a> {
    /// The arguments, if all of them are among the properties of the tool's schema.
    pub fn new(given: &'a Map<String, Json>, schema: &Json) -> Result<Self, Refusal> {
        let known: Vec<&str> = schema["properties"]
            .as_object()
            .map(|properties| properties.keys().map(String::as_str).collect())
            .unwrap_or_default();
        match given.keys().find(|name| !known.contains(&name.as_str())) {
            Some(unknown) => {
                let remedy = suggest::help(unknown, &known, "the arguments are");
                let what = format!("there is no argument {}", suggest::shorten(unknown));
                Err(Refusal::new(what, remedy).at("arguments"))
            }
            None => Ok(Self { given }),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Json> {
        self.given.get(name).filter(|value| !value.is_null())
    }

    fn read<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&'a Json) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| {
            let found = suggest::shorten(&value.to_string());
            Refusal::new(format!("the argument `{name}` cannot be read"), format!("give {expected}"))
                .at(name)
                .expected(expected, found)
        })
    }

    /// A text, if given.
    pub fn optional_text(&self, name: &str) -> Result<Option<&'a str>, Refusal> {
        self.read(name, "a text", Json::as_str)
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&'a str, Refusal> {
        self.optional_text(name)?.ok_or_else(|| missing(name, "a text"))
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        Ok(self.read(name, "true or false", Json::as_bool)?.unwrap_or(false))
    }

    /// A whole number, if given.
    pub fn optional_number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        self.read(name, "a whole number of at least 0", Json::as_u64)
    }

    /// Columns and rows, if given.
    pub fn optional_size(&self, name: &str) -> Result<Option<(u64, u64)>, Refusal> {
        self.read(name, "columns and rows, such as [257, 257]", |value| match value.as_array()?.as_slice() {
            [columns, rows] => Some((columns.as_u64()?, rows.as_u64()?)),
            _ => None,
        })
    }

    /// A list of texts; empty if not given.
    pub fn texts(&self, name: &str) -> Result<Vec<&'a str>, Refusal> {
        let read = |value: &'a Json| value.as_array()?.iter().map(Json::as_str).collect::<Option<Vec<_>>>();
        Ok(self.read(name, "a list of texts", read)?.unwrap_or_default())
    }

    /// A list of objects; empty if not given.
    pub fn objects(&self, name: &str) -> Result<Vec<&'a Map<String, Json>>, Refusal> {
        let read =
            |value: &'a Json| value.as_array()?.iter().map(Json::as_object).collect::<Option<Vec<_>>>();
        Ok(self.read(name, "a list of objects", read)?.unwrap_or_default())
    }

    /// An object of texts, numbers and other values, each as RON; empty if not given.
    pub fn values(&self, name: &str) -> Result<Vec<(&'a str, String)>, Refusal> {
        let ron = |value: &Json| match value {
            Json::String(text) => Some(text.clone()),
            Json::Number(_) | Json::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        let read = |value: &'a Json| {
            let pairs = value.as_object()?.iter();
            pairs.map(|(name, value)| Some((name.as_str(), ron(value)?))).collect::<Option<Vec<_>>>()
        };
        Ok(self.read(name, "an object of values as RON texts", read)?.unwrap_or_default())
    }
}

/// The refusal of a call without a required argument.
pub fn missing(name: &str, expected: &str) -> Refusal {
    Refusal::new(format!("the argument `{name}` is missing"), format!("give {expected} as `{name}`"))
        .at(name)
        .expected(expected, "nothing")
}
