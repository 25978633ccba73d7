//! Conflicting bounds are detected, named and located.

use std::sync::Arc;

use terrane::Wanted;
use terrane::nodes::values::{Map, Table};
use terrane_tests::{engine, load_graph, root};

/// For one of Velzel's graphs: the fraction of its maximum number of iterations after which it reports
/// conflicting bounds; the conflicting kinds; and the number of samples that its map of missed bounds marks.
fn stuck(graph: &str) -> (f64, Vec<String>, usize) {
    let path = root().join("graphs/velzel").join(graph);
    let loaded = Arc::new(load_graph(&path).unwrap_or_else(|errors| panic!("{errors}")));
    assert!(std::fs::read_to_string(&path).unwrap().contains("max_iterations: 100000"));
    let wanted = ["end.report", "end.missed"].map(Wanted::from);
    let evaluation =
        engine(2, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait();
    let value = |index: usize| evaluation.outputs[index].value.clone().unwrap();
    let (table, map) = (value(0), value(1));
    let (table, map) = (table.get::<Table>().unwrap(), map.get::<Map>().unwrap());
    let number = |name: &str| table.column(name).unwrap_or_else(|| panic!("{name}"))[0];
    assert_eq!((number("met"), number("stuck")), (0.0, 1.0), "{graph}");
    let kinds = ["gradient", "directional", "roughness", "scales", "border_slope", "position"];
    let missed: f64 = kinds.iter().map(|kind| number(&format!("{kind}_missed"))).sum();
    assert_eq!(missed, number("missed"), "{graph}: missed bounds add up by kind");
    // The reported position is a marked one.
    let at = |axis: &str, origin: f64| ((number(axis) - origin) / map.spacing()) as usize;
    assert_eq!(map[(at("x", map.domain().origin.0), at("y", map.domain().origin.1))], 1.0, "{graph}");
    let conflict = |kind: &&str| number(&format!("{kind}_conflict")) == 1.0;
    let named = kinds.into_iter().filter(conflict).map(str::to_owned).collect();
    let marked = map.samples().iter().filter(|missed| **missed == 1.0).count();
    (number("iterations") / 100_000.0, named, marked)
}

/// If allowed, conflicting bounds are loosened until the rest is met.
#[test]
fn conflicting_bounds_are_loosened_until_the_rest_is_met() {
    for graph in ["border_conflict.ron", "pocket.ron"] {
        let text = std::fs::read_to_string(root().join("graphs/velzel").join(graph)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(graph);
        let (before, end) = text.split_once("\"end\": RelaxPath(").unwrap();
        let end = end.replacen("on_conflict: Thesis", "on_conflict: Loosen", 1);
        std::fs::write(&path, format!("{before}\"end\": RelaxPath({end}")).unwrap();
        let loaded = load_graph(&path).unwrap_or_else(|errors| panic!("{errors}"));
        let wanted = ["end", "end.report"].map(Wanted::from);
        let job =
            engine(2, None).start(&Arc::new(loaded), wanted).unwrap_or_else(|errors| panic!("{errors}"));
        let evaluation = job.wait();
        let table = evaluation.outputs[1].value.clone().unwrap();
        let table = table.get::<Table>().unwrap();
        let number = |name: &str| table.column(name).unwrap_or_else(|| panic!("{name}"))[0];
        assert_eq!((number("met"), number("missed")), (1.0, 0.0), "{graph}");
        // The map has 16,641 samples.
        let (widened, dropped) = (number("widened"), number("dropped"));
        assert!((1.0..500.0).contains(&widened) && dropped < 50.0, "{graph}: {widened} {dropped}");
    }
}

#[test]
fn roughness_and_given_heights_beside_a_path_near_the_border_conflict() {
    let (share, named, marked) = stuck("border_conflict.ron");
    assert!(share < 0.1, "{share}");
    assert_eq!(named, ["gradient", "roughness", "position"]);
    assert!(marked > 0);
}

#[test]
fn roughness_in_a_pocket_between_paths_conflicts_with_their_slopes() {
    let (share, named, marked) = stuck("pocket.ron");
    assert!(share < 0.1, "{share}");
    assert_eq!(named, ["gradient", "roughness"]);
    assert!(marked > 0);
}

#[test]
fn heights_all_along_the_border_that_a_path_cannot_meet_conflict_with_it() {
    let (share, named, marked) = stuck("pinned.ron");
    assert!(share < 0.1, "{share}");
    assert!(["gradient", "position"].iter().all(|kind| named.iter().any(|name| name == kind)), "{named:?}");
    assert!(marked > 0);
}
