//! Answers of tools.

use base64::Engine as _;
use serde_json::{Value as Json, json};

use crate::refusal::Refusal;

/// The answer of a tool.
pub struct Answer {
    /// A sentence that says what was found or done.
    text: String,
    /// The facts.
    facts: Json,
    /// A PNG file.
    picture: Option<Vec<u8>>,
}

impl Answer {
    /// An answer: a sentence, and facts as an object.
    pub fn new(text: impl Into<String>, facts: Json) -> Self {
        Self { text: text.into(), facts, picture: None }
    }

    /// Adds a picture, as a PNG file.
    pub fn with_picture(self, png: Vec<u8>) -> Self {
        Self { picture: Some(png), ..self }
    }
}

/// The result of `tools/call`.
pub fn result(answer: &Result<Answer, Refusal>) -> Json {
    match answer {
        Ok(answer) => {
            let text = format!("{}\n{:#}", answer.text.trim_end(), answer.facts);
            let mut content = vec![json!({ "type": "text", "text": text })];
            if let Some(png) = &answer.picture {
                let data = base64::engine::general_purpose::STANDARD.encode(png);
                content.push(json!({ "type": "image", "data": data, "mimeType": "image/png" }));
            }
            json!({ "content": content, "structuredContent": answer.facts, "isError": false })
        }
        Err(refusal) => json!({
            "content": [{ "type": "text", "text": refusal.to_text() }],
            "structuredContent": refusal.to_json(), "isError": true,
        }),
    }
}
