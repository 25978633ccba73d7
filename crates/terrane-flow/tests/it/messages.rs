//! Messages about mistakes that involve two positions of a text.

use std::path::Path;

use terrane_flow::testing::registry;
use terrane_flow::{Diagnostics, LoadOptions, load};

fn mistakes(text: &str) -> Diagnostics {
    load("g.ron", text, Path::new("."), &registry(), &LoadOptions::default()).unwrap_err()
}

#[test]
fn a_repeated_name_is_reported_with_the_line_of_the_first() {
    let text = "Graph(
    size: 1,
    params: { \"p\": 1, \"p\": 2 },
    nodes: {
        \"a\": Take(),
        \"b\": Take(),
        \"a\": Take(),
    },
    size: 2,
)";
    let helps: Vec<String> = mistakes(text).0.into_iter().map(|diagnostic| diagnostic.help).collect();
    assert_eq!(
        helps,
        [
            "rename one of the two: the first is on line 3",
            "rename one of the two: the first is on line 5",
            "remove one of the two: the first is on line 2",
        ]
    );
    let many = format!("Graph(nodes: {{ {} }})", "\"a\": Take(), ".repeat(1000));
    let mistakes = mistakes(&many);
    assert_eq!(mistakes.0.len(), 999);
    assert!(mistakes.0[99].help.contains("line 1") && !mistakes.0[100].help.contains("line"));
}

#[test]
fn a_cycle_is_reported_with_one_of_its_wires() {
    let text = "Graph(nodes: { \"a\": Add(a: \"a\"), \"b\": Add(a: \"d\"), \"c\": Add(a: \"b\"), \"d\": \
        Add(a: \"c\") })";
    let labels: Vec<(String, String)> =
        mistakes(text).0.into_iter().map(|diagnostic| (diagnostic.message, diagnostic.label)).collect();
    assert_eq!(
        labels,
        [
            ("a cycle of 1 node: a -> a".to_owned(), "reads itself".to_owned()),
            ("a cycle of 3 nodes: c -> d -> b -> c".to_owned(), "reads `d`".to_owned()),
        ]
    );
}

#[test]
fn a_list_of_the_wrong_length_is_reported_with_its_length() {
    for (more, expected) in [
        ("[(1, \"\", 3)]", "`more` has `(1, \"\", 3)` with 3 values instead of 2 values in ( )"),
        ("[(0, \"a\"), (1,)]", "`more` has `(1,)` with 1 value instead of 2 values in ( )"),
        ("[()]", "`more` has `()` with 0 values instead of 2 values in ( )"),
        ("[1]", "`more` has `1` instead of 2 values in ( )"),
    ] {
        let mistakes = mistakes(&format!("Graph(nodes: {{ \"a\": Take(more: {more}) }})"));
        assert_eq!(mistakes.0[0].message, expected);
    }
}
