//! Changes of parameters in a graph's text.

use crate::written::{Written, facts, values, written};
use proptest::prelude::*;
use terrane::flow::{GraphText, RewriteError, format_text, load, load_file};
use terrane::{LoadOptions, registry};
use terrane_flow::testing::edited;
use terrane_tests::{graphs, load_text};

const TEXT: &str = "Graph(
    size: (9, 9), // small
    params: { \"rough\": 0.5, /* unused */ \"spare\": 1 },
    nodes: {
        // The ground.
        \"ground\": Perlin(persistence: \"$rough\", octaves: 3 /* few */, amplitude: 2.0), // as before
        \"low\": Clamp(
            height: \"ground\",
            min: 0.0, // the sea
        ),
    },
    outputs: { \"a.npy\": \"low\" },
)
";

fn set_field(text: &str, node: &str, field: &str, value: &str) -> Result<String, RewriteError> {
    edited(text, |graph| graph.set_field(node, field, value))
}

fn set_parameter(text: &str, node: &str, parameter: &str, value: &str) -> Result<String, RewriteError> {
    edited(text, |graph| graph.set_parameter(node, parameter, value))
}

fn set_graph_parameter(text: &str, name: &str, value: &str) -> Result<String, RewriteError> {
    edited(text, |graph| graph.set_graph_parameter(name, value))
}

