//! The slots of values in graphs with subgraphs, and the effect of changing them.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::json;
use terrane_flow::declared;
use terrane_flow::syntax::Tree;
use terrane_flow::testing::{self, Number, edited};
use terrane_flow::{
    Context, Evaluate, Literal as _, LoadOptions, Loaded, Node, NodeError, Origin, Registry, Setting, load,
    load_edited, load_file,
};

/// A node with parameters.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "Nothing.")]
struct Take {
    /// A number.
    #[param(default = 1.0)]
    amount: f64,
    /// A range.
    #[param(default = (0.0, 1.0))]
    range: (f64, f64),
    /// Points of a curve.
    #[param(default = Vec::new())]
    points: Vec<(f64, Option<String>)>,
}

impl Evaluate for Take {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(0.0),))
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new(declared::family(|_, _| testing::header()));
    registry.add::<Take>().unwrap();
    registry
}

const OUTER: &str = "Graph(
    params: { \"low\": 2.0 },
    nodes: {
        \"own\": Take(amount: \"$low\", range: (\"$low\", 9.0)),
        \"a\": Subgraph(file: \"sub/middle.ron\", params: { \"step\": \"$low\" }),
        \"b\": Subgraph(file: \"sub/middle.ron\", params: { \"step\": 5.0 }),
        \"c\": Subgraph(file: \"sub/middle.ron\"),
    },
)";
const MIDDLE: &str = "Graph(
    params: { \"step\": 3.0 },
    nodes: { \"in\": Subgraph(file: \"inner.ron\", params: { \"amount\": \"$step\" }), \"free\": \
    Take(amount: 1.0) },
)";
const INNER: &str = "Graph(params: { \"amount\": 4.0, \"rest\": 6.0 }, nodes: { \"x\": Take(amount: \
    \"$amount\"), \"y\": Take(amount: \"$rest\") })";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (name, text) in [("outer.ron", OUTER), ("sub/middle.ron", MIDDLE), ("sub/inner.ron", INNER)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn origin<'a>(loaded: &'a Loaded, node: &str, index: usize) -> Origin<'a> {
    let node = &loaded.graph.nodes[node];
    let location = node.location.as_ref().unwrap();
    location.origin(node.node().spec().params[index].name, location.params[index].as_ref())
}

/// The file below `folder`, and the slot of the first parameter of a node.
fn home(loaded: &Loaded, folder: &Path, node: &str) -> String {
    let home = match origin(loaded, node, 0) {
        Origin::Own(home) => home,
        Origin::Bound(_, bound) => bound.home.clone().unwrap(),
        other => panic!("{other:?}"),
    };
    let folder = folder.canonicalize().unwrap();
    format!("{}: {}", home.file.strip_prefix(folder).unwrap().display(), home.slot)
}

#[test]
fn bindings_are_traced_to_the_slot_of_the_value() {
    let folder = folder();
    let graph = load_file(&folder.path().join("outer.ron"), &registry(), &LoadOptions::default()).unwrap();
    let middle = Path::new("sub").join("middle.ron").display().to_string();
    let inner = Path::new("sub").join("inner.ron").display().to_string();
    for (node, place) in [
        ("own", "outer.ron: $low".to_owned()),
        ("a/in/x", "outer.ron: $low".to_owned()),
        ("b/in/x", "outer.ron: b.params.step".to_owned()),
        ("c/in/x", format!("{middle}: $step")),
        ("a/in/y", format!("{inner}: $rest")),
        ("a/free", format!("{middle}: free.amount")),
        ("c/free", format!("{middle}: free.amount")),
    ] {
        assert_eq!(home(&graph, folder.path(), node), place, "{node}");
    }
    assert!(matches!(origin(&graph, "own", 1), Origin::Mixed(names) if names[0].0 == "low"));
    assert!(matches!(origin(&graph, "a/free", 1), Origin::Own(_)), "not set yet");
    assert_eq!(graph.graph.scope.params["low"].text.as_ref(), "2.0");
}

