//! Foreign nodes and the budget: they hold their reserved bytes while they run, and have no seat.

use terrane_flow::testing::{Block, Number, number};
use terrane_flow::{Engine, EngineOptions, NodeError};

use super::dynamic::{Dynamics, soon};
use super::support::run;

/// The bytes of a block. Smaller values are not counted.
const BLOCK: u64 = 100_000;

fn bounded(threads: usize, blocks: u64) -> Engine {
    let budget = Some(blocks * BLOCK);
    Engine::new(EngineOptions { threads, budget, memory: 0, ..EngineOptions::default() }).unwrap()
}

fn block(with: f64) -> Block {
    Block(vec![with as u8; BLOCK as usize])
}

/// `Make(amount: ..)` is foreign and outputs a block filled with its amount.
fn making() -> Dynamics {
    let mut types = Dynamics::new();
    types.foreign::<Number, _>("Make", 0, |given| Ok(block(given.amount)));
    types
}

/// A foreign type that evaluates the number `n` of a graph, checks that it is the size of a block, and
/// outputs a block.
fn evaluating(types: &mut Dynamics, name: &str, engine: &Engine, nodes: &str) {
    let (engine, graph) = (engine.clone(), types.graph(BLOCK, nodes));
    types.foreign::<Block, _>(name, 1, move |given| {
        let inner = number(&run(&engine, &graph, &["n"]), 0);
        let whole = inner == Some(BLOCK as f64) && given.values[0].is_some();
        whole.then(|| block(given.amount)).ok_or_else(|| NodeError::failed("no block", "mend the test"))
    });
}

/// Nodes that measure the output of a node of a type, with a fill and a paint before it.
fn measured(name: &str, with: u32) -> String {
    format!(
        r#""f{with}": Fill(bytes: {BLOCK}, with: {with}), "p{with}": Paint(a: "f{with}", with: {with}),
           "x{with}": {name}(a: "p{with}", amount: {with}), "{with}": Measure(a: "x{with}"), "#
    )
}

const INNER: &str = r#""f": Fill(bytes: 100000, with: 9), "p": Paint(a: "f", with: 8), "n": Measure(a: "p")"#;

#[test]
fn a_node_that_evaluates_frees_the_only_seat_and_both_respect_the_budget() {
    // The outer node holds its input and the memory for its output. The inner graph needs one block, and one
    // more to paint it.
    for (threads, blocks) in [(1, 4), (1, 100), (2, 4), (8, 100)] {
        let (mut types, engine) = (Dynamics::new(), bounded(threads, blocks));
        evaluating(&mut types, "Outer", &engine, INNER);
        let graph = types.graph(BLOCK, &measured("Outer", 1));
        let used = engine.clone();
        let evaluation = soon(move || run(&used, &graph, &["1"]));
        assert_eq!(number(&evaluation, 0), Some(BLOCK as f64));
        assert!(engine.peak() <= 4 * BLOCK, "{} on {threads} threads", engine.peak());
        assert!(engine.peak() >= 3 * BLOCK, "the outer node kept its bytes: {}", engine.peak());
    }
}

#[test]
fn nested_evaluations_end_with_any_budget() {
    for (threads, blocks) in [(1, 0), (1, 1), (1, 3), (1, 5), (2, 2), (2, 6), (4, 0), (4, 1000)] {
        let (mut types, engine) = (Dynamics::new(), bounded(threads, blocks));
        evaluating(&mut types, "Inner", &engine, INNER);
        let inner = measured("Inner", 7).replace(r#""7":"#, r#""n":"#);
        evaluating(&mut types, "Outer", &engine, &inner);
        let nodes: String = (1..6).map(|with| measured("Outer", with)).collect();
        let others: String = (0..6)
            .map(|i| format!(r#""g{i}": Fill(bytes: {BLOCK}, with: 1{i}), "m{i}": Measure(a: "g{i}"), "#))
            .collect();
        let graph = types.graph(BLOCK, &(nodes + &others));
        let evaluation = soon(move || {
            run(&engine, &graph, &["1", "2", "3", "4", "5", "m0", "m1", "m2", "m3", "m4", "m5"])
        });
        assert!(evaluation.succeeded(), "{threads} threads, {blocks} blocks");
    }
}

#[test]
fn a_foreign_node_can_wait_for_a_node_of_its_job_that_waits_for_memory() {
    for (threads, blocks) in [(1, 0), (1, 2), (2, 0), (2, 2), (2, 3), (4, 100)] {
        let (mut types, engine) = (making(), bounded(threads, blocks));
        let shared = r#""s": Make(amount: 3), "n": Measure(a: "s")"#;
        evaluating(&mut types, "Outer", &engine, shared);
        let more: String =
            (4..8).map(|i| format!(r#""s{i}": Make(amount: {i}), "n{i}": Measure(a: "s{i}"), "#)).collect();
        let graph = types.graph(BLOCK, &format!("{}{more}{shared}", measured("Outer", 1)));
        let evaluation = soon(move || run(&engine, &graph, &["1", "n", "n4", "n5", "n6", "n7"]));
        assert!(evaluation.succeeded(), "{threads} threads, {blocks} blocks");
    }
}

#[test]
fn independent_foreign_nodes_stay_within_the_budget() {
    // Alone, and together with nodes on the workers.
    for (threads, others) in [(1, true), (2, true), (8, true), (2, false), (8, false)] {
        let (types, engine) = (making(), bounded(threads, 4));
        let fill =
            |i: usize| format!(r#""f{i}": Fill(bytes: {BLOCK}, with: {i}), "m{i}": Measure(a: "f{i}"), "#);
        let make = |i: usize| format!(r#""s{i}": Make(amount: {i}), "n{i}": Measure(a: "s{i}"), "#);
        let nodes: String =
            (0..40).map(|i| make(i) + &if others { fill(i) } else { String::new() }).collect();
        let wanted = |name: char| (0..40).map(move |i| format!("{name}{i}"));
        let wanted: Vec<String> = wanted('n').chain(wanted('m').filter(|_| others)).collect();
        let graph = types.graph(BLOCK, &nodes);
        let used = engine.clone();
        let evaluation =
            soon(move || run(&used, &graph, &wanted.iter().map(String::as_str).collect::<Vec<_>>()));
        assert!(evaluation.succeeded());
        assert!(engine.peak() <= 4 * BLOCK, "{} on {threads} threads", engine.peak());
    }
}

#[test]
fn memory_reserved_by_a_foreign_node_does_not_wait_for_itself() {
    let (mut types, engine) = (Dynamics::new(), bounded(1, 1));
    let used = engine.clone();
    types.foreign::<Number, _>("Writes", 0, move |given| {
        let _aside = used.set_aside(BLOCK);
        Ok(block(given.amount))
    });
    let graph = types.graph(BLOCK, r#""w": Writes(), "m": Measure(a: "w")"#);
    assert!(soon(move || run(&engine, &graph, &["m"])).succeeded());
}