fn set(node: &str, parameter: &str, value: &str) -> String {
    set_parameter(TEXT, node, parameter, value).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_value_is_replaced_and_nothing_else() {
    assert_eq!(set("ground", "octaves", "5"), TEXT.replace("octaves: 3", "octaves: 5"));
    assert_eq!(set("low", "min", " -1.5 // deep"), TEXT.replace("min: 0.0", "min: -1.5"));
    assert_eq!(set("low", "height", "\"ground.height\""), TEXT.replace("\"ground\",", "\"ground.height\","));
    assert_eq!(set("ground", "octaves", "3"), TEXT);
}

#[test]
fn setting_a_bound_parameter_changes_its_source() {
    assert_eq!(set("ground", "persistence", "0.7"), TEXT.replace("\"rough\": 0.5", "\"rough\": 0.7"));
    assert_eq!(set("ground", "persistence", "\"$spare\""), TEXT.replace("\"$rough\"", "\"$spare\""));
    let cut = set_field(TEXT, "ground", "persistence", "0.7").unwrap();
    assert_eq!(cut, TEXT.replace("\"$rough\"", "0.7"));
    assert_eq!(
        set_graph_parameter(TEXT, "spare", "[1, 2]").unwrap(),
        TEXT.replace("\": 1 }", "\": [1, 2] }")
    );
}

#[test]
fn a_new_field_follows_the_others_in_their_style() {
    assert_eq!(set("ground", "offset", "1.0"), TEXT.replace("amplitude: 2.0", "amplitude: 2.0, offset: 1.0"));
    let added = "min: 0.0, // the sea\n            max: 9.0,\n        )";
    assert_eq!(set("low", "max", "9.0"), TEXT.replace("min: 0.0, // the sea\n        )", added));
    for (before, after) in [
        ("B()", "B(x: 1)"),
        ("B /* ( */ ( // c\n)", "B /* ( */ (x: 1 // c\n)"),
        ("B(a: 1,)", "B(a: 1, x: 1,)"),
        ("B(a: 1, // c\n)", "B(a: 1, x: 1, // c\n)"),
        ("B(\r\n  a: 1 // c\r\n)", "B(\r\n  a: 1, // c\r\n  x: 1\r\n)"),
        ("B(\n\ta: [\n1], /* c */ // d\n)", "B(\n\ta: [\n1], /* c */ // d\n\tx: 1,\n)"),
        ("B(\n  a: 1, b: (2)\n)", "B(\n  a: 1, b: (2), x: 1\n)"),
    ] {
        let graph = |node: &str| format!("\u{feff}Graph(nodes: {{ \"a\": {node} }})");
        assert_eq!(set_parameter(&graph(before), "a", "x", "1").unwrap(), graph(after));
    }
}

#[test]
fn mistakes_say_what_to_do() {
    let message = |text: &str, node: &str, parameter: &str, value: &str| {
        set_parameter(text, node, parameter, value).unwrap_err().to_string()
    };
    assert_eq!(
        message(TEXT, "grond", "octaves", "1"),
        "the graph has no node `grond`: did you mean `ground`?"
    );
    let inner = message(TEXT, "low/deep", "octaves", "1");
    assert!(inner.ends_with("it is in the file of the subgraph `low`: change that one"), "{inner}");
    for value in ["", "1 2", "(", "1, b: 2", "\"a", "// only", "1)"] {
        let message = message(TEXT, "ground", "octaves", value);
        assert!(message.starts_with(&format!("the value `{value}` cannot be read: ")), "{message}");
    }
    assert!(message(TEXT, "ground", "a b", "1").contains("`a b` is not a valid field name"));
    let unknown = set_graph_parameter(TEXT, "ruogh", "1").unwrap_err().to_string();
    assert_eq!(unknown, "the graph has no parameter `ruogh`: did you mean `rough`?");
    assert!(message(&TEXT.replace("$rough", "$gone"), "ground", "persistence", "1").contains("`gone`"));
    let Err(RewriteError::Text(diagnostics)) =
        set_parameter("Graph(\n  nodes: { \"a\" B() })", "a", "x", "1")
    else {
        panic!("the text does not parse")
    };
    assert_eq!(diagnostics.0[0].location().as_deref(), Some("graph:2:12"));
}

/// Every parameter of every node written out, including those that the text leaves at their defaults: the
/// graphs stay the same, also after formatting.
#[test]
fn all_parameters_of_the_graphs_here_can_be_written_out() {
    let registry = registry();
    let options = LoadOptions::default();
    for path in graphs() {
        let before = load_file(&path, &registry, &options).unwrap_or_else(|errors| panic!("{errors}"));
        let mut graph = GraphText::new(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (name, node) in before.graph.nodes.iter().filter(|(name, _)| !name.contains('/')) {
            for (index, param) in node.node().spec().params.iter().enumerate() {
                graph.set_field(name, param.name, &node.node().param(index)).unwrap();
            }
        }
        let text = graph.into_text();
        for text in [format_text("formatted", &text).unwrap_or_else(|errors| panic!("{errors}")), text] {
            let folder = path.parent().unwrap();
            let after = load("rewritten", &text, folder, &registry, &options);
            let after = after.unwrap_or_else(|errors| panic!("{}: {errors}", path.display()));
            assert_eq!(facts(&after), facts(&before), "{}", path.display());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exactly_one_parameter_changes(
        Written { text, nodes } in written(), node in 0_usize..4, field in 0_usize..4, value in 0_usize..4,
    ) {
        let (node, fields) = &nodes[node % nodes.len()];
        let field = fields[field % fields.len()];
        let value = values(field)[value % values(field).len()];
        let before = load_text(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let changed = set_field(&text, node, field, value).unwrap();
        let after = load_text(&changed).unwrap_or_else(|errors| panic!("{errors}\n{changed}"));
        let own = format!("{node}.{field} = ");
        for (old, new) in facts(&before).iter().zip(&facts(&after)) {
            prop_assert!(old == new || (old.starts_with(&own) && new.starts_with(&own)), "{} {}", old, new);
        }
        prop_assert_eq!(&set_field(&changed, node, field, value).unwrap(), &changed);
    }

    #[test]
    fn bytes_outside_the_value_stay_and_the_old_value_restores_them(
        Written { text, nodes } in written(), node in 0_usize..4, field in 0_usize..4, spare in "[a-z]{1,9}",
    ) {
        let (node, fields) = &nodes[node % nodes.len()];
        let field = fields[field % fields.len()];
        // Adds a field, then changes it like any other.
        let text = set_field(&text, node, field, "old_value").unwrap();
        let changed = set_field(&text, node, field, &spare).unwrap();
        prop_assert_eq!(&text.replace("old_value", &spare), &changed);
        prop_assert_eq!(set_field(&changed, node, field, "old_value").unwrap(), text);
    }

    #[test]
    fn what_is_added_is_the_only_difference(Written { text, nodes } in written(), node in 0_usize..4) {
        let changed = set_field(&text, &nodes[node % nodes.len()].0, "added", "[7]").unwrap();
        // Ignores commas and blanks, since their style depends on the surroundings.
        let bare = |text: &str| text.replace([',', '\n', '\r', ' ', '\t'], "");
        prop_assert_eq!(changed.matches("added: [7]").count(), 1);
        prop_assert_eq!(bare(&changed.replace("added: [7]", "")), bare(&text));
    }
}
