//! Building graphs in `terrane view`, from a page's point of view.

use std::fs;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::preview::{Page, Preview};

const GRAPH: &str = "Graph(
    size: (33, 33), spacing: 2.0,
    nodes: {
        \"ramp\": Ramp(to: (64.0, 0.0), high: 64.0), // from west to east
        \"soft\": Blur(height: \"ramp\", radius: 4.0),
    },
)
";

fn edit(page: &mut Page, what: &Json) {
    page.say(&json!({ "do": "edit", "what": what, "tag": "t" }));
}

fn names(graph: &Json) -> Vec<&str> {
    graph["nodes"].as_array().into_iter().flatten().filter_map(|node| node["name"].as_str()).collect()
}

#[test]
fn a_node_that_is_not_connected_waits_and_the_others_are_evaluated() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let mut page = preview.page();
    page.done();
    edit(&mut page, &json!({ "edit": "add", "type": "Combine", "from": "soft" }));
    page.until(|graph, _| names(graph).contains(&"combine"));
    edit(&mut page, &json!({ "edit": "add", "type": "Invert", "from": "combine" }));
    page.until(|graph, state| {
        names(graph).contains(&"invert") && state["phase"] == "done" && graph["revision"] == state["revision"]
    });
    let node = |name: &str| page.graph["nodes"][page.number(name)].clone();
    assert_eq!((&node("combine")["open"], &node("combine")["waits"]), (&json!(["b"]), &json!(true)));
    assert_eq!((&node("invert")["open"], &node("invert")["waits"]), (&json!([]), &json!(true)));
    assert!(!page.id(page.number("soft")).is_empty());
    assert!(page.id(page.number("combine")).is_empty() && page.id(page.number("invert")).is_empty());
    let combine = page.number("combine");
    edit(&mut page, &json!({ "edit": "connect", "node": "combine", "port": "b", "from": "ramp" }));
    page.until(|graph, state| {
        graph["nodes"][combine]["waits"] == false
            && graph["revision"] == state["revision"]
            && state["nodes"][combine]["ids"].as_array().is_some_and(|ids| !ids.is_empty())
    });
    // The file of a graph that is not connected names what it needs.
    assert_eq!(fs::read_to_string(preview.file("g.ron")).unwrap(), GRAPH);
    let difference = preview.json("difference");
    assert!(difference.to_string().contains("+"), "{difference}");
    assert!(preview.json("catalogue").as_array().unwrap().len() > 50);
}

/// Every node type can be added to a page, alone and after a node.
#[test]
fn every_node_type_is_added() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let mut page = preview.page();
    page.done();
    let types = preview.json("catalogue");
    let mut steps = 0;
    for (number, kind) in types.as_array().unwrap().iter().enumerate() {
        let needs = kind["params"].as_array().unwrap().iter().any(|param| param["default"].is_null());
        if needs || kind["name"] == "Points" {
            // Files and names are asked for by the page.
            continue;
        }
        for from in [Json::Null, json!("soft")] {
            let what = json!({ "edit": "add", "type": kind["name"], "from": from });
            page.say(&json!({ "do": "edit", "what": what, "tag": format!("{number}{from}") }));
            steps += 1;
            page.until(|_, state| {
                let made = state["steps"].as_array().is_some_and(|made| made.len() == steps);
                assert!(made || state["notice"].is_null(), "{}: {}", kind["name"], state["notice"]);
                made
            });
        }
    }
    assert!(steps > 150, "{steps}");
}

