//! Texts of a graph's files as pages see them, and what pages ask of them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::draft::TextEdit;

/// The texts that pages show, by the names of files, and the last edit of each page that they contain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    pub files: HashMap<String, Arc<Json>>,
    pub seen: AllSeen,
}

/// By page, the last edit of each text.
pub type AllSeen = HashMap<u64, Vec<(String, Seen)>>;

/// The tag of an edit of a text, and why it was not made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub tag: String,
    pub refused: Option<String>,
}

/// An edit of a text by a page, which knows it by its tag.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRequest {
    pub page: u64,
    pub file: String,
    pub edit: TextEdit,
    pub tag: String,
    /// Whether it belongs to the edit before.
    pub with: bool,
}
