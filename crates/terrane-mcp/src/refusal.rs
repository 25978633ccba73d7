//! Why a tool did not do what it was asked for.

use serde_json::{Value as Json, json};

/// Why a tool did not do what it was asked for.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    /// What is wrong.
    pub what: String,
    /// Where: an argument, a file, or a node.
    pub place: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// What to do.
    pub remedy: String,
    /// Further facts, such as the mistakes of a graph.
    pub more: serde_json::Map<String, Json>,
}

impl Refusal {
    /// A refusal with its remedy.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into(), ..Self::default() }
    }

    /// Says where it is.
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { place: place.into(), ..self }
    }

    /// Says what was expected and what was found.
    pub fn expected(self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), ..self }
    }

    /// Adds a fact.
    pub fn with(mut self, name: &str, fact: Json) -> Self {
        self.more.insert(name.to_owned(), fact);
        self
    }

    /// The refusal as JSON.
    pub fn to_json(&self) -> Json {
        let mut error = json!({
            "what": self.what, "where": self.place, "expected": self.expected, "found": self.found,
            "remedy": self.remedy,
        });
        if let Some(error) = error.as_object_mut() {
            error.extend(self.more.clone());
        }
        json!({ "error": error })
    }

    /// The refusal in lines.
    pub fn to_text(&self) -> String {
        let lines = [
            ("error", &self.what),
            ("where", &self.place),
            ("expected", &self.expected),
            ("found", &self.found),
            ("remedy", &self.remedy),
        ];
        let told = lines.iter().filter(|(_, text)| !text.is_empty());
        let mut text: String = told.map(|(name, text)| format!("{name}: {text}\n")).collect();
        for mistake in self.more.get("mistakes").and_then(Json::as_array).into_iter().flatten() {
            text += &line(mistake);
        }
        text
    }
}

/// A mistake in one line, with its help and fix below.
pub fn line(mistake: &Json) -> String {
    let text = |name: &str| mistake[name].as_str().unwrap_or_default();
    let at = format!("{}:{}:{}", text("file"), mistake["line"], mistake["column"]);
    let at = if mistake["line"].is_null() { String::new() } else { format!("{at}: ") };
    let mut line = format!("{at}{}\n", text("message"));
    if !text("help").is_empty() {
        line += &format!("  help: {}\n", text("help"));
    }
    let fix = &mistake["fix"];
    if !fix.is_null() {
        line += &format!("  fix: bytes {}..{} become {}\n", fix["start"], fix["end"], fix["text"]);
    }
    line
}
