//! Files of graphs over georeferenced ground lie where the ground does.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use terrane_flow::{Engine, EngineOptions, LoadOptions, load};
use terrane_io::{ReadOptions, needed_memory, read_heightmap};
use terrane_runs::outputs::run_all;

/// Runs the text of a graph with a copy of an elevation model.
fn run(text: &str, folder: &Path) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/data");
    for name in ["bigtujunga_30m.tif", "villarrica_3s.tif", "jacksboro_3s.tif"] {
        if data.join(name).exists() {
            fs::copy(data.join(name), folder.join(name)).unwrap();
        }
    }
    let loaded = load("g.ron", text, folder, &terrane_nodes::registry(), &LoadOptions::default()).unwrap();
    let engine = Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() }).unwrap();
    run_all(&engine, &Arc::new(loaded), &folder.join("out")).unwrap();
}

/// x and y of the first sample, and the steps from column to column and from row to row.
fn axes(file: &Path) -> [f64; 4] {
    let georef = needed_memory(file, &ReadOptions::default()).unwrap().georef.unwrap();
    let ((x, y), (across, down)) = georef.axes().unwrap();
    [x, y, across, down]
}

fn positions(file: &Path) -> Vec<(f64, f64)> {
    let json: Json = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let lines = json["features"].as_array().unwrap().iter().map(|line| &line["geometry"]["coordinates"]);
    let pair = |position: &Json| (position[0].as_f64().unwrap(), position[1].as_f64().unwrap());
    lines.flat_map(|line| line.as_array().unwrap().iter().map(pair).collect::<Vec<_>>()).collect()
}

#[test]
fn maps_parts_and_lines_lie_on_the_elevation_model() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"Graph(size: (257, 257), spacing: 60.0, origin: (-100.0, 50.0), nodes: {
        "dem": Import(file: "bigtujunga_30m.tif"),
        "noise": Perlin(amplitude: 30.0),
        "finer": Resample(height: "dem", size: (513, 513), filter: Bicubic),
        "part": Crop(height: "dem", origin: Some((500.0, 650.0)), size: (65, 33)),
        "lines": Contours(height: "part", interval: 200.0),
    }, outputs: { "dem.tif": "dem", "noise.tif": "noise", "finer.tif": "finer", "part.tif": "part",
        "lines.geojson": "lines.lines" })"#;
    run(text, folder.path());
    let out = folder.path().join("out");
    let [x, y, across, down] = axes(&folder.path().join("bigtujunga_30m.tif"));
    assert_eq!((across, down), (30.0, -30.0));
    assert_eq!(axes(&out.join("dem.tif")), [x, y, 60.0, -60.0]);
    assert_eq!(axes(&out.join("noise.tif")), [x, y, 60.0, -60.0]);
    assert_eq!(axes(&out.join("finer.tif")), [x, y, 30.0, -30.0]);
    assert_eq!(axes(&out.join("part.tif")), [x + 600.0, y - 600.0, 60.0, -60.0]);
    let read = read_heightmap(&out.join("finer.tif"), &ReadOptions::default()).unwrap();
    assert_eq!(read.georef.unwrap().epsg(), Some(32611));
    // The part's corners in longitude and latitude, of PROJ 9.5 to six digits, are in the test of corners
    // below; here all lines lie within its latitudes.
    let lines = positions(&out.join("lines.geojson"));
    assert!(lines.len() > 100);
    assert!(lines.iter().all(|(longitude, latitude)| {
        (-118.5..-117.5).contains(longitude) && (34.0..35.0).contains(latitude)
    }));
}

#[test]
fn lines_come_back_to_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let first = r#"Graph(size: (129, 129), spacing: 120.0, nodes: {
        "dem": Import(file: "bigtujunga_30m.tif"), "lines": Contours(height: "dem", interval: 400.0),
    }, outputs: { "lines.geojson": "lines.lines" })"#;
    run(first, folder.path());
    fs::copy(folder.path().join("out/lines.geojson"), folder.path().join("lines.geojson")).unwrap();
    let second = r#"Graph(size: (129, 129), spacing: 120.0, nodes: {
        "dem": Import(file: "bigtujunga_30m.tif"), "lines": Contours(height: "dem", interval: 400.0),
        "graph": PlanarGraph(file: Some("lines.geojson"), planar: false),
    }, outputs: { "again.json": "graph", "lines.geojson": "lines.lines" })"#;
    run(second, folder.path());
    let json: Json =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/again.json")).unwrap()).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    let world = |node: &Json| (node[0].as_f64().unwrap(), node[1].as_f64().unwrap());
    // Vertices of contours lie on the lattice in x or in y.
    let on_lattice = |value: f64| (value / 120.0 - (value / 120.0).round()).abs() < 1e-6;
    assert!(nodes.len() > 100);
    assert!(nodes.iter().map(world).all(|(x, y)| on_lattice(x) || on_lattice(y)));
}

#[test]
fn ground_without_a_place_has_its_spacing_with_north_up() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"Graph(size: (33, 33), spacing: 2.5, origin: (10.0, -20.0), nodes: {
        "ramp": Ramp(to: (90, 0), high: 10.0), "lines": Contours(height: "ramp", interval: 1.0),
    }, outputs: { "ramp.tif": "ramp", "lines.geojson": "lines.lines" })"#;
    run(text, folder.path());
    let out = folder.path().join("out");
    assert_eq!(axes(&out.join("ramp.tif")), [10.0, 20.0, 2.5, -2.5]);
    assert!(!out.join("ramp.tif.json").exists(), "the file alone has everything");
    let lines = positions(&out.join("lines.geojson"));
    assert!(lines.iter().all(|(x, y)| (10.0..=90.0).contains(x) && (-60.0..=20.0).contains(y)));
}
