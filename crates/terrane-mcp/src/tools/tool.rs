//! What a tool is.

use serde_json::{Map, Value as Json, json};

use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

/// A tool.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The JSON schema of its arguments.
    pub schema: fn() -> Json,
    /// Whether it changes no file.
    pub reads_only: bool,
    pub work: fn(&Shared, &Arguments<'_>, &Stop) -> Result<Answer, Refusal>,
}

impl Tool {
    /// Runs the tool.
    pub fn run(&self, shared: &Shared, given: &Map<String, Json>, stop: &Stop) -> Result<Answer, Refusal> {
        (self.work)(shared, &Arguments::new(given, &(self.schema)())?, stop)
    }
}

/// A schema with these properties.
pub fn schema(properties: Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The properties of tools that evaluate a graph.
pub fn evaluated(more: Json) -> Json {
    let mut properties = json!({
        "path": { "type": "string", "description": "The graph's file, relative to the server's folder." },
        "seed": { "type": "integer", "minimum": 0, "description": "A seed instead of the graph's." },
        "size": {
            "type": "array", "items": { "type": "integer", "minimum": 1 }, "minItems": 2, "maxItems": 2,
            "description": "Columns and rows instead of the graph's. The extent stays the same.",
        },
        "set": { "type": "object", "description": "Parameters of the graph: names, each with a RON value." },
        "profile": { "type": "string", "description": "A profile of the graph." },
    });
    if let (Some(properties), Json::Object(more)) = (properties.as_object_mut(), more) {
        properties.extend(more);
    }
    properties
}
