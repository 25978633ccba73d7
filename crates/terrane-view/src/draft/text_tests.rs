//! Tests of edits of texts: how they merge, conflict and join, and their order with other steps.

use std::fs;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::tests::{Bench, GRAPH};

/// Types a text, and returns what the page is told.
fn type_text(bench: &Bench, before: &str, after: &str) -> String {
    bench.say(&json!({ "do": "text", "file": "graph.ron", "before": before, "after": after, "tag": "t" }))
}

fn with(amount: &str) -> String {
    GRAPH.replace("amount: 1.0", &format!("amount: {amount}"))
}

/// A graph whose text the page shows.
fn bench() -> Bench {
    let bench = Bench::new(GRAPH);
    bench.say(&json!({ "do": "read", "file": "graph.ron" }));
    bench
}

fn shown(bench: &Bench) -> String {
    bench.desk.text("graph.ron").unwrap()
}

fn undo(bench: &Bench) -> String {
    bench.say(&json!({ "do": "undo" }))
}

#[test]
fn a_text_is_edited_shown_and_written() {
    let bench = bench();
    assert_eq!(shown(&bench), GRAPH);
    assert_eq!(type_text(&bench, GRAPH, &with("2.5")), "");
    assert_eq!((shown(&bench), bench.text()), (with("2.5"), with("2.5")));
    assert_eq!(bench.saved("graph.ron"), GRAPH, "the file is as it was");
    assert_eq!(bench.state()["steps"][0]["said"], "edit the text of `graph.ron`");
    let notice = bench.say(&json!({ "do": "write" }));
    assert!(notice.starts_with("wrote 1 edit to "), "{notice}");
    assert_eq!(bench.saved("graph.ron"), with("2.5"));
    assert_eq!(bench.state()["steps"], json!([]));
    undo(&bench);
    assert_eq!(bench.saved("graph.ron"), GRAPH);
    assert_eq!(shown(&bench), with("2.5"), "the edit is not written again");
    undo(&bench);
    assert_eq!(shown(&bench), GRAPH);
}

#[test]
fn an_edit_applies_to_what_an_editor_has_saved() {
    let bench = bench();
    type_text(&bench, GRAPH, &with("2.5"));
    fs::write(bench.path("graph.ron"), GRAPH.replace("Graph(", "// Saved.\nGraph(")).unwrap();
    bench.say(&json!({ "do": "look", "ports": [] }));
    assert_eq!(shown(&bench), with("2.5").replace("Graph(", "// Saved.\nGraph("));
    bench.say(&json!({ "do": "write" }));
    assert_eq!(bench.saved("graph.ron"), with("2.5").replace("Graph(", "// Saved.\nGraph("));
}

#[test]
fn a_conflict_is_a_problem_and_both_texts_stay() {
    let bench = bench();
    type_text(&bench, GRAPH, &with("2.5"));
    fs::write(bench.path("graph.ron"), with("3.5")).unwrap();
    bench.say(&json!({ "do": "look", "ports": [] }));
    let step = bench.state()["steps"][0].clone();
    let problem = step["problem"].as_str().unwrap();
    assert!(problem.contains("of graph.ron was changed in the file and by this edit"), "{problem}");
    assert_eq!(shown(&bench), with("3.5"));
    assert!(bench.say(&json!({ "do": "write" })).starts_with("nothing was written: "));
    assert_eq!(bench.saved("graph.ron"), with("3.5"));
    // The page takes the edit's text instead.
    bench.say(&json!({ "do": "drop", "number": step["number"] }));
    type_text(&bench, &with("3.5"), &with("2.5"));
    assert_eq!(shown(&bench), with("2.5"));
    assert_eq!(bench.state()["steps"][0]["problem"], Json::Null);
}

#[test]
fn typing_joins_until_a_pause_and_values_do_not() {
    let bench = bench();
    for (before, after) in [("1.0", "2.0"), ("2.0", "2.5"), ("2.5", "2.75")] {
        type_text(&bench, &with(before), &with(after));
    }
    assert_eq!(bench.state()["steps"].as_array().unwrap().len(), 1);
    std::thread::sleep(Duration::from_millis(1100));
    type_text(&bench, &with("2.75"), &with("3.0"));
    assert_eq!(bench.state()["steps"].as_array().unwrap().len(), 1, "one step of the draft");
    undo(&bench);
    assert_eq!(shown(&bench), with("2.75"));
    undo(&bench);
    assert_eq!(shown(&bench), GRAPH);
    for expected in [with("2.75"), with("3.0")] {
        bench.say(&json!({ "do": "redo" }));
        assert_eq!(shown(&bench), expected);
    }
}

#[test]
fn text_values_and_structure_are_undone_in_one_order() {
    let bench = bench();
    let set =
        |value: u64| bench.say(&json!({ "do": "set", "node": "a", "parameter": "times", "value": value }));
    let mut seen = vec![shown(&bench)];
    type_text(&bench, GRAPH, &with("2.0"));
    seen.push(shown(&bench));
    assert_eq!(set(5), "");
    seen.push(shown(&bench));
    assert!(seen[2].contains("times: 5"), "{}", seen[2]);
    // The text contains the value, which is therefore part of the edit.
    let typed = seen[2].replace("// first", "// typed");
    type_text(&bench, &seen[2], &typed);
    assert_eq!(bench.state()["changes"], json!([]));
    seen.push(shown(&bench));
    assert_eq!(seen[3], typed);
    bench.edit(&json!({ "edit": "add", "type": "Take" }));
    seen.push(shown(&bench));
    type_text(&bench, &seen[4], &seen[4].replace("// typed", "// again"));
    seen.push(shown(&bench));
    for expected in seen[..5].iter().rev() {
        undo(&bench);
        assert_eq!(shown(&bench), *expected);
    }
    for expected in &seen[1..] {
        bench.say(&json!({ "do": "redo" }));
        assert_eq!(shown(&bench), *expected);
    }
}

