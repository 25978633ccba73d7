//! What an editor gets, for each thing that it can ask.

use serde_json::{Value as Json, json};

use crate::session::Session;

const GRAPH: &str = "Graph(
    size: (65, 65),
    params: { \"height\": 40.0 },
    nodes: {
        \"hills\": Perlin(amplitude: \"$height\"),
        \"worn\": ThermalErosion(height: \"hills\"),
        \"mask\": Select(height: \"worn\", range: (10.0, 40.0)),
        \"both\": Combine(a: \"worn\", b: \"hills\", mode: Max),
    },
    outputs: { \"both.png\": \"both\" },
)
";

/// The labels of proposals with their details.
fn labels(items: &Json, most: usize) -> Vec<String> {
    let items = items["items"].as_array().unwrap();
    let of = |item: &Json| {
        let detail = item["detail"].as_str().map(|detail| format!(" ({detail})")).unwrap_or_default();
        format!("{}{detail}", item["label"].as_str().unwrap())
    };
    items.iter().take(most).map(of).collect()
}

/// What is proposed where `$0` replaces a part of the graph.
fn proposals(part: &str, with: &str, most: usize) -> Vec<String> {
    assert!(GRAPH.contains(part), "{part}");
    let mut session = Session::new(&[]);
    let position = session.open("graph.ron", &GRAPH.replacen(part, with, 1));
    let items = session.at("completion", "graph.ron", &position);
    labels(&items, most)
}

#[test]
fn completion_proposes_what_may_stand_there() {
    assert_eq!(proposals("Graph(", "Gr$0", 9), ["Graph", "World"]);
    assert_eq!(
        proposals("size: (65, 65)", "$0", 4),
        ["size (a list (..., ...) of a whole number, a whole number)", "spacing", "origin", "seed"]
            .map(str::to_owned)
            .iter()
            .map(|label| proposals("size: (65, 65)", "$0", 4)
                .into_iter()
                .find(|own| own.starts_with(label.split(' ').next().unwrap()))
                .unwrap())
            .collect::<Vec<_>>()
    );
    let types = proposals("Perlin(amplitude: \"$height\")", "$0", 200);
    assert!(types.len() > 70 && types.iter().any(|own| own == "Subgraph (files)"), "{types:?}");
    // Ports that must be connected come first, then what matters most.
    assert_eq!(proposals("ThermalErosion(height: \"hills\")", "ThermalErosion($0)", 2)[0], "height (map)");
    // A wire that fits, without a cycle, the likeliest first.
    assert_eq!(
        proposals("b: \"hills\"", "b: \"$0\"", 9),
        ["worn (map, world units)", "hills (map, world units)", "mask (map)"]
    );
    assert_eq!(proposals("height: \"hills\"", "height: $0", 9), ["hills (map, world units)"]);
    assert_eq!(proposals("mode: Max", "mode: $0", 2), ["Add", "Subtract"]);
    assert_eq!(proposals("\"both.png\": \"both\"", "\"both.png\": \"$0\"", 1), ["both (map, world units)"]);
    assert_eq!(proposals("\"$height\"", "\"$$0\"", 1), ["$height (parameter)"]);
    // In a comment, and for names that the author chooses, nothing.
    assert_eq!(proposals("size: (65, 65),", "size: (65, 65), // $0", 9), Vec::<String>::new());
    assert_eq!(proposals("\"hills\": Perlin", "\"$0\": Perlin", 9), Vec::<String>::new());
}
