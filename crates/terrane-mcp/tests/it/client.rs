//! A client in the same process.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};
use terrane_flow::Declare as _;
use terrane_mcp::{Setup, serve};
use terrane_runs::world::World;

/// A graph that is quick to evaluate.
pub const HILLS: &str = "Graph(\n    size: (17, 17),\n    nodes: {\n        \"a\": \
    Perlin(wavelength: 8.0),\n        \"b\": Blur(height: \"a\", radius: 2.0),\n    },\n    outputs: { \
    \"b.npy\": \"b\", \"a.png\": \"a\" },\n)\n";

/// The setup of a server for a folder.
pub fn setup(folder: &Path) -> Setup {
    let family = terrane_nodes::family();
    Setup {
        registry: terrane_nodes::registry(),
        others: vec![
            family.graph,
            family.export,
            terrane_flow::declared::Subgraph::spec(),
            terrane_flow::declared::Repeat::spec(),
            World::spec(),
        ],
        version: "0",
        folder: folder.to_owned(),
        memory: 256 << 20,
        timeout: Duration::from_secs(60),
        threads: 1,
    }
}

/// The answers of a server to lines, which are sent at once.
pub fn answers(setup: Setup, lines: &str) -> Vec<Json> {
    let mut out = Vec::new();
    serve(setup, lines.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The line of a call.
pub fn line(id: usize, tool: &str, arguments: &Json) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
}

/// The results of calls, in their order.
pub fn calls(folder: &Path, calls: &[(&str, Json)]) -> Vec<Json> {
    let lines = calls.iter().enumerate().map(|(id, (tool, arguments))| line(id, tool, arguments));
    let answers = answers(setup(folder), &lines.collect::<String>());
    let result = |id| answers.iter().find(|answer| answer["id"] == id).unwrap()["result"].clone();
    (0..calls.len()).map(result).collect()
}

/// The result of one call, which is no error.
pub fn fine(folder: &Path, tool: &str, arguments: &Json) -> Json {
    let result = calls(folder, &[(tool, arguments.clone())]).remove(0);
    assert_eq!(result["isError"], false, "{tool}: {result:#}");
    result["structuredContent"].clone()
}

/// The error of a result.
pub fn error(result: &Json) -> &Json {
    assert_eq!(result["isError"], true, "{result:#}");
    let error = &result["structuredContent"]["error"];
    assert!(!error["what"].as_str().unwrap().is_empty() && !error["remedy"].as_str().unwrap().is_empty());
    error
}

/// The BLAKE3 hash of a text.
pub fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
