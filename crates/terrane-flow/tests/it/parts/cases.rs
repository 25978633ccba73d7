//! Small hand-written graphs.

use terrane_flow::testing::edited;

use super::nodes::{self, inline, loaded, registry, results, says};

pub const BASE: &str = "Graph(
    params: { \"n\": 2.0, \"m\": \"$n * 3\", \"from\": \"ground\" },
    nodes: {
        \"ground\": Take(amount: \"$n\"), // below
        // On top.
        \"top\": Add(a: \"$from\", b: \"$m\", by: \"$n / 4\"),
    },
    outputs: { \"height.txt\": \"top.rest\", \"low.txt\": \"ground\" },
)
";

pub const TEXT: &str = "\
// A graph.
Graph(
    size: \"$k\", // as large
    seed: 7,
    params: {
        \"k\": 4, // rough
        \"n\": \"$k + 1\",
        \"pick\": \"hills.twice\",
    },
    profiles: { \"other\": { \"pick\": \"base/top\", \"k\": 9 } },
    nodes: {
        \"hills\": Take(amount: \"$n * 2\", more: [(\"$k\", \"a, b\")], seed: 3), // ground

        // The base,
        // of two nodes.
        \"base\": Subgraph(
            file: \"base.ron\",
            inputs: { \"ground\": \"hills\" }, // given
            params: { \"n\": \"$n\" },
        ),
        \"over\": Add(
            a: \"base\", // from below
            b: \"base.low\",
        ), /* behind */

        \"picked\": Add(a: \"$pick\", b: 0.5),
        \"far\": Add(a: \"over.rest\", b: \"base/top.rest\"),
        \"end\": Add(a: \"picked\", b: \"far\"),
    },
    outputs: {
        \"end.txt\": \"end\",
        \"over.txt\": Export(from: \"over.rest\"),
        \"top.txt\": \"base/top\",
    },
)
";

fn extract(nodes: &[&str]) -> (String, String) {
    nodes::extract(TEXT, nodes, "part.ron", "part").unwrap()
}

/// Checks that a graph is the same with and without extracted nodes, with the same results, also with another
/// profile.
fn check_same(nodes: &[&str], (graph, part): &(String, String)) {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| {
        let head = name.split('/').next().unwrap();
        if nodes.contains(&head) { format!("part/{name}") } else { name.to_owned() }
    };
    let same = |name: &str| name.to_owned();
    for set in [&[][..], &[("@other", "")], &[("k", "11")], &[("pick", "\"far\"")]] {
        if set == [("pick", "\"far\"")] && nodes.contains(&"far") {
            continue;
        }
        let before = loaded(folder.path(), &[("graph.ron", TEXT), ("base.ron", BASE)], set);
        let after = loaded(folder.path(), &[("new.ron", graph), ("part.ron", part)], set);
        assert_eq!(says(&before, &inside), says(&after, &same), "{nodes:?} {set:?}\n{graph}\n{part}");
        assert_eq!(results(&before, &inside), results(&after, &same), "{nodes:?} {set:?}");
    }
    loaded(folder.path(), &[("part.ron", part)], &[]);
}

#[test]
fn nodes_move_with_their_comments_and_every_other_byte_is_kept() {
    let (graph, part) = extract(&["over", "far"]);
    let expected = TEXT
        .replace(
            "        \"over\": Add(
            a: \"base\", // from below
            b: \"base.low\",
        ), /* behind */",
            "        \"part\": Subgraph(
            file: \"part.ron\",
            inputs: { \"base\": \"base\", \"base_low\": \"base.low\", \"base_top_rest\": \"base/top.rest\" },
        ),",
        )
        .replace("        \"far\": Add(a: \"over.rest\", b: \"base/top.rest\"),\n", "")
        .replace("b: \"far\"", "b: \"part/far\"")
        .replace("from: \"over.rest\"", "from: \"part/over.rest\"");
    assert_eq!(graph, expected);
    let expected = "\
Graph(
    size: \"$k\",
    seed: 7,
    params: { \"k\": 4 },
    nodes: {
        // Provided by the graph that uses this one.
        \"base\": Take(),
        \"base_low\": Take(),
        \"base_top_rest\": Take(),

        \"over\": Add(
            a: \"base\", // from below
            b: \"base_low\",
        ), /* behind */
        \"far\": Add(a: \"over.rest\", b: \"base_top_rest\"),
    },
)
";
    assert_eq!(part, expected);
    check_same(&["over", "far"], &(graph, part));
}

