//! The tools of the server.

mod catalogue;
mod check;
mod difference;
mod digest;
mod edit;
mod evaluate;
mod explain;
mod operations;
mod picture;
mod read;
mod run;
mod snapshot;
mod tool;

use serde_json::{Value as Json, json};

pub use tool::Tool;

/// All tools.
pub static TOOLS: [Tool; 12] = [
    catalogue::FIND,
    catalogue::NODE,
    catalogue::CATALOGUE,
    read::TOOL,
    check::TOOL,
    edit::TOOL,
    run::TOOL,
    digest::TOOL,
    picture::TOOL,
    explain::TOOL,
    snapshot::TOOL,
    read::LIST,
];

/// The tools as `tools/list` answers them.
pub fn listed() -> Vec<Json> {
    let one = |tool: &Tool| {
        json!({
            "name": tool.name, "description": tool.description, "inputSchema": (tool.schema)(),
            "annotations": { "readOnlyHint": tool.reads_only, "openWorldHint": false },
        })
    };
    TOOLS.iter().map(one).collect()
}
