//! Graphs whose files are bytes in memory: as an overlay over the disk, and without a disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::flow::live::{Live, Turn};
use terrane::flow::{Disk, Files, LoadOptions, NoFiles, Overlay, Reference, load_file};
use terrane::world::LoadedWorld;
use terrane::{Evaluation, registry};
use terrane_tests::{digests, engine, root};

const GRAPH: &str = r#"Graph(size: (65, 49), seed: 5, nodes: {
    "ground": Import(file: "data/dem.tif"),
    "hills": Subgraph(file: "parts/hills.ron", params: { "height": 30.0 }),
    "places": Points(file: "data/places.csv"),
    "roads": PlanarGraph(file: "data/roads.geojson"),
    "sum": Combine(a: "ground", b: "hills/top", mode: Add),
})"#;
const HILLS: &str = r#"Graph(size: (65, 49), params: { "height": 10.0 }, nodes: {
    "top": Perlin(amplitude: "$height"),
})"#;
const PLACES: &str = "x,y,height\n3,4,5\n20,30,1\n";
const ROADS: &str = r#"{"type": "LineString", "coordinates": [[0, 0], [10, 0], [10, 10], [0, 0]]}"#;

/// The files of a graph, by their paths relative to its folder.
fn all() -> Vec<(&'static str, Vec<u8>)> {
    let dem = std::fs::read(root().join("graphs/data/jacksboro_3s.tif")).unwrap();
    vec![
        ("graph.ron", GRAPH.into()),
        ("parts/hills.ron", HILLS.into()),
        ("data/dem.tif", dem),
        ("data/places.csv", PLACES.into()),
        ("data/roads.geojson", ROADS.into()),
    ]
}

fn options(files: Arc<dyn Files>) -> LoadOptions {
    LoadOptions { files, ..LoadOptions::default() }
}

fn evaluated(path: &Path, files: Arc<dyn Files>) -> Evaluation {
    let loaded = load_file(path, &registry(), &options(files)).unwrap_or_else(|errors| panic!("{errors}"));
    let wanted = ["sum", "places", "roads"].map(|port| Reference::parse(port).into());
    let evaluation = engine(2, None).start(&Arc::new(loaded), wanted).unwrap().wait();
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    evaluation
}

fn on_disk(folder: &Path) -> PathBuf {
    for (path, bytes) in all() {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder.join("graph.ron")
}

#[test]
fn a_graph_in_memory_has_the_bits_of_one_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let disk = digests(&evaluated(&on_disk(folder.path()), Arc::new(Disk)));
    for under in [Arc::new(NoFiles) as Arc<dyn Files>, Arc::new(Disk)] {
        let files = Overlay::new(under);
        for (path, bytes) in all() {
            files.put(Path::new("/nowhere/at/all").join(path), bytes);
        }
        let memory = digests(&evaluated("/nowhere/at/all/graph.ron".as_ref(), Arc::new(files)));
        assert_eq!(memory, disk);
    }
}

#[test]
fn unsaved_text_replaces_the_file_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let graph = on_disk(folder.path());
    let before = digests(&evaluated(&graph, Arc::new(Disk)));
    let files = Arc::new(Overlay::new(Arc::new(Disk)));
    assert_eq!(digests(&evaluated(&graph, files.clone())), before);
    files.put(folder.path().join("parts/hills.ron"), HILLS.replace("\"$height\"", "\"$height * 2\""));
    let changed = digests(&evaluated(&graph, files.clone()));
    assert_ne!(changed[0], before[0]);
    assert_eq!(changed[1..], before[1..]);
    // A file that is only in memory is found in addition to those on disk.
    files.put(folder.path().join("data/places.csv"), "x,y,height\n1,2,3\n");
    assert_ne!(digests(&evaluated(&graph, files.clone()))[1], before[1]);
    files.remove(folder.path().join("parts/hills.ron"));
    files.remove(folder.path().join("data/places.csv"));
    assert_eq!(digests(&evaluated(&graph, files)), before);
}

