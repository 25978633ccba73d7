//! Invalid and unusual path graphs: invalid ones are reported with their positions, and nothing is written.

use std::fs;
use std::path::Path;

use crate::running::{flat, terrane};

/// A graph file with terrain, its path graph in line 3, `SubdividePath` in line 4 and `RelaxPath` in line 5.
fn case(graph: &str, subdivide: &str, relax: &str) -> String {
    format!(
        r#"Graph(size: (33, 33), spacing: 4.0, seed: 7, nodes: {{
"ground": MidpointDisplacement(lattice: 2),
"graph": PathGraph({graph}),
"bounds": SubdividePath(height: "ground", graph: "graph"{subdivide}),
"paths": RelaxPath(height: "ground", subdivision: "bounds"{relax}),
"other": Ramp(from: (0, 0), to: (128, 0), high: 90.0),
"wall": Select(height: "other", range: (40, 50)),
"small": Resample(height: "other", size: (9, 9)),
}}, outputs: {{ "a.npy": "paths", "a.json": "paths.report" }})"#
    )
}

fn refused(folder: &Path, text: &str, code: i32, expected: &[&str]) {
    fs::write(folder.join("case.ron"), text).unwrap();
    let output = terrane(folder, ["run", "case.ron", "--threads", "1"]);
    let said = flat(&output);
    assert_eq!(output.status.code(), Some(code), "{text}\n{said}");
    assert!(said.contains("help:") && !said.contains("panicked"), "{text}\n{said}");
    for part in expected {
        assert!(said.contains(part), "{text}\nlacks: {part}\n{said}");
    }
    assert!(!folder.join("out").exists(), "{text}: something was written");
}

/// The report and the messages of a successful run.
fn report(folder: &Path, text: &str) -> (serde_json::Value, String) {
    fs::write(folder.join("case.ron"), text).unwrap();
    let output = terrane(folder, ["run", "case.ron", "--threads", "1"]);
    assert!(output.status.success(), "{text}\n{}", flat(&output));
    let json = fs::read(folder.join("out/a.json")).unwrap();
    fs::remove_dir_all(folder.join("out")).unwrap();
    (serde_json::from_slice(&json).unwrap(), flat(&output))
}

const PATH: &str = "nodes: [(20, 24), (100, 90)], edges: [(0, 1)]";

#[test]
fn invalid_path_graphs_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (graph, expected) in [
        (
            "nodes: [(10, 10), (90, 90), (10, 90), (90, 10)], edges: [(0, 1), (2, 3)]",
            &["edges 0 and 1 meet at a point that is not a common end", "case.ron:3:"][..],
        ),
        (
            "nodes: [(0, 0), (8, 8), (4, 4), (4, 9)], edges: [(0, 1), (2, 3)]",
            &["edges 0 and 1 meet at a point"],
        ),
        ("nodes: [(1, 1), (2, 2)], edges: [(1, 1)]", &["edge 0 has no length", "case.ron:3:"]),
        ("nodes: [(1, 1), (1, 1)], edges: [(0, 1)]", &["nodes 0 and 1 have the same position"]),
        ("nodes: [(1, 1), (2, 2)], edges: [(0, 1), (1, 0)]", &["edges 0 and 1 join the same nodes"]),
        ("nodes: [(1, 1)], edges: [(0, 7)]", &["names node 7, which does not exist", "counted from 0"]),
        ("nodes: [(1, NaN), (2, 2)], edges: [(0, 1)]", &["`nodes`", "finite", "case.ron:3:"]),
        ("nodes: [(1, 1), (2, 2)], edges: [(0, 1)], slopes: [-0.1]", &["`slopes`", "at least 0"]),
        ("nodes: [(1, 1), (2, 2)], edges: [(0, 1)], slopes: [0.1, 0.2]", &["2 slopes for 1 edges"]),
        (
            "nodes: [(1, 1), (2, 2)], edges: [(0, 1)], max_slope: -0.1",
            &["`max_slope` is -0.1", "case.ron:3:"],
        ),
        ("file: \"none.geojson\"", &["cannot read `none.geojson`", "relative to the graph", "case.ron:3:"]),
    ] {
        refused(folder.path(), &case(graph, "", ""), 2, expected);
    }
    for (subdivide, expected) in [
        (", max_slope: 0", &["`max_slope` is 0", "greater than 0", "case.ron:4:"][..]),
        (", max_slope: -0.2", &["`max_slope` is -0.2", "case.ron:4:"]),
        (", width: -1", &["`width` is -1"]),
        (
            ", alpha: 10, excess_cost: 20",
            &["`excess_cost` belongs to `cost: Builder`", "leave out `excess_cost`", "case.ron:4:"],
        ),
        (", cost: Thesis, excess_cost: 20", &["`excess_cost` belongs to `cost: Builder`"]),
        (", side_cost: -1", &["`side_cost` is -1"]),
    ] {
        refused(folder.path(), &case(PATH, subdivide, ""), 2, expected);
    }
    fs::write(folder.path().join("a.geojson"), r#"{"type": "LineString", "coordinates": [[0, 0], [9, 9]]}"#)
        .unwrap();
    let both = case(&format!("file: \"a.geojson\", {PATH}"), "", "");
    refused(folder.path(), &both, 2, &["are both given", "leave out `file`", "case.ron:3:"]);
}

