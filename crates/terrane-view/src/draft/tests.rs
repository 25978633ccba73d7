//! Tests of steps, their effect on values, and undo.

use std::fs;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use terrane_flow::{Engine, EngineOptions};

use crate::headless::Desk;
use crate::testing::{FACES, registry};

pub(super) const GRAPH: &str = "Graph(
    nodes: {
        \"a\": Take(amount: 1.0), // first
        \"sum\": Sum(left: \"a\", right: \"a\"),
        \"last\": Sum(left: \"sum\", right: \"a\"),
    },
    outputs: {
        \"sum.txt\": \"sum\",
    },
)
";

/// A graph's file and the page that changes it.
pub(super) struct Bench {
    pub(super) folder: tempfile::TempDir,
    pub(super) desk: Desk,
}

impl Bench {
    pub(super) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.ron");
        fs::write(&file, text).unwrap();
        let engine =
            Engine::new(EngineOptions { threads: 1, memory: 0, ..EngineOptions::default() }).unwrap();
        let desk = Desk::new(&engine, FACES, Arc::new(registry()), &file).unwrap();
        Self { folder, desk }
    }

    pub(super) fn say(&self, message: &Json) -> String {
        assert!(self.desk.hear(&message.to_string()), "{message}");
        let state = self.state();
        state["notice"].as_str().unwrap_or_default().to_owned()
    }

    pub(super) fn edit(&self, what: &Json) -> String {
        self.say(&json!({ "do": "edit", "what": what, "tag": "t" }))
    }

    pub(super) fn state(&self) -> Json {
        serde_json::from_str(&self.desk.told()).unwrap()
    }

    /// The text with the changes of the page.
    pub(super) fn text(&self) -> String {
        let loaded = self.desk.shown().unwrap_or_else(|errors| panic!("{errors}"));
        let file = self.path("graph.ron").canonicalize().unwrap();
        loaded.graph.texts[&file].to_string()
    }

    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn saved(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

#[test]
fn a_node_is_added_after_another_one_and_before_a_port() {
    let bench = Bench::new(GRAPH);
    assert_eq!(bench.edit(&json!({ "edit": "add", "type": "Sum", "from": "a" })), "");
    let added = "right: \"a\"),\n        \"sum_2\": Sum(left: \"a\"),\n    }";
    let added = GRAPH.replace("right: \"a\"),\n    }", added);
    assert_eq!(bench.text(), added, "its second port is not connected yet");
    assert_eq!(bench.state()["made"], json!({ "tag": "t", "node": "sum_2" }));
    bench.say(&json!({ "do": "undo" }));
    assert_eq!(bench.text(), GRAPH);
    bench.edit(&json!({ "edit": "add", "type": "Sum", "into": ["last", "left"] }));
    let inserted = GRAPH
        .replace("left: \"sum\"", "left: \"sum_2\"")
        .replace("        \"last\"", "        \"sum_2\": Sum(left: \"sum\"),\n        \"last\"");
    assert_eq!(bench.text(), inserted);
    assert_eq!(bench.saved("graph.ron"), GRAPH, "the file waits");
    assert_eq!(bench.say(&json!({ "do": "write" })).split(" to ").next(), Some("wrote 1 edit"));
    assert_eq!(bench.saved("graph.ron"), inserted);
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let bench = Bench::new(GRAPH);
    for (what, why) in [
        (json!({ "edit": "add", "type": "Tale" }), "there is no node type `Tale`"),
        (json!({ "edit": "connect", "node": "sum", "port": "left", "from": "last" }), "a cycle of 2 nodes"),
        (json!({ "edit": "connect", "node": "sum", "port": "left", "from": "b" }), "there is no node `b`"),
        (json!({ "edit": "rename", "node": "sum", "to": "a" }), "the name `a` is taken"),
        (json!({ "edit": "rename", "node": "sum", "to": "" }), "a name is empty"),
        (json!({ "edit": "delete", "nodes": [] }), "no node is selected"),
        (json!({ "edit": "group", "nodes": ["sum"], "name": "../up" }), "cannot name a file"),
        (json!({ "edit": "clear", "node": "a", "field": "times" }), "does not set `times`"),
        (json!({ "edit": "output", "file": "sum.txt", "from": "a" }), "the name `sum.txt` is taken"),
        (
            json!({ "edit": "bind", "node": "a", "field": "times", "name": "n" }),
            "the graph has no parameter `n`",
        ),
        (json!({ "edit": "nothing" }), "unknown variant"),
    ] {
        let notice = bench.edit(&what);
        assert!(notice.contains(why), "{what}: {notice}");
        assert_eq!((bench.text(), &bench.state()["steps"]), (GRAPH.to_owned(), &json!([])), "{what}");
    }
}

#[test]
fn readers_of_a_deleted_or_bypassed_node_read_what_it_read() {
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "bypass", "node": "sum" }));
    let bypassed =
        GRAPH.replace("left: \"sum\"", "left: \"a\"").replace("\"sum.txt\": \"sum\"", "\"sum.txt\": \"a\"");
    assert_eq!(bench.text(), bypassed);
    bench.say(&json!({ "do": "undo" }));
    bench.edit(&json!({ "edit": "delete", "nodes": ["sum"] }));
    assert_eq!(bench.text(), bypassed.replace("        \"sum\": Sum(left: \"a\", right: \"a\"),\n", ""));
    bench.say(&json!({ "do": "undo" }));
    // Nothing takes the place of a source.
    bench.edit(&json!({ "edit": "delete", "nodes": ["a", "sum"] }));
    assert_eq!(
        bench.text(),
        "Graph(\n    nodes: {\n        \"last\": Sum(),\n    },\n    outputs: {\n    },\n)\n"
    );
}