#[test]
fn a_sidecar_in_memory_belongs_to_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let png = folder.path().join("a.png");
    let text = r#"Graph(size: (9, 9), nodes: { "a": Perlin(), "b": Import(file: "a.png") })"#;
    let make = |files: &Arc<Overlay>| -> Result<String, String> {
        files.put(folder.path().join("g.ron"), text);
        let loaded = load_file(&folder.path().join("g.ron"), &registry(), &options(files.clone()))
            .map_err(|errors| errors.to_string())?;
        let evaluation =
            engine(1, None).start(&Arc::new(loaded), [Reference::parse("b").into()]).unwrap().wait();
        Ok(format!("{:?}", digests(&evaluation)))
    };
    let map = terrane::Heightmap::from_fn(terrane::Domain::new(9, 9), |x, y| (x * 3 + y) as f32);
    terrane::io::write_heightmap(&png, &map, &terrane::io::WriteOptions::default()).unwrap();
    let files = Arc::new(Overlay::new(Arc::new(Disk)));
    let with_sidecar = make(&files).unwrap();
    let sidecar = folder.path().join("a.png.json");
    let bytes = std::fs::read(&sidecar).unwrap();
    std::fs::remove_file(&sidecar).unwrap();
    assert_ne!(make(&files).unwrap(), with_sidecar);
    files.put(&sidecar, bytes);
    assert_eq!(make(&files).unwrap(), with_sidecar);
}

#[test]
fn paths_stay_below_the_folder_in_memory_too() {
    let files = Overlay::new(Arc::new(NoFiles));
    files.put(
        "/a/b/g.ron",
        r#"Graph(size: (9, 9), nodes: { "a": Points(file: "../p.csv"), "b": Points(file: "x/../p.csv") })"#,
    );
    files.put("/a/p.csv", PLACES);
    files.put("/a/b/p.csv", PLACES);
    let files: Arc<dyn Files> = Arc::new(files);
    let errors =
        load_file("/a/b/g.ron".as_ref(), &registry(), &options(files.clone())).unwrap_err().to_string();
    assert!(errors.contains("`../p.csv` is outside the graph's folder"), "{errors}");
    assert_eq!(errors.matches("is outside the graph's folder").count(), 1, "{errors}");
    let wide = LoadOptions { allow_outside: true, ..options(files) };
    assert!(load_file("/a/b/g.ron".as_ref(), &registry(), &wide).is_ok());
}

#[test]
fn a_world_is_read_from_memory() {
    let files = Overlay::new(Arc::new(NoFiles));
    for name in ["world.ron", "patch.ron"] {
        files.put(Path::new("/w").join(name), std::fs::read(root().join("graphs/world").join(name)).unwrap());
    }
    let files: Arc<dyn Files> = Arc::new(files);
    let world = LoadedWorld::load("/w/world.ron".as_ref(), &registry(), &options(files.clone()));
    assert!(world.is_ok(), "{:?}", world.err());
    assert!(LoadedWorld::load("/w/other.ron".as_ref(), &registry(), &options(files)).is_err());
}

#[test]
fn watching_notices_changed_bytes() {
    let files = Arc::new(Overlay::new(Arc::new(NoFiles)));
    files.put("/w/g.ron", "Graph(size: (9, 9), nodes: {})");
    let mut live = Live::new("/w/g.ron".as_ref(), registry(), options(files.clone())).unwrap();
    let never = crossbeam_channel::never::<()>();
    assert!(matches!(live.next(&never), Turn::Loaded(loaded) if loaded.graph.nodes.is_empty()));
    files.put("/w/g.ron", "Graph(size: (9, 9), nodes: { \"a\": Perlin() })");
    assert!(matches!(live.next(&never), Turn::Loaded(loaded) if loaded.graph.nodes.len() == 1));
}
