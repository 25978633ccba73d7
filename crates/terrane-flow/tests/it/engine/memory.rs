//! Values in memory: their holders and lifetime.

use std::sync::Arc;

use terrane_flow::testing::{Block, Toys};
use terrane_flow::{Engine, EngineOptions, Evaluation, Loaded};

use super::support::run;

fn holding(memory: u64) -> Engine {
    Engine::new(EngineOptions { threads: 1, memory, ..EngineOptions::default() }).unwrap()
}

fn block(evaluation: &Evaluation, at: usize) -> Vec<u8> {
    evaluation.outputs[at].value.as_ref().unwrap().get::<Block>().unwrap().0.clone()
}

fn paints(toys: &Toys) -> Arc<Loaded> {
    toys.graph(r#""a": Fill(bytes: 5000), "b": Paint(a: "a", with: 1), "c": Paint(a: "b", with: 2)"#)
}

#[test]
fn the_last_reader_edits_in_place() {
    let toys = Toys::default();
    let evaluation = run(&holding(0), &paints(&toys), &["c"]);
    assert_eq!(block(&evaluation, 0), vec![2; 5000]);
    assert_eq!(toys.log.take(), ["Fill 0", "Paint 1 in place", "Paint 2 in place"]);
}

#[test]
fn a_value_with_another_reader_is_copied() {
    let toys = Toys::default();
    let graph = toys.graph(r#""a": Fill(), "b": Paint(a: "a", with: 1), "c": Paint(a: "a", with: 2)"#);
    let evaluation = run(&holding(0), &graph, &["a", "b", "c"]);
    assert_eq!([block(&evaluation, 0)[0], block(&evaluation, 1)[0], block(&evaluation, 2)[0]], [0, 1, 2]);
    assert_eq!(toys.log.take(), ["Fill 0", "Paint 1 in a copy", "Paint 2 in a copy"]);
    // `a` itself is not wanted, so one of its two readers is the last.
    let evaluation = run(&holding(0), &graph, &["b", "c"]);
    assert_eq!([block(&evaluation, 0)[0], block(&evaluation, 1)[0]], [1, 2]);
    let log = toys.log.take();
    assert_eq!(log.iter().filter(|line| line.ends_with("in place")).count(), 1, "{log:?}");
}

#[test]
fn cached_values_stay_within_the_bound() {
    let toys = Toys::default();
    let engine = holding(12_000);
    for amount in 0..40 {
        let graph = toys.graph(&format!(
            r#""a": Fill(bytes: 5000, with: {amount}), "b": Paint(a: "a", with: 7), "m": Measure(a: "b")"#
        ));
        let _evaluation = run(&engine, &graph, &["m"]);
        assert!(engine.memory_used() <= 12_000, "{}", engine.memory_used());
    }
    let graph = toys.graph(r#""a": Fill(bytes: 50000), "m": Measure(a: "a")"#);
    let _evaluation = run(&engine, &graph, &["a", "m"]);
    assert!(engine.memory_used() <= 12_000, "a value larger than the bound is not kept");
}

#[test]
fn evicted_values_are_computed_again_when_needed() {
    let toys = Toys::default();
    // There is memory for one block, so the last one computed is kept, whatever time others took.
    let engine = holding(6_000);
    let first = toys.graph(r#""a": Fill(bytes: 5000, with: 9), "b": Paint(a: "a", with: 1)"#);
    let _made = run(&engine, &first, &["b"]);
    let _evicts = run(&engine, &toys.graph(r#""a": Fill(bytes: 5000, with: 3)"#), &["a"]);
    let _log = toys.log.take();
    let evaluation = run(&engine, &first, &["b"]);
    assert_eq!(block(&evaluation, 0), vec![1; 5000]);
    assert_eq!(toys.log.take(), ["Fill 9", "Paint 1 in a copy"]);
}

#[test]
fn an_evaluation_holds_only_the_wanted_values() {
    let toys = Toys::default();
    let engine = holding(0);
    let evaluation = run(&engine, &paints(&toys), &["b"]);
    assert_eq!(evaluation.outputs.len(), 1);
    assert_eq!(block(&evaluation, 0), vec![1; 5000]);
    assert_eq!(engine.memory_used(), 0);
    let bytes: Vec<u64> = evaluation.nodes.iter().map(|node| node.bytes).collect();
    assert_eq!(bytes, [5000, 5000], "the bytes of each node are reported");
}