#[test]
fn a_text_with_mistakes_is_kept_and_not_written() {
    let bench = bench();
    let broken = GRAPH.replace("Take(", "Tike(");
    type_text(&bench, GRAPH, &broken);
    assert_eq!(shown(&bench), broken);
    let state = bench.state();
    assert_eq!((&state["mistakes"], &state["errors"][0]["of"]), (&json!(1), &json!("graph.ron")));
    let notice = bench.say(&json!({ "do": "write" }));
    assert!(notice.starts_with("nothing was written: the graph would not load: "), "{notice}");
    let unclosed = GRAPH.replace("    },\n)", "");
    type_text(&bench, &broken, &unclosed);
    assert_eq!(shown(&bench), unclosed);
    let notice = bench.edit(&json!({ "edit": "add", "type": "Take" }));
    assert!(notice.starts_with("correct the graph's text first"), "{notice}");
    type_text(&bench, &unclosed, &with("4.0"));
    assert_eq!(bench.text(), with("4.0"));
}

#[test]
fn a_broken_file_is_mended() {
    let bench = Bench::new("Graph(nodes: {");
    bench.say(&json!({ "do": "read", "file": "graph.ron" }));
    assert_eq!(shown(&bench), "Graph(nodes: {");
    type_text(&bench, "Graph(nodes: {", GRAPH);
    assert!(bench.say(&json!({ "do": "write" })).starts_with("wrote 1 edit"));
    assert_eq!(bench.saved("graph.ron"), GRAPH);
}

#[test]
fn the_newest_of_two_edits_of_a_line_stays_and_says_so() {
    let bench = bench();
    type_text(&bench, GRAPH, &with("2.0"));
    // Another page did not know that edit.
    let notice = type_text(&bench, GRAPH, &with("3.0"));
    assert!(notice.contains("Undo returns to the others"), "{notice}");
    assert_eq!(shown(&bench), with("3.0"));
    let other = GRAPH.replace("\"sum.txt\"", "\"total.txt\"");
    assert_eq!(type_text(&bench, GRAPH, &other), "", "different lines");
    assert_eq!(shown(&bench), with("3.0").replace("\"sum.txt\"", "\"total.txt\""));
}

#[test]
fn a_step_is_made_again_from_what_the_page_was_given() {
    let bench = bench();
    type_text(&bench, GRAPH, &with("2.5"));
    let given = bench.state()["steps"][0]["given"].clone();
    bench.say(&json!({ "do": "discard" }));
    assert_eq!(shown(&bench), GRAPH);
    assert_eq!(bench.edit(&given), "");
    assert_eq!(shown(&bench), with("2.5"));
}

#[test]
fn texts_of_subgraphs_keep_their_line_ends_and_marks() {
    let bench = Bench::new(GRAPH);
    let part = "\u{feff}Graph(nodes: {\r\n    \"x\": Take(),\r\n})\r\n";
    fs::create_dir(bench.path("sub")).unwrap();
    fs::write(bench.path("sub/part.ron"), part).unwrap();
    let with_part =
        GRAPH.replace("nodes: {\n", "nodes: {\n        \"p\": Subgraph(file: \"sub/part.ron\"),\n");
    fs::write(bench.path("graph.ron"), with_part).unwrap();
    bench.say(&json!({ "do": "read", "file": "sub/part.ron" }));
    assert_eq!(bench.state()["files"], json!(["graph.ron", "sub/part.ron"]));
    let text = bench.desk.text("sub/part.ron").unwrap();
    assert_eq!(text, "Graph(nodes: {\n    \"x\": Take(),\n})\n");
    let after = text.replace("Take()", "Take(amount: 2.0)");
    let message = json!({ "do": "text", "file": "sub/part.ron", "before": text, "after": after, "tag": "" });
    assert_eq!(bench.say(&message), "");
    bench.say(&json!({ "do": "write" }));
    assert_eq!(bench.saved("sub/part.ron"), part.replace("Take()", "Take(amount: 2.0)"));
}

#[test]
fn other_files_are_neither_shown_nor_edited() {
    let bench = bench();
    fs::write(bench.path("other.ron"), GRAPH).unwrap();
    for name in ["other.ron", "../graph.ron", "/etc/hostname", "", "sub/../graph.ron"] {
        bench.say(&json!({ "do": "read", "file": name }));
        assert_eq!(bench.desk.text(name), None, "{name}");
        let message = json!({ "do": "text", "file": name, "before": "", "after": "x", "tag": "" });
        let notice = bench.say(&message);
        assert!(notice.ends_with("is not a file of the graph in its folder"), "{name}: {notice}");
    }
    assert_eq!(bench.saved("other.ron"), GRAPH);
}