#[test]
fn paths_outside_the_patch_fail_their_node() {
    let folder = tempfile::tempdir().unwrap();
    for (graph, expected) in [
        (
            "nodes: [(20, 24), (500, 24)], edges: [(0, 1)], cut: false",
            &["node 1 at (500, 24) lies outside the patch", "cut: true", "case.ron:4:"][..],
        ),
        (
            "nodes: [(20, 24), (20.5, 24)], edges: [(0, 1)]",
            &["both ends of edge 0 are at the same sample", "case.ron:4:"],
        ),
    ] {
        refused(folder.path(), &case(graph, "", ""), 1, expected);
    }
}

#[test]
fn blocked_routes_are_reported_with_their_position() {
    let folder = tempfile::tempdir().unwrap();
    let inside = "nodes: [(20, 24), (64, 90)], edges: [(0, 1)]";
    for (graph, subdivide, expected) in [
        (
            PATH,
            ", cost_map: \"other\"",
            &["`cost_map` is 0 at (0, 0)", "greater than 0", "`forbidden`", "case.ron:4:"][..],
        ),
        (PATH, ", cost_map: \"small\"", &["33 x 33 samples, but `cost_map` has 9 x 9", "Resample"]),
        (PATH, ", forbidden: \"small\"", &["`forbidden` has 9 x 9"]),
        (
            inside,
            ", forbidden: \"wall\"",
            &[
                "node 1 at (64.0, 90.0), an end of edge 0 from node 0 to node 1, is in a forbidden area",
                "move the node",
                "case.ron:4:",
            ],
        ),
        (
            PATH,
            ", forbidden: \"wall\"",
            &[
                "there is no route for edge 0 from node 0 to node 1",
                "enclosed by forbidden areas",
                "samples can be reached",
                "open a gap",
                "case.ron:4:",
            ],
        ),
        (
            "nodes: [(20, 2), (100, 2)], edges: [(0, 1)]",
            ", borders: Shared, width: 4, border: 4, forbidden: \"wall\"",
            &[
                "edge 0 from node 0 to node 1 must be straight near the patch's border, but (",
                "keep `forbidden` away",
            ],
        ),
        (
            PATH,
            ", borders: Shared, width: 4, border: 4, forbidden: \"wall\"",
            &["there is no route for edge 0", "enclosed"],
        ),
    ] {
        refused(folder.path(), &case(graph, subdivide, ""), 1, expected);
    }
}

#[test]
fn files_without_lines_fail_their_node() {
    let folder = tempfile::tempdir().unwrap();
    let feature = |coordinates: &str| {
        format!(
            r#"{{"type": "Feature", "properties": {{}}, "geometry": {{"type": "LineString",
                "coordinates": {coordinates}}}}}"#
        )
    };
    let lines = |features: &[String]| {
        format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","))
    };
    for (text, expected) in [
        (String::new(), &["a.geojson: the file is empty"][..]),
        (
            "{\"type\": \"LineString\",\n \"coordinates\": [[0, 0], [9 9]]}".to_owned(),
            &["a.geojson:2:29: expected `,` or `]`", "case.ron:3:"],
        ),
        ("{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, NaN]]}".to_owned(), &["a.geojson:1:5"]),
        ("{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1e999]]}".to_owned(), &["a.geojson:1:56"]),
        (
            r#"{"type": "Point", "coordinates": [0, 0]}"#.to_owned(),
            &["feature 0 is a Point, which is not a line", "LineString or MultiLineString"],
        ),
        (lines(&[]), &["there are no lines"]),
        (lines(&[feature("[[0, 0], [4, 4], [4, 4]]")]), &["points 1 and 2 of feature 0 are both at (4, 4)"]),
        (
            lines(&[feature("[[0, 0], [8, 8]]"), feature("[[0, 8], [8, 0]]")]),
            &["feature 0 between the positions (0.0, 0.0) and (8.0, -8.0)", "add a point to both lines"],
        ),
    ] {
        fs::write(folder.path().join("a.geojson"), text).unwrap();
        refused(folder.path(), &case("file: \"a.geojson\"", "", ""), 1, expected);
    }
}

#[test]
fn unusual_valid_path_graphs_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    for graph in [
        // A node on a corner; two separate parts; a part outside the map, which is left out; nothing inside
        // the map.
        "nodes: [(0, 0), (100, 90)], edges: [(0, 1)]",
        "nodes: [(20, 24), (100, 24), (20, 100), (100, 110)], edges: [(0, 1), (2, 3)]",
        "nodes: [(20, 24), (500, 24), (900, 24)], edges: [(0, 1), (1, 2)]",
        "nodes: [(500, 500), (600, 600)], edges: [(0, 1)]",
    ] {
        let (report, said) = report(folder.path(), &case(graph, "", ", solver: Draft"));
        assert_eq!((&report["met"], &report["missed"]), (&1.0.into(), &0.0.into()), "{graph}\n{report}");
        // A node farther outside than the map is long is named.
        let far = usize::from(graph.contains("(500,"));
        assert_eq!(
            (said.matches("warning").count(), said.matches("far outside").count()),
            (far, far),
            "{said}"
        );
    }
}

#[test]
fn heights_that_cannot_be_met_are_reported_and_the_best_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let graph = "nodes: [(0, 64), (128, 64)], edges: [(0, 1)]";
    let text = case(graph, ", borders: Stitched, border: 4, max_slope: 0.01", ", border: \"other\"");
    let (report, said) = report(folder.path(), &text);
    assert_eq!((&report["met"], &report["stuck"]), (&0.0.into(), &1.0.into()), "{report}");
    assert_eq!((&report["gradient_conflict"], &report["position_conflict"]), (&1.0.into(), &1.0.into()));
    assert!(
        said.contains("warning: paths: bounds conflict: ") && said.contains("`missed` shows where"),
        "{said}"
    );
}
