//! Every mistake is reported once, at its position.

use std::path::Path;

use terrane_flow::testing::registry;
use terrane_flow::{LoadOptions, load};

const PART: &str = "Graph(params: { \"h\": 5 }, nodes: { \"in\": Take(amount: \"$h\"), \"out\": Add(a: \
    \"in\") }, outputs: { \"sum.txt\": \"out\" })";
const BAD: &str = "Graph(nodes: { \"in\": Take() }, outputs: { \"sum.txt\": \"out\" })";

/// The mistakes of a text with two subgraph files: each with its file, code and message.
fn mistakes(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, part) in
        [("part.ron", PART), ("bad.ron", BAD), ("none.ron", "Graph(nodes: { \"in\": Take() })")]
    {
        std::fs::write(folder.path().join(name), part).unwrap();
    }
    let wrong = match load("g.ron", text, folder.path(), &registry(), &LoadOptions::default()) {
        Ok(_) => return Vec::new(),
        Err(wrong) => wrong,
    };
    let place = |(source, span): &(std::sync::Arc<terrane_flow::SourceText>, std::ops::Range<usize>)| {
        let file = Path::new(&source.name).file_name().unwrap().to_string_lossy().into_owned();
        format!("{file}:{} ", &source.text[span.clone()])
    };
    wrong
        .0
        .iter()
        .map(|d| format!("{}{}", d.place.as_ref().map_or(String::new(), place), d.message))
        .collect()
}