#[test]
fn a_value_set_from_outside_has_no_slot() {
    let folder = folder();
    let options = LoadOptions { set: vec![Setting::param("low", "7.0")], ..LoadOptions::default() };
    let graph = load_file(&folder.path().join("outer.ron"), &registry(), &options).unwrap();
    for node in ["own", "a/in/x"] {
        assert!(matches!(origin(&graph, node, 0), Origin::Bound(_, bound) if bound.home.is_none()), "{node}");
        assert_eq!(graph.graph.nodes[node].node().param(0), "7.0");
    }
    let text = load("text", INNER, folder.path(), &registry(), &LoadOptions::default()).unwrap();
    assert_eq!(origin(&text, "x", 1), Origin::Nowhere);
}

/// After a value is changed in its slot, the node has the new value. If the file is used twice, both nodes
/// change.
#[test]
fn a_value_changed_in_its_slot_reaches_the_node() {
    let folder = folder();
    let (path, registry) = (folder.path().join("outer.ron"), registry());
    let before = load_file(&path, &registry, &LoadOptions::default()).unwrap();
    let takes: Vec<String> = before.graph.nodes.keys().cloned().collect();
    assert_eq!(takes.len(), 10);
    for name in &takes {
        let home = match origin(&before, name, 0) {
            Origin::Own(home) => home,
            Origin::Bound(_, bound) => bound.home.clone().unwrap(),
            other => panic!("{other:?}"),
        };
        let mut edit = |file: &Path, tree: Tree| {
            if file == &*home.file {
                Tree::parse(edited(tree.text(), |graph| graph.set_slot(&home.slot, "8.5")).unwrap())
            } else {
                tree
            }
        };
        let after = load_edited(&path, &registry, &LoadOptions::default(), &mut edit).0.unwrap();
        assert_eq!(after.graph.nodes[name].node().param(0), "8.5", "{name}");
        for other in &takes {
            let moved = after.graph.nodes[other].node().param(0) != before.graph.nodes[other].node().param(0);
            let same = home_of(&before, other) == Some(home.clone());
            assert_eq!(moved, same, "{name} and {other}");
        }
    }
}

fn home_of(loaded: &Loaded, node: &str) -> Option<terrane_flow::Home> {
    match origin(loaded, node, 0) {
        Origin::Own(home) => Some(home),
        Origin::Bound(_, bound) => bound.home.clone(),
        _ => None,
    }
}

/// A text with everything that could end a quotation or begin a binding.
fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[a-z$\"\\\\ ,)\\]/\n]{0,8}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// After a value is set and its file is read, the node has this value, whatever was there before.
    #[test]
    fn a_value_of_any_kind_reads_back_the_same(
        values in prop::collection::vec(prop::collection::vec((-1e9..1e9, text()), 0..5), 2..4),
        numbers in (-1e9..1e9, -1e-9..1e-9),
    ) {
        let folder = folder();
        let (path, registry) = (folder.path().join("outer.ron"), registry());
        let loaded = load_file(&path, &registry, &LoadOptions::default()).unwrap();
        let place = |index| match origin(&loaded, "a/in/x", index) {
            Origin::Own(home) => home,
            other => panic!("{other:?}"),
        };
        let spec = loaded.graph.nodes["a/in/x"].node().spec();
        let written = values.iter().map(|points| (2, json!(points))).chain([(1, json!(numbers))]);
        for (index, value) in written {
            let (home, shape) = (place(index), (spec.params[index].shape)());
            let ron = shape.ron(&value).unwrap();
            let before = fs::read_to_string(&home.file).unwrap();
            let text = edited(&before, |graph| graph.set_slot(&home.slot, &ron)).unwrap();
            fs::write(&home.file, &text).unwrap();
            let after = load_file(&path, &registry, &LoadOptions::default()).unwrap();
            for user in ["a/in/x", "b/in/x"] {
                let now = after.graph.nodes[user].node().param(index);
                prop_assert_eq!(shape.json(&now), Some(value.clone()), "{}", text);
            }
            prop_assert!(text.contains("\"y\": Take(amount: \"$rest\")"));
        }
    }
}
