//! Resources: `llms.txt` and the page of each node type.

use serde_json::{Value as Json, json};
use terrane_flow::{find, page};

use crate::llms;
use crate::setup::Shared;

const LLMS: &str = "terrane://llms.txt";
const NODES: &str = "terrane://nodes/";

/// All resources.
pub fn listed(shared: &Shared) -> Vec<Json> {
    let mut all = vec![json!({
        "uri": LLMS, "name": "llms.txt", "mimeType": "text/markdown",
        "description": "What a graph is, the rules of the language, all node types, and small graphs.",
    })];
    all.extend(shared.specs().iter().map(|spec| {
        json!({
            "uri": format!("{NODES}{}", spec.name), "name": spec.name, "mimeType": "text/markdown",
            "description": find::summary(spec),
        })
    }));
    all
}

/// The content of a resource; `None` if there is no such resource.
pub fn read(shared: &Shared, uri: &str) -> Option<Json> {
    let text = if uri == LLMS {
        llms::text(&shared.specs())
    } else {
        let name = uri.strip_prefix(NODES)?;
        page::text(shared.specs().into_iter().find(|spec| spec.name == name)?)
    };
    Some(json!({ "uri": uri, "mimeType": "text/markdown", "text": text }))
}
