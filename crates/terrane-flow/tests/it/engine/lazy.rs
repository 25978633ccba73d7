//! Lazy outputs, which are computed only if something reads them.

use terrane_flow::testing::{Toys, number};

use super::support::{engine, run};

const NODES: &str =
    r#""a": Take(amount: 6.0), "s": Split(a: "a"), "b": Add(a: "s"), "h": Add(a: "s.half", b: 1.0)"#;

#[test]
fn an_unread_lazy_output_is_not_computed() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(NODES));
    assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(6.0));
    assert_eq!(
        toys.log.take(),
        ["Add 6", "Split 6 without half", "Take 6"],
        "`h` reads the half, and nothing reads `h`"
    );
    assert_eq!(number(&run(&engine, &graph, &["h"]), 0), Some(4.0));
    assert_eq!(toys.log.take(), ["Add 4", "Split 6 with half"]);
    assert_eq!(number(&run(&engine, &graph, &["s.half"]), 0), Some(3.0));
    assert_eq!(toys.log.take(), [""; 0], "both variants are known");
}

#[test]
fn the_stand_in_for_a_lazy_output_is_never_returned() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(NODES);
    for names in [&["s"][..], &["s.half"], &["b", "h"], &["s", "s.half"]] {
        let evaluation = run(&super::support::on_disk(folder.path()), &graph, names);
        for (at, name) in names.iter().enumerate() {
            let expected = if name.contains("half") {
                3.0
            } else if *name == "h" {
                4.0
            } else {
                6.0
            };
            assert_eq!(number(&evaluation, at), Some(expected), "{names:?}");
        }
    }
}

#[test]
fn an_input_that_is_not_chosen_is_not_evaluated() {
    let toys = Toys::default();
    let engine = engine(2);
    let text = |second: bool, other: &str| {
        toys.graph(&format!(
            r#""x": Take(amount: 1.0), "y": Take(amount: {other}), "f": Fail(a: "x"),
            "c": Choose(a: "x", b: "y", second: {second}), "d": Choose(a: "f", b: "c", second: true),
                "e": Add(a: "d", b: "c")"#
        ))
    };
    let evaluation = run(&engine, &text(false, "2.0"), &["e"]);
    assert!(evaluation.succeeded());
    assert_eq!(number(&evaluation, 0), Some(2.0));
    assert_eq!(toys.log.take(), ["Add 2", "Choose 1", "Choose 1", "Take 1"]);
    // Unread inputs do not matter.
    assert!(run(&engine, &text(false, "3.0"), &["e"]).ran().is_empty());
    let evaluation = run(&engine, &text(true, "3.0"), &["e"]);
    // `c` has already chosen 3 of two numbers, so `d` does not run.
    assert_eq!(evaluation.ran(), ["y", "c", "e"]);
    assert_eq!(number(&evaluation, 0), Some(6.0));
    // A cycle through an unread input is allowed.
    let graph = toys.graph(r#""x": Take(), "c": Choose(a: "x", b: "d"), "d": Add(a: "c")"#);
    assert_eq!(number(&run(&engine, &graph, &["d"]), 0), Some(1.0));
}
