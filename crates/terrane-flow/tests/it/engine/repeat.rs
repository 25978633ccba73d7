//! A graph that is evaluated several times, each time on its previous outputs.

use std::fs;
use std::sync::Arc;

use terrane_flow::testing::{Toys, number, registry, wanted};
use terrane_flow::{Engine, LoadOptions, Loaded, load};

use super::support::{engine, on_disk, run};

/// Twice the sum of its input and `$more`, and outputs that are not carried.
const STEP: &str = r#"Graph(
    params: { "more": 1.0 },
    nodes: { "x": Take(amount: 0.0), "more": Take(amount: "$more"), "sum": Add(a: "x", b: "more"),
        "twice": Add(a: "sum", b: 0.0, by: 2.0) },
    outputs: { "x.txt": "twice", "sum.txt": "sum" },
)"#;

/// A folder with the graph above.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("step.ron"), STEP).unwrap();
    folder
}

fn graph(toys: &Toys, folder: &tempfile::TempDir, fields: &str) -> Arc<Loaded> {
    let text = format!(
        r#"Graph(nodes: {{
            "one": Take(),
            "again": Repeat(file: "step.ron", inputs: {{ "x": "one" }}, {fields}),
            "end": Add(a: "again"),
        }})"#
    );
    toys.load(folder.path(), &text)
}

fn value(engine: &Engine, graph: &Arc<Loaded>, name: &str) -> Option<f64> {
    number(&run(engine, graph, &[name]), 0)
}

#[test]
fn each_repetition_continues_from_the_previous_one() {
    let (toys, folder, engine) = (Toys::default(), folder(), engine(2));
    // 1, 4, 10, 22: twice the previous plus one.
    for (times, expected) in [(0, 1.0), (1, 4.0), (2, 10.0), (3, 22.0)] {
        let graph = graph(&toys, &folder, &format!("times: {times}"));
        assert_eq!(value(&engine, &graph, "end"), Some(expected), "{times}");
    }
    let graph = graph(&toys, &folder, r#"times: 2, params: { "more": 3.0 }, carry: { "sum": "x" }"#);
    assert_eq!(value(&engine, &graph, "again/1/sum"), Some(4.0));
    assert_eq!(
        value(&engine, &graph, "end"),
        Some(14.0),
        "the first output of the second repetition: (4 + 3) · 2"
    );
}

#[test]
fn two_more_repetitions_evaluate_only_two() {
    let (toys, folder, cache) = (Toys::default(), folder(), tempfile::tempdir().unwrap());
    let ten = run(&on_disk(cache.path()), &graph(&toys, &folder, "times: 10"), &["end"]);
    assert_eq!(number(&ten, 0), Some(3.0 * 1024.0 - 2.0));
    let twelve = run(&on_disk(cache.path()), &graph(&toys, &folder, "times: 12"), &["end"]);
    assert_eq!(number(&twelve, 0), Some(3.0 * 4096.0 - 2.0));
    assert_eq!(twelve.ran(), ["again/11/sum", "again/11/twice", "again/12/sum", "again/12/twice", "end"]);
    let seven = run(&on_disk(cache.path()), &graph(&toys, &folder, "times: 7"), &["end"]);
    assert_eq!(seven.ran(), ["end"]);
}

#[test]
fn a_repeat_equals_the_same_graph_written_out() {
    let (toys, folder, engine) = (Toys::default(), folder(), engine(2));
    let repeated = graph(&toys, &folder, "times: 3");
    let out = r#"Graph(nodes: {
        "one": Take(),
        "a": Subgraph(file: "step.ron", inputs: { "x": "one" }),
        "b": Subgraph(file: "step.ron", inputs: { "x": "a.x" }),
        "c": Subgraph(file: "step.ron", inputs: { "x": "b.x" }),
        "end": Add(a: "c"),
    })"#;
    let _first = run(&engine, &repeated, &["end"]);
    let evaluation = run(&engine, &toys.load(folder.path(), out), &["end"]);
    assert!(evaluation.ran().is_empty(), "{:?}", evaluation.ran());
}

#[test]
fn mistakes_are_reported_once_at_their_position() {
    let folder = folder();
    let mistakes = |node: &str| {
        let text =
            format!(r#"Graph(nodes: {{ "one": Take(), "again": {node}, "end": Add(a: "again.sum") }})"#);
        let read = load("g.ron", &text, folder.path(), &registry(), &LoadOptions::default());
        let mistakes = read.map(|_| ()).unwrap_err();
        mistakes.0.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let with =
        |fields: &str| mistakes(&format!(r#"Repeat(file: "step.ron", inputs: {{ "x": "one" }}, {fields})"#));
    assert_eq!(with(r#"times: 4, carry: { "xs": "x" }"#), "the graph has no output `xs`");
    assert_eq!(
        with(r#"times: 4, carry: { "x": "more" }"#),
        "`more` is not among the inputs, so the first repetition has no value for it"
    );
    assert_eq!(with(r#"times: 4, carry: { "x": "x", "sum": "x" }"#), "two outputs are carried to `x`");
    assert_eq!(with("times: 0"), "`again.sum` is computed by each repetition, and times is 0");
    assert_eq!(with("times: 10001"), "`times` is 10001, which is out of range");
    assert_eq!(
        mistakes(r#"Repeat(file: "step.ron", times: 2)"#),
        "no output has the name of an input, so nothing is carried to the next repetition"
    );
    fs::write(
        folder.path().join("step.ron"),
        r#"Graph(nodes: { "x": Take(), "b": Add(a: "x", bb: 1.0) },
            outputs: { "x.txt": "b", "sum.txt": "b" })"#,
    )
    .unwrap();
    assert_eq!(with("times: 1000"), "`Add` has no field `bb`");
}

#[test]
fn runaway_expansion_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let innermost = r#"Graph(nodes: { "x": Take() }, outputs: { "x.txt": "x" })"#;
    for (file, within) in [("c.ron", None), ("b.ron", Some("c.ron")), ("a.ron", Some("b.ron"))] {
        let text = within.map_or_else(
            || innermost.to_owned(),
            |within| {
                let again = format!(r#"Repeat(file: "{within}", times: 10000, inputs: {{ "x": "x" }})"#);
                format!(
                    r#"Graph(nodes: {{ "x": Take(), "again": {again} }}, outputs: {{ "x.txt": "again" }})"#
                )
            },
        );
        fs::write(folder.path().join(file), text).unwrap();
    }
    let text = fs::read_to_string(folder.path().join("a.ron")).unwrap();
    let read = load("a.ron", &text, folder.path(), &registry(), &LoadOptions::default());
    let mistakes = read.map(|_| ()).unwrap_err();
    assert!(mistakes.0[0].message.starts_with("this is more than"), "{}", mistakes.0[0].message);
}

#[test]
fn many_repetitions_form_a_chain_and_end() {
    let (toys, folder, engine) = (Toys::default(), folder(), engine(2));
    let graph = graph(&toys, &folder, r#"times: 3000, params: { "more": -0.5 }"#);
    assert_eq!(graph.graph.nodes.len(), 2 + 3 * 3000);
    let evaluation = engine.start(&graph, wanted(&["again/1000/sum"])).unwrap().wait();
    assert_eq!(number(&evaluation, 0), Some(0.5));
    assert_eq!(evaluation.ran().len(), 4, "once the result no longer changes, nothing is evaluated again");
}
