//! Early cutoff at unchanged content, and content that need not be loaded.

use terrane_flow::Wanted;
use terrane_flow::testing::{Toys, number, wanted};

use super::support::{engine, events, on_disk, run, start};

fn floors(toys: &Toys, amount: &str) -> std::sync::Arc<terrane_flow::Loaded> {
    toys.graph(&format!(
        r#""a": Take(amount: {amount}), "f": Floor(a: "a"), "b": Add(a: "f", b: 1.0),
        "c": Add(a: "b", b: 5.0)"#
    ))
}

#[test]
fn a_change_stops_at_the_first_node_with_an_unchanged_result() {
    let toys = Toys::default();
    let engine = engine(2);
    assert_eq!(run(&engine, &floors(&toys, "2.25"), &["c"]).ran(), ["a", "f", "b", "c"]);
    let _first = toys.log.take();
    let evaluation = run(&engine, &floors(&toys, "2.75"), &["c"]);
    assert_eq!(evaluation.ran(), ["a", "f"]);
    assert_eq!(number(&evaluation, 0), Some(8.0));
    assert_eq!(toys.log.take(), ["Floor 2", "Take 2.75"]);
    assert_eq!(run(&engine, &floors(&toys, "3.75"), &["c"]).ran(), ["a", "f", "b", "c"]);
}

/// Hashing the result of a cheap node would take longer than the node, so its dependents run again. The first
/// of them that is dear stops the wave.
#[test]
fn a_change_does_not_stop_at_a_cheap_node() {
    let toys = Toys::default();
    let engine = engine(2);
    let painted = |with: u8| {
        toys.graph(&format!(
            r#""a": Fill(bytes: 100000, with: {with}), "b": Paint(a: "a", with: 2), "m": Measure(a: "b"),
                "n": Add(a: "m")"#
        ))
    };
    assert_eq!(run(&engine, &painted(1), &["n"]).ran(), ["a", "b", "m", "n"]);
    assert_eq!(run(&engine, &painted(3), &["n"]).ran(), ["a", "b", "m"]);
    // Content decides again from a dear node on: the first block is as it was.
    assert!(run(&engine, &painted(1), &["n"]).ran().is_empty());
}

#[test]
fn early_cutoff_works_with_results_on_disk() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let _first = run(&on_disk(folder.path()), &floors(&toys, "2.25"), &["c"]);
    let evaluation = run(&on_disk(folder.path()), &floors(&toys, "2.5"), &["c"]);
    assert_eq!(evaluation.ran(), ["a", "f"]);
    assert_eq!(number(&evaluation, 0), Some(8.0));
}

#[test]
fn events_mark_content_that_this_engine_has_seen_unchanged() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = floors(&toys, "2.25");
    let engine = on_disk(folder.path());
    let _first = run(&engine, &graph, &["c"]);
    assert_eq!(engine.flush(), None);
    // The values are gone, but their identities are known.
    std::fs::remove_dir_all(folder.path().join("objects-3")).unwrap();
    let events = events(&start(&engine, &graph, &["c"]));
    assert!(events.contains(&"finished c unchanged".to_owned()), "{events:?}");
    assert!(
        events.iter().filter(|line| line.starts_with("finished")).all(|line| line.ends_with("unchanged"))
    );
}

#[test]
fn content_that_the_caller_has_is_not_loaded() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = floors(&toys, "2.25");
    let first = run(&on_disk(folder.path()), &graph, &["c"]);
    let have = first.outputs[0].id;
    // Even if the content is stored nowhere, since it is not needed.
    std::fs::remove_dir_all(folder.path().join("objects-3")).unwrap();
    let engine = on_disk(folder.path());
    let asks = |have| vec![Wanted { have, ..wanted(&["c"]).remove(0) }];
    let evaluation = engine.start(&graph, asks(have)).unwrap().wait();
    assert!(evaluation.ran().is_empty());
    assert_eq!((evaluation.outputs[0].id, number(&evaluation, 0)), (have, None));
    let _log = toys.log.take();
    let evaluation = engine.start(&floors(&toys, "7.0"), asks(have)).unwrap().wait();
    assert_eq!(number(&evaluation, 0), Some(13.0));
}

#[test]
fn the_state_of_another_graph_with_the_same_shape_is_not_used() {
    let toys = Toys::default();
    let engine = engine(2);
    let first = toys.graph(r#""a": Take(amount: 1.0), "b": Take(amount: 2.0), "c": Add(a: "a", b: "b")"#);
    let other =
        toys.graph(r#""a": Take(amount: 2.0), "b": Take(amount: 1.0), "c": Add(a: "a", b: "b", by: 3.0)"#);
    for _ in 0..2 {
        assert_eq!(number(&run(&engine, &first, &["c"]), 0), Some(3.0));
        assert_eq!(number(&run(&engine, &other, &["c"]), 0), Some(9.0));
    }
    let difference = |graph| number(&run(&engine, graph, &["c.rest"]), 0);
    assert_eq!((difference(&first), difference(&other)), (Some(-1.0), Some(3.0)), "inputs are not mixed up");
}

#[test]
fn a_node_that_was_not_needed_for_a_while_is_checked_again() {
    let toys = Toys::default();
    let engine = engine(2);
    let session = engine.session();
    let sum =
        |amount: f64| toys.graph(&format!(r#""a": Take(amount: {amount:.1}), "b": Add(a: "a", b: 1.0)"#));
    let evaluate = |graph, name| number(&session.start(graph, wanted(&[name])).unwrap().wait(), 0);
    let (before, after) = (sum(1.0), sum(5.0));
    assert_eq!(evaluate(&before, "b"), Some(2.0));
    assert_eq!(evaluate(&after, "a"), Some(5.0), "`b` is not needed and stays as it was");
    assert_eq!(evaluate(&after, "b"), Some(6.0));
    assert_eq!(evaluate(&before, "b"), Some(2.0));
}
