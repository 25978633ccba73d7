//! Graphs of paths from files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use terrane::LoadOptions;
use terrane::flow::{Data, load};
use terrane::nodes::values::{Graph, Paths};
use terrane::registry;
use terrane_tests::{engine, evaluate};

/// The first output of a graph with files in a folder.
fn first<T: Data + Clone>(folder: &Path, text: &str) -> T {
    let loaded = load("test.ron", text, folder, &registry(), &LoadOptions::default());
    let evaluation = evaluate(&engine(1, None), &Arc::new(loaded.unwrap_or_else(|e| panic!("{e}"))));
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    evaluation.outputs[0].value.as_ref().and_then(|value| value.get::<T>()).cloned().unwrap()
}

fn graph(nodes: &str, output: &str) -> String {
    format!(
        "Graph(size: (65, 65), spacing: 0.1, origin: (-3.0, 1.7), seed: 7, nodes: {{ {nodes} }}, outputs: {{ \
        {output} }})"
    )
}

#[test]
fn written_paths_are_read_back_as_a_graph_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let ways: Paths = first(
        folder.path(),
        &graph(
            "\"ground\": MidpointDisplacement(lattice: 2),
             \"graph\": PathGraph(nodes: [(-2.5, 2.2), (2.9, 3.0), (0.1, 7.5)], edges: [(0, 1), (1, 2)]),
             \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 0.4, alpha: 1.0)",
            "\"ways.geojson\": \"bounds.paths\"",
        ),
    );
    let text = format!("{:#}\n", ways.to_json().unwrap());
    fs::write(folder.path().join("ways.geojson"), text).unwrap();
    let read: Graph = first(
        folder.path(),
        &graph("\"graph\": PathGraph(file: \"ways.geojson\", cut: false)", "\"a.json\": \"graph\""),
    );
    // Every step of every line is an edge between the same bits; shared steps occur once.
    let bits = |(x, y): (f64, f64)| (x.to_bits(), y.to_bits());
    let ordered = |a, b| if a < b { (a, b) } else { (b, a) };
    let mut steps: Vec<_> = ways
        .lines
        .iter()
        .flat_map(|line| line.points.windows(2).map(|pair| ordered(bits(pair[0]), bits(pair[1]))))
        .collect();
    steps.sort_unstable();
    steps.dedup();
    let ends = |edge: usize| read.plane.ends(edge).unwrap();
    let mut edges: Vec<_> =
        (0..read.plane.edges.len()).map(|edge| ordered(bits(ends(edge).0), bits(ends(edge).1))).collect();
    edges.sort_unstable();
    assert!(steps.len() > 60, "{}", steps.len());
    assert_eq!(edges, steps);
}

#[test]
fn a_graph_from_a_file_equals_the_inline_graph() {
    let folder = tempfile::tempdir().unwrap();
    let feature = |slope: &str, points: &str| {
        format!(
            r#"{{"type": "Feature", "properties": {{"name": "way"{slope}}},
                "geometry": {{"type": "LineString", "coordinates": {points}}}}}"#
        )
    };
    let features =
        [feature(", \"slope\": 0.2", "[[-1, -2], [0, -3], [9, -3]]"), feature("", "[[0, -3], [0.25, -6]]")];
    fs::write(
        folder.path().join("a.geojson"),
        format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(",")),
    )
    .unwrap();
    let read: Graph = first(
        folder.path(),
        &graph("\"g\": PathGraph(file: \"a.geojson\", max_slope: 0.5)", "\"a.json\": \"g\""),
    );
    let written: Graph = first(
        folder.path(),
        &graph(
            "\"g\": PathGraph(nodes: [(-1, 2), (0, 3), (9, 3), (0.25, 6)], edges: [(0, 1), (1, 2), (1, 3)], \
            slopes: [0.2, 0.2, 0.5])",
            "\"a.json\": \"g\"",
        ),
    );
    assert_eq!(read, written);
    assert_eq!(read.plane.nodes[3].0, -3.0 + 64.0 * 0.1, "cut at the patch's border");
}
