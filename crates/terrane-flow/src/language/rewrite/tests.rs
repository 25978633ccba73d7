use terrane_syntax::merge;

use super::{GraphText, RewriteError};
use crate::model::origin::Slot;

const TEXT: &str = "Graph(
    params: { \"rough\": 0.5, \"rows\": [1] },
    nodes: {
        \"base\": Subgraph(
            file: \"base.ron\",
            params: { \"hills\": 1, /* cut */ \"clip\": \"$rough\" }, // kept
        ),
        \"curve\": Curve(
            height: \"base\", // from below
            points: [
                (0, 1), // first
                (0.50, 2),
            ],
        ),
        \"other\": Curve(height: \"base\", points: \"$rows\"),
    },
)
";

fn field(node: &str, field: &str) -> Slot {
    Slot::Field { node: node.to_owned(), field: field.to_owned() }
}

fn given(node: &str, name: &str) -> Slot {
    Slot::Given { node: node.to_owned(), name: name.to_owned() }
}

fn set_slot(text: &str, slot: &Slot, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_slot(slot, value)?;
    Ok(graph.into_text())
}

fn set(slot: &Slot, value: &str) -> String {
    set_slot(TEXT, slot, value).unwrap()
}

#[test]
fn parameters_of_a_subgraph_are_set_in_its_call() {
    assert_eq!(set(&given("base", "hills"), "2.5"), TEXT.replace("\"hills\": 1,", "\"hills\": 2.5,"));
    assert_eq!(set(&given("base", "clip"), "0.75"), TEXT.replace("\"rough\": 0.5", "\"rough\": 0.75"));
    assert_eq!(
        set_slot(TEXT, &given("base", "none"), "1"),
        Err(RewriteError::NotGiven { node: "base".to_owned(), name: "none".to_owned() })
    );
    assert!(matches!(set_slot(TEXT, &given("curve", "x"), "1"), Err(RewriteError::NotGiven { .. })));
    assert!(matches!(set_slot(TEXT, &given("bas", "x"), "1"), Err(RewriteError::NoNode { .. })));
}

#[test]
fn arithmetic_is_not_a_parameter_name() {
    let text = TEXT.replace("\"$rows\"", "\"$rough * 2\"");
    assert_eq!(
        set_slot(&text, &field("other", "points"), "3.0").unwrap(),
        text.replace("\"$rough * 2\"", "3.0")
    );
}

#[test]
fn one_number_of_a_list_changes_alone_and_longer_lists_are_reformatted() {
    let points = field("curve", "points");
    assert_eq!(set(&points, "[(0.0, 1.0), (0.5, 3.0)]"), TEXT.replace("(0.50, 2)", "(0.50, 3.0)"));
    assert_eq!(
        set(&points, "[(0.0, 1.0), (0.5, 2.0), (1.0, 2.0)]"),
        TEXT.replace("(0.50, 2),", "(0.50, 2),\n                (1.0, 2.0),")
    );
    assert_eq!(set(&points, "[(0.5, 2.0)]"), TEXT.replace("                (0, 1), // first\n", ""));
    assert_eq!(set(&field("other", "points"), "[1, 2]"), TEXT.replace("[1]", "[1, 2]"));
    assert_eq!(set(&Slot::Param { name: "rows".to_owned() }, "[]"), TEXT.replace("[1]", "[]"));
}

#[test]
fn written_values_have_the_layout_of_the_formatter() {
    let row = ["(100.5, 200.5)"; 9].join(", ");
    for (slot, value) in [
        (field("curve", "points"), format!("[{row}]")),
        (field("curve", "weights"), format!("[{row}]")),
        (field("curve", "kind"), "Smooth".to_owned()),
    ] {
        let text = set(&slot, &value);
        assert_eq!(crate::format_text("graph", &text).unwrap(), text);
        let lines = TEXT.replace('\n', "\r\n");
        assert_eq!(set_slot(&lines, &slot, &value).unwrap(), text.replace('\n', "\r\n"));
    }
}

#[test]
fn unchanged_parts_keep_their_spelling_and_comments() {
    for (old, new, merged) in [
        ("1e3", "1000.0", "1e3"),
        ("20", "20.0", "20"),
        ("0x10", "16", "0x10"),
        ("18446744073709551615", "18446744073709551614", "18446744073709551614"),
        ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
        ("\"\\u{41}\"", "\"A\"", "\"\\u{41}\""),
        ("\"$a\"", "\"\\u{24}a\"", "\"\\u{24}a\""),
        ("true", "false", "false"),
        ("(1, /* x */ 2.50)", "(1.5, 2.5)", "(1.5, /* x */ 2.50)"),
        ("Some( 2 )", "3.0", "Some( 3.0 )"),
        ("Some( 2 )", "None", "None"),
        ("None", "(1.0, 2.0)", "(1.0, 2.0)"),
        ("[(0, 1), // first\n (2, 3)]", "[(0.0, 1.0), (2.5, 3.0)]", "[(0, 1), // first\n (2.5, 3)]"),
        (
            "Noise(weight: 2, /* s */ seed: 1)",
            "Noise(seed: 4, weight: 2.0)",
            "Noise(weight: 2, /* s */ seed: 4)",
        ),
        ("Noise(weight: 2)", "Map()", "Map()"),
    ] {
        assert_eq!(merge(old, new).text, merged, "{old} to {new}");
    }
}

#[test]
fn items_are_added_and_removed_and_the_others_are_kept() {
    for (old, new, merged) in [
        ("[]", "[1, 2]", "[1, 2 ]"),
        ("[1, 2]", "[1, 2, 3]", "[1, 2, 3]"),
        ("[1, 2,]", "[1, 2, 3]", "[1, 2, 3,]"),
        ("[\n    1, // one\n    2, // two\n]", "[1, 2, 3]", "[\n    1, // one\n    2, // two\n3,\n]"),
        ("[\n    1, // one\n    2  // two\n]", "[1, 2, 3]", "[\n    1, // one\n    2,  // two\n3\n]"),
        ("[1, /* b */ 2 /* c */, 3]", "[1, 3]", "[1,  3]"),
        ("[\n  1,\n  2, // c\n  3,\n]", "[1, 3]", "[\n  1,\n  3,\n]"),
        ("[1, 2]", "[1]", "[1, ]"),
        ("[1, 2]", "[]", "[ ]"),
        ("[2, 3]", "[1, 2, 3]", "[1, 2, 3]"),
        ("[1, 9, 4]", "[1, 2, 3, 4]", "[1, 2, 3, 4]"),
        ("N(a: 1)", "N(a: 1, b: 2)", "N(a: 1, b: 2)"),
        ("N(a: 1, b: 2)", "N(b: 2)", "N( b: 2)"),
        ("N(a: 1)", "N(b: 2)", "N(b: 2)"),
        ("N()", "N(b: 2)", "N(b: 2 )"),
    ] {
        let merged_ = merge(old, new);
        // Blanks are left to the formatter.
        assert_eq!(merged_.text.replace(", 4", ",4"), merged.replace(", 4", ",4"), "{old} to {new}");
        assert!(merged_.restructured, "{old} to {new}");
    }
}
