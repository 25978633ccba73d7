//! Tests of editable values.

use crate::editable::EditableValues;
use crate::testing::graph;
use terrane_flow::Shape;

const GRAPH: &str = "Graph(
    params: { \"n\": 3, \"loose\": 0.5, \"word\": \"x\", \"odd\": [1] },
    nodes: {
        \"a\": Take(amount: \"$n\", times: \"$n\", range: (\"$loose\", 1.0)),
        \"b\": Take(file: None),
        \"s\": Subgraph(file: \"sub/s.ron\", params: { \"k\": \"$n\" }),
        \"t\": Subgraph(file: \"sub/s.ron\"),
    },
)";
const INNER: &str = "Graph(params: { \"k\": 1.5 }, nodes: { \"x\": Take(amount: \"$k\"), \"y\": Take() })";

#[test]
fn values_in_files_can_be_changed_and_others_give_a_reason() {
    let (_folder, loaded) = graph(&[("g.ron", GRAPH), ("sub/s.ron", INNER)], &[("word", "\"y\"")]);
    let editable = EditableValues::new(&loaded);
    let name = |node: &str, field: &str| editable.field(node, field).map(|place| editable.name(&place.home));
    let own = loaded.graph.files[0].display().to_string();
    let inner = std::path::Path::new("sub").join("s.ron").display().to_string();
    assert_eq!(name("a", "amount"), Ok(format!("{own}: $n")));
    assert_eq!(name("s/x", "amount"), Ok(format!("{own}: $n")));
    assert_eq!(name("t/x", "amount"), Ok(format!("{inner}: $k")));
    assert_eq!(name("s/y", "points"), Ok(format!("{inner}: y.points")));
    assert_eq!(name("a", "range"), Err("it contains $loose: change that instead".to_owned()));
    assert_eq!(name("b", "file"), Err("file names can only be changed in the graph's text".to_owned()));
    assert_eq!(name("b", "weight"), Err("a Take has no parameter `weight`".to_owned()));
    assert_eq!(editable.param("word").unwrap_err(), "it is given on the command line");
    assert_eq!(editable.param("odd").unwrap_err(), "its permitted values are not known");
    assert_eq!(editable.param("loose").unwrap().shape, Shape::Float);
    let shared = editable.field("s/y", "points").unwrap().home;
    assert_eq!(editable.elsewhere(&shared), Some((inner, 2)), "both uses are of one place");
    assert_eq!(editable.elsewhere(&editable.param("n").unwrap().home), None);
}

#[test]
fn a_parameter_has_the_common_range_of_the_fields_it_sets() {
    let (_folder, loaded) = graph(&[("g.ron", GRAPH), ("sub/s.ron", INNER)], &[]);
    let editable = EditableValues::new(&loaded);
    let place = editable.field("a", "amount").unwrap();
    assert!(matches!(place.shape, Shape::Integer { min: 0, .. }), "{:?}", place.shape);
    assert_eq!((place.range.min, place.range.max), (Some(1.0), Some(10.0)));
    let driven: Vec<(&str, &str)> =
        editable.driven(&place.home).map(|driven| (&*driven.node, driven.field)).collect();
    assert_eq!(driven, [("a", "amount"), ("a", "times"), ("s/x", "amount")]);
    let loose = editable.param("loose").unwrap().home;
    assert_eq!(editable.driven(&loose).map(|driven| driven.field).collect::<Vec<_>>(), ["range"]);
}

#[test]
fn a_file_that_has_only_subgraphs_is_part_of_the_graph() {
    let outer = ("g.ron", "Graph(nodes: { \"m\": Subgraph(file: \"middle.ron\") })");
    let middle = "Graph(params: { \"n\": 2.0 }, nodes: { \"s\": Subgraph(file: \"sub/s.ron\", params: { \
        \"k\": \"$n\" }) })";
    let (_folder, loaded) = graph(&[outer, ("middle.ron", middle), ("sub/s.ron", INNER)], &[]);
    let editable = EditableValues::new(&loaded);
    let place = editable.field("m/s/x", "amount").unwrap();
    assert_eq!(editable.name(&place.home), "middle.ron: $n");
    assert_eq!(editable.elsewhere(&place.home), Some(("middle.ron".to_owned(), 1)));
}
