//! In which order proposals come.

use crate::session::Session;
use crate::sessions::labels;

/// A type whose last word is typed comes before one that only begins with it.
#[test]
fn types_are_found_by_their_last_word() {
    let mut session = Session::new(&[]);
    let position = session.open("graph.ron", "Graph(nodes: { \"a\": erosion$0 })");
    let types = labels(&session.at("completion", "graph.ron", &position), 6);
    let at = |name: &str| types.iter().position(|own| own.starts_with(name));
    assert!(at("ThermalErosion").is_some() && at("ErosionScore") > at("FluvialErosion"), "{types:?}");
}

/// All outputs of a subgraph are proposed: the first by the subgraph's name, the others by theirs.
#[test]
fn all_outputs_of_a_subgraph_are_proposed() {
    let inner =
        "Graph(nodes: { \"a\": Perlin(), \"b\": Perlin() }, outputs: { \"x.png\": \"a\", \"y.png\": \"b\" })";
    let mut session = Session::new(&[("inner.ron", inner)]);
    let text = "Graph(nodes: { \"sub\": Subgraph(file: \"inner.ron\"), \"blur\": Blur(height: \"$0\") })";
    let position = session.open("graph.ron", text);
    let items = session.at("completion", "graph.ron", &position);
    let all = labels(&items, 99);
    for wanted in ["sub (", "sub.y (", "sub/a ("] {
        assert!(all.iter().any(|own| own.starts_with(wanted)), "{wanted}: {all:?}");
    }
    assert!(!all.iter().any(|own| own.starts_with("sub.x (")), "{all:?}");
}

/// The first output of a node comes before its others, also before those of nearer nodes.
#[test]
fn the_main_output_is_proposed_first() {
    let mut session = Session::new(&[]);
    let nodes = "\"dem\": Perlin(), \"lakes\": Lakes(height: \"dem\"), \"flow\": Drainage(height: \"dem\"),";
    let mut first = |node: &str, version: i32| {
        let text = format!("Graph(nodes: {{ {nodes} {node} }})");
        let position = match version {
            1 => session.open("graph.ron", &text),
            _ => session.set("graph.ron", version, &text),
        };
        labels(&session.at("completion", "graph.ron", &position), 1).remove(0)
    };
    let rivers = "\"rivers\": Rivers(receivers: \"flow.receivers\", drainage: $0)";
    assert_eq!(first(rivers, 1), "flow (map, square world units)");
    assert_eq!(first("\"whole\": Depressions(height: $0)", 2), "dem (map, world units)");
}

/// Fields that other graphs of the folder write come first, as they are now: also when one was changed.
#[test]
fn what_other_graphs_write_is_proposed_first() {
    let other =
        |field: &str| format!("Graph(nodes: {{ \"b\": Blur(height: \"a\", {field}) }}, outputs: {{}})");
    let mut session = Session::new(&[("other/b.ron", &*other("boundary: Wrap"))]);
    let position =
        session.open("graph.ron", "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\", $0) })");
    let first =
        |session: &mut Session| labels(&session.at("completion", "graph.ron", &position), 1).remove(0);
    let before = first(&mut session);
    std::fs::write(session.path("other/b.ron"), other("radius: 3.0")).unwrap();
    session.tell("workspace/didChangeWatchedFiles", serde_json::json!({ "changes": [] }));
    let after = first(&mut session);
    assert_eq!([before, after], ["boundary (one of Open, Wrap)", "radius (a number)"]);
}
