//! Tests of the formatter on graphs in any style, and on the repository's graphs.

use crate::written::{Written, facts, written};
use proptest::prelude::*;
use terrane::flow::format_text;
use terrane_tests::{graphs, load_text, root};

fn formatted(text: &str) -> String {
    format_text("test", text).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// All bytes except blanks and commas, sorted. None may get lost, but comments may move past commas.
fn ink(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace() && *b != b',').collect();
    bytes.sort_unstable();
    bytes
}

/// Properties of any text: formatting again changes nothing, and nothing gets lost.
fn check(text: &str) -> String {
    let once = formatted(text);
    assert_eq!(formatted(&once), once, "of\n{text}");
    assert_eq!(ink(&once), ink(text), "of\n{text}");
    once
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_formatted_graph_is_the_same_graph(Written { text, nodes } in written()) {
        let before = load_text(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let once = check(&text);
        let after = load_text(&once).unwrap_or_else(|errors| panic!("{errors}\n{once}"));
        prop_assert_eq!(facts(&before), facts(&after));
        prop_assert_eq!(after.graph.nodes.len(), nodes.len());
        for line in once.lines() {
            let long = line.chars().count() > 110;
            prop_assert!(!long || line.contains("//") || line.contains("/*"), "{}", line);
        }
    }
}

/// Valid RON of any shape, with comments of every kind wherever one is allowed.
fn value() -> impl Strategy<Value = String> {
    let gap = || {
        prop::sample::select(vec![
            "",
            " ",
            "\n",
            "\n\n\n",
            " // c\n",
            "\n// d\n",
            "/* e */",
            " /* f\n */\n",
            "\n/* g */\n",
        ])
    };
    let leaf =
        prop::sample::select(vec!["1", "-2.50", "\"a, b\"", "Name", "r#\"x\ny\"#", "()", "[]", "{}", "true"]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 64, 8, move |inner| {
        let item = (gap(), inner, gap(), gap());
        let items = (proptest::collection::vec(item, 0..9), any::<bool>(), 0..4_usize, gap());
        items.prop_map(|(items, comma, kind, end)| {
            let (open, close) = [("(", ")"), ("[", "]"), ("{", "}"), ("Call(", ")")][kind];
            let last = items.len();
            let mut text = open.to_owned();
            for (at, (before, value, middle, after)) in items.into_iter().enumerate() {
                let key =
                    [String::new(), String::new(), format!("\"k{at}\":{middle}"), format!("k{at}:{middle}")];
                let comma = if at + 1 < last || comma { "," } else { "" };
                text.push_str(&format!("{before}{}{value}{after}{comma}{middle}", key[kind]));
            }
            text + end + close
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_value_is_kept(value in value()) {
        check(&format!("A(x: {value})"));
    }
}

#[test]
fn the_graphs_here_are_formatted() {
    let mut files = graphs();
    files.push(root().join("graphs/world/world.ron"));
    files.push(root().join("crates/terrane-cli/src/cli/starter.ron"));
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(check(&text), text, "{}: run `terrane fmt` on it", path.display());
    }
}

/// A comma after a single value has a meaning, so it is kept. A comment after it stays there.
#[test]
fn a_comment_after_a_single_comma_stays_there() {
    for text in ["A(x: (1\n,\n/* e */))", "A(x: (1, /* e */))", "A(x: (1 /* e */,))", "A(x: [1, /* e */])"] {
        check(text);
    }
    assert_eq!(formatted("A(x: (1\n,\n/* e */))"), "A(\n    x: (1, /* e */),\n)\n");
}
