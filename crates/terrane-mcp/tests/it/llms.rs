//! The text for language models.

use terrane_flow::NodeType;
use terrane_mcp::llms;

use crate::client::{fine, setup};

#[test]
fn the_text_is_short_and_names_every_type() {
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path());
    let specs: Vec<_> = setup.registry.nodes().map(NodeType::spec).chain(setup.others).collect();
    let text = llms::text(&specs);
    assert!(text.len() <= 13_000, "{} bytes", text.len());
    for spec in specs {
        assert!(text.contains(spec.name), "{}", spec.name);
    }
}

#[test]
fn its_graphs_pass_a_check_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let graphs = llms::graphs();
    assert_eq!(graphs.len(), 10);
    for (number, graph) in graphs.iter().enumerate() {
        let path = format!("{number}.ron");
        let made =
            fine(folder.path(), "edit", &serde_json::json!({ "path": path, "create": true, "text": graph }));
        assert_eq!(made["check"]["valid"], true, "{graph}\n{:#}", made["check"]["mistakes"]);
        assert_eq!(made["check"]["warnings"], serde_json::json!([]), "{graph}");
        fine(
            folder.path(),
            "run",
            &serde_json::json!({ "path": path, "size": [33, 33], "out": format!("{number}") }),
        );
    }
}
