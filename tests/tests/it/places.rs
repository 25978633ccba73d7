//! Files of graphs over georeferenced ground lie where the ground does.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use terrane::Terrain;
use terrane::flow::{Engine, EngineOptions, LoadOptions, Loaded, Reference, Wanted, load};
use terrane::io::{LonLat, ReadOptions, needed_memory, read_heightmap, read_lines};
use terrane::runs::outputs::run_all;
use terrane::runs::world::LoadedWorld;
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

/// A graph whose ground is the elevation model with its own samples, and with lines read from a file.
const ROADS: &str = r#"Graph(size: (65, 65), spacing: 30.0, nodes: {
    "dem": Import(file: "bigtujunga_30m.tif", origin: Some((0.0, 0.0))),
    "ground": Perlin(wavelength: 900, amplitude: 20),
    "roads": PathGraph(),
    "bounds": SubdividePath(height: "ground", graph: "roads", width: 60, max_slope: 0.5, borders: Shared),
    "height": RelaxPath(height: "ground", subdivision: "bounds"),
}, outputs: { "height.tif": "height" })"#;

/// GeoJSON of one line, with a member for the reference system.
fn line(points: &[(f64, f64)], crs: &str) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("[{x:?}, {y:?}]")).collect();
    let crs = match crs {
        "" => String::new(),
        name => format!(r#", "crs": {{"type": "name", "properties": {{"name": "{name}"}}}}"#),
    };
    format!(r#"{{"type": "LineString", "coordinates": [{}]{crs}}}"#, points.join(","))
}

#[test]
fn roads_of_a_world_lie_on_the_placed_ground_of_its_patches() {
    let folder = tempfile::tempdir().unwrap();
    let graph = loaded(ROADS, folder.path());
    fs::write(folder.path().join("patch.ron"), ROADS).unwrap();
    let world = folder.path().join("world.ron");
    fs::write(&world, r#"World(patch: "patch.ron", file: "roads.geojson", heights: (-40, 40))"#).unwrap();
    let place = Terrain::of(&*graph.graph.header).unwrap().place.clone().unwrap();
    let ends = [(120.0, 300.0), (1500.0, 900.0)];
    let on_map = ends.map(|end| place.to_map(end));
    let lonlat = LonLat::of(Some(&place));
    for (text, tolerance) in [
        (line(&on_map, "urn:ogc:def:crs:EPSG::32611"), 1e-6),
        (line(&ends.map(|end| lonlat.of_world(end)), ""), 0.01),
    ] {
        fs::write(folder.path().join("roads.geojson"), text).unwrap();
        let world = LoadedWorld::load(&world, &terrane::registry(), &LoadOptions::default()).unwrap();
        let patch = Arc::new(world.patch(&engine(), (0, 0)).unwrap());
        let evaluation =
            engine().start(&patch, vec![Wanted::from(Reference::parse("roads"))]).unwrap().wait();
        let graph = evaluation.outputs[0].value.as_ref().and_then(|value| value.get::<Graph>()).unwrap();
        for (found, end) in graph.plane.nodes.iter().zip(ends) {
            assert!((found.0 - end.0).abs() < tolerance && (found.1 - end.1).abs() < tolerance, "{found:?}");
        }
        assert_eq!(graph.plane.nodes.len(), 2);
    }
    // A world without a place has no longitudes.
    fs::write(folder.path().join("patch.ron"), ROADS.replace("\"dem\": Import", "// ")).unwrap();
    let wgs84 = line(&[(-118.1, 34.3), (-118.0, 34.3)], "urn:ogc:def:crs:OGC:1.3:CRS84");
    fs::write(folder.path().join("roads.geojson"), wgs84).unwrap();
    let refused = LoadedWorld::load(&world, &terrane::registry(), &LoadOptions::default()).err().unwrap();
    assert!(refused.render(false).contains("the graph has no place"), "{}", refused.render(false));
}

/// The warnings of a graph that reads `a.geojson` over the elevation model.
fn warnings(node: &str, geojson: &str, dem: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.geojson"), geojson).unwrap();
    let text = format!(
        r#"Graph(size: (65, 65), spacing: 240.0, nodes: {{ {dem} "a": {node} }},
            outputs: {{ "a.json": "a" }})"#
    );
    let wanted = vec![Wanted::from(Reference::parse("a"))];
    engine().start(&loaded(&text, folder.path()), wanted).unwrap().wait().warnings
}

#[test]
fn files_that_lie_wholly_outside_the_ground_are_pointed_out() {
    let dem = r#""dem": Import(file: "bigtujunga_30m.tif"),"#;
    let graph = r#"PathGraph(file: "a.geojson")"#;
    let planar = r#"PlanarGraph(file: "a.geojson")"#;
    let inside = [(-118.15, 34.35), (-118.2, 34.3)];
    for node in [graph, planar] {
        assert_eq!(warnings(node, &line(&inside, ""), dem), [""; 0]);
        let elsewhere = warnings(node, &line(&[(8.5, 47.1), (8.6, 47.2)], ""), dem);
        assert!(
            elsewhere[0]
                .contains("a.geojson: the only feature lies outside the ground: it extends from (8.5, 47.1)")
                && elsewhere[0].contains("longitude and latitude from (-118."),
            "{elsewhere:?}"
        );
    }
    let points = r#"{"type": "MultiPoint", "coordinates": [[8.5, 47.1], [8.6, 47.2]]}"#;
    let dropped = warnings(r#"Points(file: "a.geojson", outside: Drop)"#, points, dem);
    assert!(dropped.len() == 1 && dropped[0].contains("all 2 points lie outside"), "{dropped:?}");
    // Eastings and northings are exchanged, as longitudes and latitudes can be.
    let crs = "urn:ogc:def:crs:EPSG::32611";
    let map = warnings(graph, &line(&[(3_800_000.0, 390_000.0), (3_801_000.0, 390_000.0)], crs), dem);
    assert!(map.len() == 1, "{map:?}");
    // Ground without a place: a wrong sign, and degrees.
    let sign = warnings(graph, &line(&[(100.0, 200.0), (500.0, 900.0)], ""), "");
    assert!(sign[0].contains("change the sign of y"), "{sign:?}");
    let degrees = warnings(graph, &line(&[(-150.15, 64.35), (-150.2, 64.3)], ""), "");
    assert!(degrees[0].contains("may be longitudes and latitudes"), "{degrees:?}");
    let exchanged = warnings(graph, &line(&[(-9000.0, 9500.0), (-8000.0, 9000.0)], ""), "");
    assert!(exchanged[0].contains("x and y are exchanged"), "{exchanged:?}");
}
