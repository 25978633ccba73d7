//! Files of graphs over georeferenced ground lie where the ground does.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use terrane::flow::{Engine, EngineOptions, LoadOptions, Loaded, Reference, Wanted, load};
use terrane::io::{ReadOptions, needed_memory, read_heightmap, read_lines};
use terrane::runs::outputs::run_all;
use terrane::values::Graph;

/// Loads the text of a graph, with a copy of an elevation model in its folder.
fn loaded(text: &str, folder: &Path) -> Arc<Loaded> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/data/bigtujunga_30m.tif");
    fs::copy(data, folder.join("bigtujunga_30m.tif")).unwrap();
    Arc::new(load("g.ron", text, folder, &terrane::registry(), &LoadOptions::default()).unwrap())
}

fn engine() -> Engine {
    Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() }).unwrap()
}

fn run(text: &str, folder: &Path) {
    run_all(&engine(), &loaded(text, folder), &folder.join("out")).unwrap();
}

/// x and y of the first sample, and the steps from column to column and from row to row.
fn axes(file: &Path) -> [f64; 4] {
    let georef = needed_memory(file, &ReadOptions::default()).unwrap().georef.unwrap();
    let ((x, y), (across, down)) = georef.axes().unwrap();
    [x, y, across, down]
}

/// The coordinates in a file of lines.
fn positions(file: &Path) -> Vec<(f64, f64)> {
    let lines = read_lines(file).unwrap();
    // A world without a place has north in -y.
    lines.into_iter().flat_map(|line| line.line.points).map(|(x, y)| (x, -y)).collect()
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
    let lines = positions(&out.join("lines.geojson"));
    assert!(lines.len() > 100);
    // The corners of the part, by PROJ 9.5.
    let (west, north, east, south) = (-118.227_771, 34.385_182, -118.185_764, 34.367_458);
    assert!(lines.iter().all(|(longitude, latitude)| {
        (west..east).contains(longitude) && (south..north).contains(latitude)
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
    }, outputs: { "graph.json": "graph" })"#;
    let wanted = vec![Wanted::from(Reference::parse("graph"))];
    let evaluation = engine().start(&loaded(second, folder.path()), wanted).unwrap().wait();
    let graph = evaluation.outputs[0].value.as_ref().and_then(|value| value.get::<Graph>()).unwrap();
    // Vertices of contours lie on the lattice in x or in y.
    let on_lattice = |value: f64| (value / 120.0 - (value / 120.0).round()).abs() < 1e-6;
    let nodes = &graph.plane.nodes;
    assert!(nodes.len() > 100);
    assert!(nodes.iter().all(|&(x, y)| on_lattice(x) || on_lattice(y)));
    assert!(nodes.iter().all(|(x, y)| (-1.0..15_361.0).contains(x) && (-1.0..15_361.0).contains(y)));
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