#[test]
fn a_page_that_only_shows_changes_nothing() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &["--read-only"]);
    let mut page = preview.page();
    page.done();
    page.set("soft", "radius", 8.0);
    edit(&mut page, &json!({ "edit": "delete", "nodes": ["soft"] }));
    page.say(&json!({ "do": "write" }));
    page.say(&json!({ "do": "undo" }));
    page.say(&json!({ "do": "start", "template": "island" }));
    page.until(|_, state| state["notice"].as_str().is_some_and(|notice| notice.contains("--read-only")));
    assert_eq!((&page.state["changes"], &page.state["steps"]), (&json!([]), &json!([])));
    assert_eq!(names(&page.graph), ["ramp", "soft"]);
    assert_eq!(fs::read_to_string(preview.file("g.ron")).unwrap(), GRAPH);
    // It may still choose what it looks at.
    page.say(&json!({ "do": "look", "ports": [["ramp", 0]] }));
    page.done();
}

#[test]
fn a_missing_file_begins_with_a_template_and_an_existing_one_is_not_replaced() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    fs::remove_file(preview.file("g.ron")).unwrap();
    let mut page = preview.page();
    page.until(|_, state| state["missing"] == true);
    page.say(&json!({ "do": "start", "template": "nothing" }));
    page.until(|_, state| state["notice"] == "there is no template `nothing`");
    page.say(&json!({ "do": "start", "template": "empty" }));
    page.until(|graph, state| state["missing"] == false && graph["nodes"] == json!([]));
    let text = fs::read_to_string(preview.file("g.ron")).unwrap();
    page.say(&json!({ "do": "start", "template": "dunes" }));
    page.until(|_, state| {
        state["notice"].as_str().is_some_and(|notice| notice.starts_with("cannot write g.ron"))
    });
    assert_eq!(fs::read_to_string(preview.file("g.ron")).unwrap(), text);
    assert_eq!(preview.get("template/island").0, 200);
    assert_eq!(preview.get("template/empty").0, 404);
}

/// Each template is written under another name, and loads without any other file.
#[test]
fn every_template_loads_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (_, known) = run(&["new", "x", "--template", "?"]);
    let names = known.split("possible values: ").nth(1).unwrap().split(']').next().unwrap();
    assert_eq!(names.split(", ").count(), 7, "the empty graph and six others: {names}");
    for name in names.split(", ") {
        let file = format!("my_{name}.ron");
        assert_eq!(run(&["new", &file, "--template", name]).0, Some(0), "{name}");
        let (code, said) = run(&["check", &file]);
        assert_eq!((code, &*said), (Some(0), "1 graph, no errors\n"), "{name}");
        let text = fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(!text.contains("graphs/"), "{name} names a file that the user does not have");
    }
}

#[test]
fn the_size_of_the_graph_is_set_on_the_page() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let mut page = preview.page();
    page.done();
    page.say(&json!({ "do": "set", "header": true, "parameter": "size", "value": [17, 9] }));
    page.until(|_, state| state["size"] == json!([17, 9]));
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["changes"] == json!([]) && state["notice"].as_str().is_some());
    let text = fs::read_to_string(preview.file("g.ron")).unwrap();
    assert_eq!(text, GRAPH.replace("(33, 33)", "(17, 9)"));
}

/// A graph's file that is a link: files are made in the folder of the link, not where it leads.
#[cfg(unix)]
#[test]
fn no_file_is_made_outside_the_folder() {
    let preview = Preview::of(&[("in/g.ron", "Graph(nodes: {})"), ("elsewhere/real.ron", GRAPH)], &[]);
    fs::remove_file(preview.file("in/g.ron")).unwrap();
    std::os::unix::fs::symlink(preview.file("elsewhere/real.ron"), preview.file("in/g.ron")).unwrap();
    let mut page = preview.page();
    page.until(|graph, _| names(graph) == ["ramp", "soft"]);
    edit(&mut page, &json!({ "edit": "group", "nodes": ["soft"], "name": "part" }));
    page.until(|_, state| state["notice"].as_str().is_some_and(|notice| notice.contains("is a link")));
    assert_eq!(page.state["steps"], json!([]));
    page.say(&json!({ "do": "write" }));
    page.done();
    assert!(!preview.file("elsewhere/part.ron").exists() && !preview.file("in/part.ron").exists());
}