#[test]
fn values_follow_the_nodes_that_they_belong_to() {
    let bench = Bench::new(GRAPH);
    let set =
        |value: f64| bench.say(&json!({ "do": "set", "node": "a", "parameter": "amount", "value": value }));
    set(2.0);
    bench.edit(&json!({ "edit": "copy", "node": "a" }));
    bench.edit(&json!({ "edit": "rename", "node": "a", "to": "hill" }));
    let text = bench.text();
    assert!(
        text.contains("\"hill\": Take(amount: 2.0), // first\n        \"a_2\": Take(amount: 2.0)"),
        "{text}"
    );
    let changes = bench.state()["changes"].clone();
    assert_eq!((&changes[0]["node"], &changes[1]["node"]), (&json!("hill"), &json!("a_2")), "{changes}");
    bench.edit(&json!({ "edit": "delete", "nodes": ["a_2"] }));
    assert_eq!(bench.state()["changes"].as_array().unwrap().len(), 1);
    bench.edit(&json!({ "edit": "parameter", "name": "n", "node": "hill", "field": "amount" }));
    let text = bench.text();
    assert!(
        text.contains("params: {\n        \"n\": 2.0,\n    },") && text.contains("amount: \"$n\""),
        "{text}"
    );
    let change = bench.state()["changes"][0].clone();
    assert!(change["home"].as_str().unwrap().ends_with(": $n"), "it is beside the parameter: {change}");
    assert_eq!((&change["node"], &change["parameter"]), (&Json::Null, &json!("n")));
    for _ in 0..4 {
        bench.say(&json!({ "do": "undo" }));
    }
    assert_eq!(bench.text(), GRAPH.replace("amount: 1.0", "amount: 2.0"));
    bench.say(&json!({ "do": "undo" }));
    assert_eq!(bench.text(), GRAPH);
    assert_eq!(bench.say(&json!({ "do": "undo" })), "there is nothing to undo");
    for _ in 0..5 {
        bench.say(&json!({ "do": "redo" }));
    }
    assert_eq!(bench.text(), text);
    assert_eq!(bench.say(&json!({ "do": "redo" })), "there is nothing to redo");
}

