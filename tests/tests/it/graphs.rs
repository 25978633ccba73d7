//! Tests of the graphs in `graphs/`.

use std::sync::Arc;

use terrane::values::Map;
use terrane_tests::{digests, engine, evaluate, graphs, load_graph, load_small, root};

/// A size that is small enough for a test. For torus graphs it must be a power of two.
fn size(path: &std::path::Path) -> usize {
    if path.to_string_lossy().contains("olsen") { 64 } else { 65 }
}

#[test]
fn same_bits_on_1_and_8_threads_without_and_with_cache() {
    for path in graphs() {
        let text = std::fs::read_to_string(&path).unwrap();
        let size = size(&path);
        let loaded = Arc::new(load_small(&path, &text, (size, size)).unwrap_or_else(|e| panic!("{e}")));
        let folder = tempfile::tempdir().unwrap();
        let first = evaluate(&engine(1, None), &loaded);
        assert!(first.succeeded(), "{}: {:?}", path.display(), first.nodes);
        // Tests many threads and a cache together, since each evaluation of all graphs takes minutes.
        let cold = evaluate(&engine(8, Some(folder.path())), &loaded);
        let warm = evaluate(&engine(2, Some(folder.path())), &loaded);
        assert_eq!(digests(&cold), digests(&first), "{}", path.display());
        assert_eq!(digests(&warm), digests(&first), "{}", path.display());
        assert_eq!(warm.ran(), Vec::<&str>::new(), "a second run evaluates nothing");
        assert!(warm.outputs.iter().all(|output| output.value.is_some()));
    }
}

#[test]
fn the_real_model_keeps_its_georeference() {
    let loaded = Arc::new(load_graph(&root().join("graphs/real_dem.ron")).unwrap());
    let evaluation = evaluate(&engine(2, None), &loaded);
    let value = evaluation.outputs[1].value.as_ref().unwrap();
    assert_eq!(value.get::<Map>().unwrap().georef().unwrap().epsg(), Some(32611));
}

#[test]
fn the_picture_of_a_map_is_kept() {
    insta::with_settings!({ snapshot_path => "../../snapshots" }, {
        terrane::assert_port_picture!(root().join("tests/picture.ron"), "shade");
    });
}
