//! Why a tool did not do what it was asked for.

use serde_json::{Value as Json, json};

/// Why a tool did not do what it was asked for. As large as a pointer, since most results have none.
#[derive(Clone, Debug, Default)]
pub struct Refusal(Box<Facts>);

/// What is known of a refusal.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// What is wrong.
    what: String,
    /// Where: an argument, a file, or a node.
    place: String,
    /// What was expected.
    expected: String,
    /// What was found.
    found: String,
    /// What to do.
    remedy: String,
    /// Further facts, such as the mistakes of a graph.
    more: serde_json::Map<String, Json>,
}

impl Refusal {
    /// A refusal with its remedy.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self(Box::new(Facts { what: what.into(), remedy: remedy.into(), ..Facts::default() }))
    }

    /// Says where it is.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.0.place = place.into();
        self
    }

    /// Says what was expected and what was found.
    pub fn expected(mut self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        (self.0.expected, self.0.found) = (expected.into(), found.into());
        self
    }

    /// Says what to do instead of what it said before.
    pub fn mended_by(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = remedy.into();
        self
    }

    /// Adds a fact.
    pub fn with(mut self, name: &str, fact: Json) -> Self {
        self.0.more.insert(name.to_owned(), fact);
        self
    }

    /// The refusal as JSON.
    pub fn to_json(&self) -> Json {
        let mut error = json!({
            "what": self.0.what, "where": self.0.place, "expected": self.0.expected, "found": self.0.found,
            "remedy": self.0.remedy,
        });
        if let Some(error) = error.as_object_mut() {
            error.extend(self.0.more.clone());
        }
        json!({ "error": error })
    }

    /// The refusal in lines.
    pub fn to_text(&self) -> String {
        let lines = [
            ("error", &self.0.what),
            ("where", &self.0.place),
            ("expected", &self.0.expected),
            ("found", &self.0.found),
            ("remedy", &self.0.remedy),
        ];
        let told = lines.iter().filter(|(_, text)| !text.is_empty());
        let mut text: String = told.map(|(name, text)| format!("{name}: {text}\n")).collect();
        for mistake in self.0.more.get("mistakes").and_then(Json::as_array).into_iter().flatten() {
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