#[test]
fn nodes_are_grouped_in_a_new_file_which_is_written_with_the_graph() {
    let bench = Bench::new(GRAPH);
    bench.say(&json!({ "do": "set", "node": "sum", "parameter": "left", "value": 1.5 }));
    bench.edit(&json!({ "edit": "group", "nodes": ["sum"], "name": "part" }));
    let names: Vec<String> = bench.desk.shown().unwrap().graph.nodes.keys().cloned().collect();
    assert_eq!(names, ["a", "part/sum", "last"]);
    assert!(!bench.path("part.ron").exists(), "the file waits");
    bench.say(&json!({ "do": "set", "node": "a", "parameter": "times", "value": 4 }));
    let notice = bench.say(&json!({ "do": "write" }));
    assert!(notice.starts_with("wrote nodes to part.ron and 1 edit and "), "{notice}");
    assert!(bench.saved("part.ron").contains("\"sum\": Sum("));
    assert!(bench.saved("graph.ron").contains("\"last\": Sum(left: \"part/sum\", right: \"a\")"));
    assert_eq!(bench.say(&json!({ "do": "undo" })), "undone: write");
    assert_eq!((bench.saved("graph.ron"), bench.path("part.ron").exists()), (GRAPH.to_owned(), false));
    assert_eq!(bench.say(&json!({ "do": "redo" })), "redone: write");
    assert!(bench.path("part.ron").exists());
    // A file that exists is never replaced.
    fs::write(bench.path("more.ron"), "precious").unwrap();
    let notice = bench.edit(&json!({ "edit": "group", "nodes": ["last"], "name": "more" }));
    assert!(notice.starts_with("the file more.ron exists already"), "{notice}");
    assert_eq!(bench.saved("more.ron"), "precious");
}

#[test]
fn a_file_saved_by_another_program_is_not_undone() {
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "rename", "node": "sum", "to": "total" }));
    bench.say(&json!({ "do": "write" }));
    let newer = bench.saved("graph.ron").replace("// first", "// newer");
    fs::write(bench.path("graph.ron"), &newer).unwrap();
    let notice = bench.say(&json!({ "do": "undo" }));
    assert!(notice.contains("has another text now") && notice.contains("forgotten"), "{notice}");
    assert_eq!(bench.saved("graph.ron"), newer);
    assert_eq!(bench.say(&json!({ "do": "undo" })), "there is nothing to undo");
}

#[test]
fn steps_apply_to_what_an_editor_has_saved_or_say_why_not() {
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "rename", "node": "sum", "to": "total" }));
    fs::write(bench.path("graph.ron"), GRAPH.replace("// first", "// newer")).unwrap();
    bench.say(&json!({ "do": "look", "ports": [] }));
    assert!(bench.text().contains("// newer") && bench.text().contains("\"total\": Sum"));
    fs::write(bench.path("graph.ron"), GRAPH.replace("sum", "plus")).unwrap();
    bench.say(&json!({ "do": "look", "ports": [] }));
    let steps = bench.state()["steps"].clone();
    assert!(steps[0]["problem"].as_str().unwrap().contains("no node `sum`"), "{steps}");
    assert!(bench.say(&json!({ "do": "write" })).starts_with("nothing was written"));
    bench.say(&json!({ "do": "drop", "number": steps[0]["number"] }));
    assert_eq!(bench.state()["steps"], json!([]));
}

#[test]
fn header_fields_are_set_before_the_sections() {
    let bench = Bench::new(GRAPH);
    bench.say(&json!({ "do": "set", "header": true, "parameter": "seed", "value": 7 }));
    assert_eq!(bench.text(), GRAPH.replace("    nodes: {", "    seed: 7,\n    nodes: {"));
    let notice = bench.say(&json!({ "do": "set", "header": true, "parameter": "nodes", "value": 7 }));
    assert!(notice.contains("cannot be changed"), "{notice}");
}

#[test]
fn differences_have_a_line_for_each_change() {
    let file = super::Difference {
        shown: "g.ron".to_owned(),
        before: Some("a\nb\nc\nd\ne\n".to_owned()),
        after: "a\nb\nc\nx\nd\n".to_owned(),
    };
    let told = super::difference(&[file]);
    let lines = json!([[" ", "b"], [" ", "c"], ["+", "x"], [" ", "d"], ["-", "e"]]);
    assert_eq!(told, json!([{ "file": "g.ron", "is_new": false, "hunks": [{ "line": 2, "lines": lines }] }]));
}

