//! Nodes that fail or panic.

use terrane_flow::testing::{Number, Toys, Words, number};
use terrane_flow::{Data, NoValue, NodeError, Outcome};

use super::support::{engine, events, outcome, run, start};

#[test]
fn a_failed_node_skips_only_its_dependents() {
    let toys = Toys::default();
    let graph = toys.graph(
        r#""a": Take(), "f": Fail(a: "a"), "b": Add(a: "f"), "c": Add(a: "b"), "d": Add(a: "a", b: 5.0)"#,
    );
    let evaluation = run(&engine(2), &graph, &["c", "d"]);
    let failed = NodeError::failed("it fails", "take another node");
    assert_eq!(outcome(&evaluation, "f"), Outcome::Failed(failed));
    assert_eq!(outcome(&evaluation, "b"), Outcome::Skipped("f".into()));
    assert_eq!(outcome(&evaluation, "c"), Outcome::Skipped("f".into()), "the cause, not the neighbour");
    assert_eq!(outcome(&evaluation, "d"), Outcome::Ran);
    assert_eq!((number(&evaluation, 0), number(&evaluation, 1)), (None, Some(6.0)));
    assert_eq!(toys.log.take(), ["Add 6", "Fail", "Take 1"]);
}

#[test]
fn each_failure_and_each_skip_is_reported_once() {
    let toys = Toys::default();
    let graph = toys.graph(r#""f": Fail(), "b": Add(a: "f", b: "f"), "c": Add(a: "b", b: "f")"#);
    let events = events(&start(&engine(1), &graph, &["c"]));
    assert_eq!(
        events,
        ["planned 3", "started f", "failed f: it fails", "skipped b because of f", "skipped c because of f"]
    );
}

#[test]
fn of_two_failed_inputs_the_first_is_the_cause() {
    let toys = Toys::default();
    let graph = toys.graph(r#""t": Take(), "f": Fail(), "p": Panic(a: "t"), "b": Add(a: "p", b: "f")"#);
    let evaluation = run(&engine(2), &graph, &["b"]);
    assert_eq!(outcome(&evaluation, "b"), Outcome::Skipped("p".into()));
}

#[test]
fn a_panic_is_the_error_of_its_node_and_the_engine_goes_on() {
    let toys = Toys::default();
    let engine = engine(1);
    let graph = toys.graph(r#""p": Panic(), "b": Add(a: "p"), "d": Take(amount: 4.0)"#);
    for _ in 0..3 {
        let evaluation = run(&engine, &graph, &["b", "d"]);
        assert_eq!(outcome(&evaluation, "p"), Outcome::Failed(NodeError::Panicked("a toy panics".into())));
        assert_eq!(outcome(&evaluation, "b"), Outcome::Skipped("p".into()));
        assert_eq!(number(&evaluation, 1), Some(4.0));
    }
    assert_eq!(toys.log.take(), ["Panic", "Panic", "Panic", "Take 4"]);
}

#[test]
fn a_panic_in_an_encoding_is_an_error_of_the_node() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "Babel").unwrap();
    let toys = Toys::default();
    let text = r#"Graph(nodes: { "r": Read(file: "a.txt"), "c": Count(words: "r"), "t": Take() })"#;
    let evaluation = run(&engine(2), &toys.load(folder.path(), text), &["c", "t"]);
    let panicked = NodeError::Panicked("this text cannot be encoded".into());
    assert_eq!(outcome(&evaluation, "r"), Outcome::Failed(panicked));
    assert_eq!(outcome(&evaluation, "c"), Outcome::Skipped("r".into()));
    assert_eq!(outcome(&evaluation, "t"), Outcome::Ran);
}

#[test]
fn a_failed_node_runs_again() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""f": Fail()"#);
    let _first = run(&engine, &graph, &["f"]);
    let _second = run(&engine, &graph, &["f"]);
    assert_eq!(toys.log.take(), ["Fail", "Fail"]);
}

#[test]
fn a_missing_file_is_an_error_of_the_node_that_reads_it() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one two").unwrap();
    let graph = toys.load(
        folder.path(),
        r#"Graph(nodes: { "r": Read(file: "a.txt"), "c": Count(words: "r"), "t": Take() })"#,
    );
    std::fs::remove_file(folder.path().join("a.txt")).unwrap();
    let evaluation = run(&engine(2), &graph, &["c", "t"]);
    let Outcome::Failed(error) = outcome(&evaluation, "r") else { panic!("{:?}", evaluation.nodes) };
    assert!(error.to_string().contains("a.txt"), "{error}");
    assert_eq!(outcome(&evaluation, "c"), Outcome::Skipped("r".into()));
    assert_eq!(number(&evaluation, 1), Some(1.0));
}

#[test]
fn one_value_or_the_reason_why_there_is_none() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""a": Take(amount: 2.0), "f": Fail(a: "a"), "b": Add(a: "f")"#);
    assert_eq!(engine.value_of::<Number>(&graph, "a").unwrap().0, 2.0);
    let error = NodeError::failed("it fails", "take another node");
    let failed = NoValue::Failed { node: "f".into(), error };
    assert_eq!(engine.value_of::<Number>(&graph, "b").err(), Some(failed));
    let kind = NoValue::Kind { found: Number::KIND, wanted: Words::KIND };
    assert_eq!(engine.value_of::<Words>(&graph, "a").err(), Some(kind));
    assert!(matches!(engine.value_of::<Number>(&graph, "nowhere"), Err(NoValue::Graph(_))));
}
