use std::fs;

use super::*;
use crate::testing::Run;

/// The points of a node on a map from (-8, 4) to (56, 68), with files beside the graph.
fn run(parameters: &str, files: &[(&str, &str)]) -> Result<Run, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let text = format!(
        "Graph(size: (33, 33), spacing: 2.0, origin: (-8, 4), nodes: {{
            \"ramp\": Ramp(from: (-8, 0), to: (56, 0), low: -8.0, high: 56.0),
            \"p\": Points({parameters}),
        }}, outputs: {{ \"p.json\": \"p\" }})"
    );
    Run::of(&text, folder.path())
}

fn points(parameters: &str, files: &[(&str, &str)]) -> Vec<[f64; 3]> {
    run(parameters, files).unwrap_or_else(|e| panic!("{e}")).value::<PointsValue>(0).0
}

/// The error of a node that fails, or whose parameters are rejected.
fn refused(parameters: &str, files: &[(&str, &str)]) -> String {
    match run(parameters, files) {
        Ok(run) => {
            assert!(!run.failure().is_empty(), "{parameters} runs");
            run.failure()
        }
        Err(mistakes) => mistakes,
    }
}

const TABLE: &str = "x,y,height\n1,5,2.5\n3,6,\n";
const JSON: &str = r#"{"type": "MultiPoint", "coordinates": [[1, -5, 2.5], [3, -6]]}"#;

#[test]
fn heights_come_from_the_points_or_the_terrain() {
    let expected = [[1.0, 5.0, 2.5], [3.0, 6.0, 3.0]];
    assert_eq!(points("points: [(1, 5, 2.5), (3, 6, None)], height: \"ramp\"", &[]), expected);
    assert_eq!(points("file: \"a.csv\", height: \"ramp\"", &[("a.csv", TABLE)]), expected);
    assert_eq!(points("file: \"a.geojson\", height: \"ramp\"", &[("a.geojson", JSON)]), expected);
    // Between samples, heights are interpolated bilinearly.
    assert_eq!(points("points: [(3.25, 6.5, None)], height: \"ramp\"", &[]), [[3.25, 6.5, 3.25]]);
    let error = refused("file: \"a.csv\"", &[("a.csv", TABLE)]);
    assert!(error.contains("a.csv: the point of line 3 at (3, 6) has no height"), "{error}");
}

#[test]
fn points_outside_the_map_are_refused_or_dropped() {
    let outside = "points: [(1, 5, 2), (58, 5, 3), (56.9, 68.9, 4)]";
    let error = refused(outside, &[]);
    assert!(
        error.contains(
            "point 1, counted from 0, at (58, 5) lies outside the map, which extends from (-8, 4) to (56, 68)"
        ),
        "{error}"
    );
    assert_eq!(points(&format!("{outside}, outside: Drop"), &[]), [[1.0, 5.0, 2.0], [56.9, 68.9, 4.0]]);
    let none = run("points: [(99, 99, 1)], outside: Drop", &[]).unwrap();
    assert!(none.warnings().contains("none of 1 points is on the map"), "{}", none.warnings());
    let error = refused("file: \"a.csv\"", &[("a.csv", "x,y,height\n1,99,2\n")]);
    assert!(error.contains("a.csv: the point of line 2 at (1, 99) lies outside the map"), "{error}");
}

#[test]
fn a_point_outside_the_terrain_is_reported() {
    let text = "Graph(size: (33, 33), spacing: 2.0, origin: (-8, 4), nodes: {
        \"ramp\": Ramp(from: (-8, 0), to: (56, 0), low: -8.0, high: 56.0),
        \"p\": Points(points: [(50, 60, None)], height: \"part\"),
        \"part\": Import(file: \"part.npy\", origin: (-8, 4)),
    }, outputs: { \"p.json\": \"p\" })";
    let folder = tempfile::tempdir().unwrap();
    let part = Heightmap::from_fn(Domain::new(5, 5), |x, _| x as f32);
    terrane_io::write_heightmap(&folder.path().join("part.npy"), &part, &terrane_io::WriteOptions::default())
        .unwrap();
    let failure = Run::of(text, folder.path()).unwrap().failure();
    assert!(
        failure.contains("lies outside the map of `height`, which extends from (-8, 4) to (0, 12)"),
        "{failure}"
    );
}

#[test]
fn mistakes_in_points_are_reported() {
    for (parameters, expected) in [
        ("", "there are no points"),
        ("points: []", "there are no points"),
        ("points: [(1, 5, 2), (3, 5, 2), (1, 5, 4)]", "points 0 and 2, counted from 0, are both at (1, 5)"),
        ("points: [(1, 5, 2)], file: \"a.csv\"", "both `points` and `file` are given"),
        ("file: \"a.csv\"", "a.csv:3: `b` in column `y` is not a number"),
        ("file: \"empty.csv\"", "empty.csv: the file is empty"),
        ("file: \"none.csv\"", "none.csv"),
        ("file: \"lines.json\"", "feature 0 is a LineString"),
        ("file: \"broken.json\"", "broken.json:1:2"),
    ] {
        let error = refused(
            parameters,
            &[
                ("a.csv", "x,y,height\n1,5,2\n3,b,2\n"),
                ("empty.csv", "\n"),
                ("lines.json", r#"{"type": "LineString", "coordinates": [[0, 5], [1, 6]]}"#),
                ("broken.json", "{]"),
            ],
        );
        assert!(error.contains(expected), "{parameters}: {error}");
    }
}

#[test]
fn midpoint_displacement_passes_through_points_to_the_bit() {
    let table = "height,x,y\n77.7,0.6,10.9\n-123.4,40.9,32.9\n0.1,-8,4\n";
    for amplitude in [0.0, 33.3] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("p.csv"), table).unwrap();
        let text = format!(
            "Graph(size: (33, 33), spacing: 2.0, origin: (-8, 4), nodes: {{
                \"p\": Points(file: \"p.csv\"),
                \"hills\": MidpointDisplacement(points: \"p\", amplitude: {amplitude}, offset: 5.0),
            }}, outputs: {{ \"hills.npy\": \"hills\" }})"
        );
        let hills: Map = Run::of(&text, folder.path()).unwrap().value(0);
        assert_eq!([hills[(4, 3)], hills[(24, 14)], hills[(0, 0)]], [77.7, -123.4, 0.1]);
    }
}

#[test]
fn the_content_of_the_file_is_part_of_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.csv");
    let text = "Graph(nodes: { \"p\": Points(file: \"p.csv\") }, outputs: { \"p.json\": \"p\" })";
    let key = |table: &str| {
        fs::write(&path, table).unwrap();
        let loaded = terrane_flow::load(
            "a.ron",
            text,
            folder.path(),
            &crate::registry(),
            &terrane_flow::LoadOptions::default(),
        );
        let loaded = loaded.unwrap();
        let engine = terrane_flow::Engine::new(terrane_flow::EngineOptions::default()).unwrap();
        let parts = engine.key_parts(&loaded, &[(0, 0)]);
        format!("{parts:?}")
    };
    assert_ne!(key("x,y,height\n1,2,3\n"), key("x,y,height\n1,2,4\n"));
}

#[test]
fn numbers_too_large_are_refused() {
    for numbers in ["(1, 2, 1e13)", "(-1e13, 5, 2)"] {
        let error = refused(&format!("points: [(9, 9, 1), {numbers}]"), &[]);
        assert!(error.contains("point 1, counted from 0") && error.contains("from -1e12 to 1e12"), "{error}");
    }
}