#[test]
fn several_files_are_taken_back_together_or_not_at_all() {
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "group", "nodes": ["sum"], "name": "part" }));
    bench.say(&json!({ "do": "write" }));
    let newer = format!("{}// newer\n", bench.saved("graph.ron"));
    fs::write(bench.path("graph.ron"), &newer).unwrap();
    let notice = bench.say(&json!({ "do": "undo" }));
    assert!(notice.contains("has another text now"), "{notice}");
    assert_eq!(bench.saved("graph.ron"), newer);
    assert!(bench.saved("part.ron").contains("\"sum\": Sum("), "the graph still reads it");
    // The other way round: what was undone is not repeated over a newer text.
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "group", "nodes": ["sum"], "name": "part" }));
    bench.say(&json!({ "do": "write" }));
    bench.say(&json!({ "do": "undo" }));
    fs::write(bench.path("graph.ron"), format!("{GRAPH}// newer\n")).unwrap();
    bench.say(&json!({ "do": "redo" }));
    assert!(!bench.path("part.ron").exists(), "nothing is left behind");
}

#[test]
fn a_write_that_was_stopped_half_way_can_be_repeated() {
    let bench = Bench::new(GRAPH);
    bench.edit(&json!({ "edit": "group", "nodes": ["sum"], "name": "part" }));
    bench.say(&json!({ "do": "write" }));
    let part = bench.saved("part.ron");
    bench.say(&json!({ "do": "undo" }));
    // As a killed program leaves it: the new file is there, and no file names it.
    fs::write(bench.path("part.ron"), &part).unwrap();
    let notice = bench.say(&json!({ "do": "write" }));
    assert!(notice.contains("1 edit to"), "{notice}");
    assert!(bench.saved("graph.ron").contains("file: \"part.ron\""));
    assert_eq!(bench.saved("part.ron"), part);
    bench.say(&json!({ "do": "undo" }));
    assert_eq!((bench.saved("graph.ron"), bench.saved("part.ron")), (GRAPH.to_owned(), part));
}

#[test]
fn a_value_that_does_not_fit_does_not_stand_in_the_way_of_edits() {
    let bench = Bench::new(GRAPH);
    bench.say(&json!({ "do": "set", "node": "a", "parameter": "amount", "value": 99 }));
    assert!(bench.desk.shown().is_err());
    assert_eq!(bench.edit(&json!({ "edit": "copy", "node": "sum" })), "");
    assert_eq!(bench.edit(&json!({ "edit": "clear", "node": "a", "field": "amount" })), "");
    assert!(bench.text().contains("\"a\": Take(), // first") && bench.text().contains("\"sum_2\""));
}

/// Edits one after the other apply to what the former ones made, and undo restores every byte.
#[test]
fn many_edits_are_undone_to_the_last_byte() {
    let bench = Bench::new(GRAPH);
    let mut texts = vec![bench.text()];
    for number in 0..60 {
        let (from, to) = if number == 0 { ("a".to_owned(), 0) } else { (format!("n{}", number - 1), number) };
        assert_eq!(bench.edit(&json!({ "edit": "rename", "node": from, "to": format!("n{to}") })), "");
        bench.edit(&json!({ "edit": "add", "type": "Sum", "from": format!("n{to}") }));
        texts.push(bench.text());
    }
    while let Some(text) = texts.pop() {
        assert_eq!(bench.text(), text);
        bench.say(&json!({ "do": "undo" }));
        bench.say(&json!({ "do": "undo" }));
    }
    assert_eq!(bench.text(), GRAPH);
}

/// A change that goes with another is undone with it, unless another page made it.
#[test]
fn changes_that_belong_together_are_undone_together() {
    let home = |name: &str| terrane_flow::Home {
        file: std::path::Path::new("graph.ron").into(),
        slot: terrane_flow::Slot::Param { name: name.to_owned() },
    };
    let mut history = super::History::default();
    let draft = super::Draft::default();
    let steps = |history: &mut super::History| {
        let mut draft = super::Draft::default();
        let mut count = 0;
        while history.step(&mut draft, true, &mut |_| Ok(())).unwrap().is_some() {
            count += 1;
        }
        count
    };
    history.record_value(&home("a"), &draft, "a", (1, false));
    history.record_value(&home("b"), &draft, "b", (1, true));
    assert!(!history.turned());
    assert_eq!(steps(&mut history), 1);
    assert!(history.turned());
    history.record_value(&home("a"), &draft, "a", (1, false));
    history.record_value(&home("b"), &draft, "b", (2, true));
    assert_eq!(steps(&mut history), 2, "of two pages");
}