#[test]
fn nodes_without_inputs_and_parameters_are_copied_where_they_are_used() {
    let (graph, part) = extract(&["base", "picked"]);
    assert!(graph.contains("\"pick\": \"hills.twice\""), "{graph}");
    assert!(graph.contains("{ \"pick\": \"part/base/top\", \"k\": 9 }"), "{graph}");
    assert!(
        graph.contains(
            "        \"part\": Subgraph(
            file: \"part.ron\",
            inputs: { \"hills\": \"hills\", \"pick\": \"$pick\" },
            params: { \"n\": \"$n\" },
        ),
        \"over\": Add(
            a: \"part/base\", // from below
            b: \"part/base.low\",
        ), /* behind */
"
        ),
        "{graph}"
    );
    assert!(
        part.contains(
            "    params: { \"k\": 4, \"n\": \"$k + 1\" },
    nodes: {
        // Provided by the graph that uses this one.
        \"hills\": Take(amount: \"$n * 2\", more: [(\"$k\", \"a, b\")], seed: 3),
        \"pick\": Take(),

        // The base,
        // of two nodes.
        \"base\": Subgraph(
            file: \"base.ron\",
            inputs: { \"ground\": \"hills\" }, // given
            params: { \"n\": \"$n\" },
        ),

        \"picked\": Add(a: \"pick\", b: 0.5),
"
        ),
        "{part}"
    );
    check_same(&["base", "picked"], &(graph, part));
}

#[test]
fn any_nodes_can_move_and_come_back() {
    let all = ["hills", "base", "over", "picked", "far", "end"];
    for bits in 1..1u32 << all.len() {
        let nodes: Vec<&str> = (0..all.len()).filter(|at| bits >> at & 1 == 1).map(|at| all[at]).collect();
        let (graph, part) = extract(&nodes);
        check_same(&nodes, &(graph.clone(), part.clone()));
        let back = inline(&graph, "part", &part, "").unwrap();
        let first = bits.trailing_zeros();
        let last = 31 - bits.leading_zeros();
        if bits.count_ones() == last - first + 1 {
            assert_eq!(back, TEXT, "{nodes:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let before = loaded(folder.path(), &[("graph.ron", TEXT), ("base.ron", BASE)], &[]);
        let after = loaded(folder.path(), &[("new.ron", &back)], &[]);
        let same = |name: &str| name.to_owned();
        assert_eq!(says(&before, &same), says(&after, &same), "{nodes:?}\n{back}");
    }
}

#[test]
fn a_subgraph_is_inlined_with_separate_names_and_parameters() {
    let text = TEXT.replace("\"far\"", "\"base_top\"");
    let flat = inline(&text, "base", BASE, "base_").unwrap();
    let expected = text
        .replace(
            "        \"base\": Subgraph(
            file: \"base.ron\",
            inputs: { \"ground\": \"hills\" }, // given
            params: { \"n\": \"$n\" },
        ),
",
            "        // On top.
        \"base_top_2\": Add(a: \"hills\", b: \"$m\", by: \"$n / 4\"),
",
        )
        .replace(
            "        \"pick\": \"hills.twice\",\n",
            "        \"pick\": \"hills.twice\",\n        \"m\": \"$n * 3\",\n",
        )
        .replace("{ \"pick\": \"base/top\",", "{ \"pick\": \"base_top_2\",")
        .replace("a: \"base\",", "a: \"base_top_2.rest\",")
        .replace("b: \"base.low\"", "b: \"hills\"")
        .replace("\"base/top.rest\"", "\"base_top_2.rest\"")
        .replace("\"top.txt\": \"base/top\"", "\"top.txt\": \"base_top_2\"");
    assert_eq!(flat, expected);
    let folder = tempfile::tempdir().unwrap();
    let same = |name: &str| name.to_owned();
    let renamed = |name: &str| name.replace("base/top", "base_top_2");
    for set in [&[][..], &[("@other", "")], &[("k", "11")]] {
        let before = loaded(folder.path(), &[("graph.ron", &text), ("base.ron", BASE)], set);
        let after = loaded(folder.path(), &[("flat.ron", &flat)], set);
        assert_eq!(says(&before, &renamed), says(&after, &same), "{set:?}");
        assert_eq!(results(&before, &renamed), results(&after, &same), "{set:?}");
    }
}

#[test]
fn single_line_texts_and_crlf_line_ends() {
    let text = "Graph(nodes: { \"a\": Take(), /* b */ \"b\": Add(a: \"a\"), \"c\": Add(a: \"b\") }, outputs: \
        { \"c.txt\": \"c\" })";
    let (graph, part) = nodes::extract(text, &["b", "c"], "p.ron", "p").unwrap();
    assert_eq!(
        graph,
        "Graph(nodes: { \"a\": Take(), \"p\": Subgraph(file: \"p.ron\", inputs: { \"a\": \"a\" }) }, \
        outputs: { \"c.txt\": \"p/c\" })"
    );
    assert!(
        part.contains("        /* b */ \"b\": Add(a: \"a\"),\n        \"c\": Add(a: \"b\"),\n"),
        "{part}"
    );
    let back = inline(&graph, "p", &part, "").unwrap();
    assert!(back.contains("\"a\": Take(), /* b */ \"b\": Add(a: \"a\"),"), "{back}");
    let (graph, part) = nodes::extract(&TEXT.replace('\n', "\r\n"), &["over"], "part.ron", "part").unwrap();
    let unix = extract(&["over"]);
    assert_eq!((graph, part), (unix.0.replace('\n', "\r\n"), unix.1.replace('\n', "\r\n")));
    let all = inline(&unix.0.replace('\n', "\r\n"), "part", &unix.1, "").unwrap();
    assert_eq!(all, TEXT.replace('\n', "\r\n"));
}

#[test]
fn line_comments_swallow_nothing() {
    let part = "Graph(nodes: {\n  \"x\": Take(), // first\n  // second\n  \"y\": Add(a: \"x\") // last\n})";
    let text = "Graph(nodes: { \"p\": Subgraph(file: \"p.ron\"), \"z\": Add(a: \"p/y\") })";
    let flat = inline(text, "p", part, "").unwrap();
    assert_eq!(
        flat,
        "Graph(nodes: { \"x\": Take(), // first\n        // second\n        \"y\": Add(a: \"x\"), // \
        last\n         \"z\": Add(a: \"y\") })"
    );
    let end = "Graph(nodes: {\n    \"z\": Add(a: \"p/y\"),\n    \"p\": Subgraph(file: \"p.ron\") // of p\n})";
    let flat = inline(end, "p", part, "").unwrap();
    assert_eq!(
        flat,
        "Graph(nodes: {\n    \"z\": Add(a: \"y\"),\n    \"x\": Take(), // first\n    // second\n    \"y\": \
        Add(a: \"x\") // last // of p\n})"
    );
}

#[test]
fn nodes_with_any_letters_in_their_names_move() {
    let text = "Graph(nodes: { \"e\u{301}'s\": Take(), \"b\": Add(a: \"e\u{301}'s.twice\") })";
    let (graph, part) = nodes::extract(text, &["b"], "ö.ron", "a\u{308}").unwrap();
    assert!(
        graph.contains("\"a\u{308}\": Subgraph(file: \"ö.ron\", inputs: { \"e\u{301}'s_twice\": "),
        "{graph}"
    );
    assert!(part.contains("        \"e\u{301}'s_twice\": Take(),\n"), "{part}");
    let same = inline(&graph, "a\u{308}", &part, "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let says = |text: &str| says(&loaded(folder.path(), &[("g.ron", text)], &[]), &str::to_owned);
    assert_eq!(says(&same), says(text));
}

#[test]
fn names_with_quotes_and_backslashes_are_written_as_raw_strings() {
    let text =
        "Graph(nodes: { r#\"a\"b\"#: Take(), \"c\": Add(a: \"a\\\"b\") }, outputs: { \"c.txt\": \"c\" })";
    for name in ["\"#", "x\\y", "\"", "plain", "a\"#b\"##"] {
        let renamed = edited(text, |graph| graph.rename_node("a\"b", name, &registry())).unwrap();
        let back = edited(&renamed, |graph| graph.rename_node(name, "a\"b", &registry())).unwrap();
        assert_eq!(back, text, "{renamed}");
    }
}

#[test]
fn references_into_a_node_are_renamed_with_it() {
    let text = "Graph(
    params: { \"p\": \"$q\", \"q\": \"base.low\" },
    profiles: { \"x\": { \"q\": \"base/top\" } },
    nodes: {
        \"base\": Subgraph(file: \"base.ron\"),
        \"a\": Add(a: \"base/top.rest\", b: \"$q\"),
    },
    outputs: { \"a.txt\": \"base/ground\" },
)";
    let expected =
        text.replace("\"base\":", "\"b\":").replace("\"base/", "\"b/").replace("\"base.low\"", "\"b.low\"");
    assert_eq!(edited(text, |graph| graph.rename_node("base", "b", &registry())).unwrap(), expected);
}