fn check(cases: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = mistakes(text);
        if found != *expected {
            wrong += &format!("{text}\n    found:    {found:#?}\n    expected: {expected:#?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn uses_of_an_invalid_parameter_are_not_reported() {
    let number = "expected a number without a unit";
    check(&[
        (
            "Graph(params: { \"n\": 5px }, nodes: { \"a\": Take(seed: \"$n\") })",
            &[&format!("g.ron:5px {number}")],
        ),
        (
            "Graph(params: { \"n\": \"$m\", \"k\": \"$n * 2\" }, nodes: { \"a\": Take(amount: \"$k\", more: \
            [(1, \"$n\")]), \"b\": Add(a: \"$n\", b: \"$n\") }, outputs: { \"x\": \"$n\" })",
            &["g.ron:\"$m\" `\"$m\"` is not known"],
        ),
        (
            "Graph(params: (n: 3), nodes: { \"a\": Take(amount: \"$n\") })",
            &["g.ron:(n: 3) expected names with values in { }, found `(n: 3)`"],
        ),
        (
            "Graph(parms: { \"n\": 3 }, nodes: { \"a\": Take(amount: \"$n\") })",
            &["g.ron:parms `ToyGraph` has no field `parms`"],
        ),
        (
            "Graph(params: { \"$n\": 3 }, nodes: { \"a\": Take(amount: \"$n\") })",
            &["g.ron:$n the parameter `$n` must be declared without `$`"],
        ),
        (
            "Graph(params: { \"n\": 3 }, profiles: { \"p\": { \"n\": \"$m\" } }, nodes: { \"a\": \
            Take(amount: \"$n\") })",
            &["g.ron:\"$m\" `\"$m\"` is not known"],
        ),
        // Valid parts next to mistakes are checked.
        (
            "Graph(params: { \"n\": 5px, \"k\": 1.5 }, nodes: { \"a\": Take(seed: \"$k\") })",
            &[
                "g.ron:5px expected a number without a unit",
                "g.ron:\"$k\" `seed` is `1.5`: expected a whole number",
            ],
        ),
    ]);
}

#[test]
fn references_to_and_in_subgraphs_are_reported_at_their_position() {
    let with = |inputs: &str, output: &str| {
        format!(
            "Graph(nodes: {{ \"n\": Take(), \"s\": Subgraph(file: \"part.ron\"{inputs}) }}, outputs: {{ \
            \"x\": \"{output}\" }})"
        )
    };
    check(&[
        (&with(", inputs: { \"in\": \"n.twice\" }", "s"), &[]),
        (&with("", "s.smu"), &["g.ron:\"s.smu\" the subgraph `s` has no output `smu`"]),
        (&with(", inputs: { \"in\": \"m\" }", "s"), &["g.ron:\"m\" there is no node `m`"]),
        (
            &with(", inputs: { \"in\": \"n.x\" }", "s"),
            &["g.ron:\"n.x\" `n` is a Take, which has no output `x`"],
        ),
        (&with(", inputs: { \"in\": \"s.x\" }", "s"), &["g.ron:\"s.x\" the subgraph `s` has no output `x`"]),
        (&with(", inputs: { \"in\": \"$q\" }", "s"), &["g.ron:\"$q\" `\"$q\"` is not known"]),
        (
            "Graph(nodes: { \"s\": Subgraph(file: \"bad.ron\"), \"t\": Subgraph(file: \"bad.ron\"), \"r\": \
            Add(a: \"s\", b: \"t\") }, outputs: { \"x\": \"s\" })",
            &["bad.ron:\"out\" there is no node `out`"],
        ),
        (
            "Graph(nodes: { \"s\": Subgraph(file: \"none.ron\") }, outputs: { \"x\": \"s\" })",
            &["g.ron:\"s\" the subgraph `s` has no outputs"],
        ),
    ]);
}

#[test]
fn incomplete_outputs_are_reported() {
    let with = |output: &str| format!("Graph(nodes: {{ \"a\": Take() }}, outputs: {{ \"x\": {output} }})");
    let wire = "expected a node for this output";
    check(&[
        (&with("Export(from: \"a\")"), &[]),
        (&with("a"), &[&format!("g.ron:a {wire}")]),
        (&with("'a'"), &[&format!("g.ron:'a' {wire}")]),
        (&with("None"), &[&format!("g.ron:None {wire}")]),
        (&with("[\"a\"]"), &[&format!("g.ron:[\"a\"] {wire}")]),
        (&with("\"\""), &[&format!("g.ron:\"\" {wire}")]),
        (&with("Export()"), &[&format!("g.ron:Export {wire}")]),
        (&with("Export(from: 5)"), &[&format!("g.ron:5 {wire}")]),
        (&with("Export(form: \"a\")"), &["g.ron:form `Export` has no field `form`"]),
        (&with("Export(from: \"a\", from: \"a\")"), &["g.ron:from `from` appears twice"]),
        (&with("export(from: \"a\")"), &["g.ron:export `export` is not an output"]),
        (&with("\"$q\""), &["g.ron:\"$q\" `\"$q\"` is not known"]),
    ]);
}

#[test]
fn a_misspelled_field_is_not_also_reported_as_missing() {
    check(&[
        ("Graph(nodes: { \"w\": Wait(gaet: \"g\") })", &["g.ron:gaet `Wait` has no field `gaet`"]),
        ("Graph(nodes: { \"f\": Take(), \"w\": Wait() })", &["g.ron:Wait `Wait` needs `gate`: quoted text"]),
        ("Grpah(nodes: {})", &["g.ron:Grpah this is a `Grpah`, not a graph"]),
    ]);
    let helps = |text: &str| {
        let wrong = load("g.ron", text, Path::new("."), &registry(), &LoadOptions::default()).unwrap_err();
        wrong.0.into_iter().map(|d| (d.help, d.fix.map(|fix| fix.text))).collect::<Vec<_>>()
    };
    let expected = |help: &str, fix: Option<&str>| vec![(help.to_owned(), fix.map(str::to_owned))];
    assert_eq!(helps("Grpah()"), expected("a graph file begins with Graph(", Some("Graph")));
    assert_eq!(helps("Graph(nodes)"), expected("write nodes: value", None));
    assert_eq!(helps("Graph(\"a\")"), expected("write name: \"a\"", None));
    let seed = |seed: &str| helps(&format!("Graph(nodes: {{ \"a\": Take(seed: {seed}) }})"));
    assert_eq!(
        seed("99999999999999999999"),
        expected("write a whole number from 0 to 18446744073709551615", None)
    );
    let arithmetic = helps("Graph(params: { \"n\": 3 }, nodes: { \"a\": Take(amount: \"$n x 2\") })");
    let help = "`$n` is a parameter: write +, -, * or / between it and what follows";
    assert_eq!(arithmetic, expected(help, None));
}

/// A name with escapes is a mistake of its own; in raw text, a backslash is one. A map without its name is
/// read as its entries say.
#[test]
fn nodes_whose_name_or_map_is_wrong_are_known() {
    let reads = "\"b\": Add(a: \"a\\n\") }, outputs: { \"x.txt\": \"b\", \"y.txt\": \"a\\n\" })";
    check(&[
        (
            &format!("Graph(nodes: {{ \"a\\n\": Take(), {reads}"),
            &["g.ron:\"a\\n\" names cannot contain escapes"],
        ),
        ("Graph(nodes: { r\"a\\n\": Take(), \"b\": Add(a: r\"a\\n\") }, outputs: { \"x\": r\"a\\n\" })", &[]),
        (
            "Graph(seed: 1,\n        \"a\": Take(),\n        \"b\": Add(a: \"a\"),\n    },\n    outputs: { \
            \"x.txt\": \"b\" },\n)",
            &["g.ron:\"a\" expected `nodes: {` before `\"a\"`"],
        ),
        (
            "Graph({ \"a\": Take(), \"b\": Add(a: \"a\") }, outputs: { \"x.txt\": \"b\" })",
            &["g.ron:{ expected `nodes:` before this map"],
        ),
    ]);
}
