//! Cancelled jobs.

use terrane_flow::Outcome;
use terrane_flow::testing::{Toys, number};

use super::support::{engine, events, outcome, run, start};

const CHAIN: &str = r#""a": Take(), "w": Wait(a: "a", gate: "g"), "b": Add(a: "w")"#;

#[test]
fn a_running_node_is_cancelled_and_its_dependents_never_start() {
    let toys = Toys::default();
    let job = start(&engine(2), &toys.graph(CHAIN), &["b"]);
    toys.log.until_waiting("g", 1);
    job.cancel();
    let events = events(&job);
    let evaluation = job.wait();
    assert_eq!(toys.log.take(), ["Take 1", "Wait g stopped"]);
    assert_eq!(outcome(&evaluation, "a"), Outcome::Ran);
    assert_eq!(outcome(&evaluation, "w"), Outcome::Cancelled);
    assert_eq!(outcome(&evaluation, "b"), Outcome::Cancelled);
    assert_eq!(evaluation.outputs[0].id, None);
    assert!(!evaluation.succeeded());
    assert_eq!(events, ["planned 3", "started a", "finished a", "started w", "cancelled w", "cancelled b"]);
}

#[test]
fn results_before_a_cancel_are_kept() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    let job = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 1);
    job.cancel();
    let _cancelled = job.wait();
    toys.log.open("g");
    let _before = toys.log.take();
    let evaluation = run(&engine, &graph, &["b"]);
    assert_eq!(evaluation.ran(), ["w", "b"]);
    assert_eq!(toys.log.take(), ["Add 1", "Wait g"]);
    assert_eq!(number(&evaluation, 0), Some(1.0));
}

#[test]
fn a_job_that_is_cancelled_before_a_thread_is_free_starts_nothing() {
    let toys = Toys::default();
    let engine = engine(1);
    let first = start(&engine, &toys.graph(CHAIN), &["b"]);
    toys.log.until_waiting("g", 1);
    let second = start(&engine, &toys.graph(r#""c": Take(amount: 7.0), "d": Add(a: "c")"#), &["d"]);
    second.canceller().cancel();
    toys.log.open("g");
    assert_eq!(number(&first.wait(), 0), Some(1.0));
    let evaluation = second.wait();
    assert_eq!(outcome(&evaluation, "c"), Outcome::Cancelled);
    assert_eq!(outcome(&evaluation, "d"), Outcome::Cancelled);
    assert_eq!(toys.log.take(), ["Add 1", "Take 1", "Wait g"]);
}

#[test]
fn nodes_that_another_job_needs_continue() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    let first = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 1);
    let second = start(&engine, &graph, &["w"]);
    // The second job follows when its events report that `a` is known.
    assert!(second.events().iter().any(|event| format!("{event:?}").contains("Cached")));
    while !first.events().is_empty() {
        let _heard = first.events().recv();
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    first.cancel();
    toys.log.open("g");
    let (first, second) = (first.wait(), second.wait());
    assert_eq!(number(&second, 0), Some(1.0));
    assert_eq!(outcome(&first, "b"), Outcome::Cancelled);
    assert_eq!(toys.log.take(), ["Take 1", "Wait g"], "it ran once, for the remaining job");
}

#[test]
fn nodes_that_no_job_needs_stop() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    let jobs: Vec<_> = (0..3).map(|_| start(&engine, &graph, &["w"])).collect();
    toys.log.until_waiting("g", 1);
    for job in &jobs {
        job.cancel();
    }
    for job in jobs {
        assert_eq!(outcome(&job.wait(), "w"), Outcome::Cancelled);
    }
    assert_eq!(toys.log.take(), ["Take 1", "Wait g stopped"]);
}

#[test]
fn a_node_that_ignores_cancellation_is_awaited_and_its_result_is_kept() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""w": Wait(gate: "g", deaf: true), "b": Add(a: "w")"#);
    let job = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 1);
    job.cancel();
    toys.log.open("g");
    let evaluation = job.wait();
    assert_eq!(outcome(&evaluation, "w"), Outcome::Ran);
    assert_eq!(outcome(&evaluation, "b"), Outcome::Cancelled);
    assert_eq!(run(&engine, &graph, &["b"]).ran(), ["b"]);
}

#[test]
fn cancelling_twice_or_at_the_end_is_harmless() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a")"#);
    let job = start(&engine, &graph, &["b"]);
    let events = events(&job);
    job.cancel();
    job.cancel();
    assert_eq!(events.last().unwrap(), "finished b");
    assert_eq!(number(&job.wait(), 0), Some(1.0));
}

#[test]
fn a_job_dropped_by_its_owner_continues() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    drop(start(&engine, &graph, &["b"]));
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(1.0));
    assert_eq!(toys.log.take(), ["Add 1", "Take 1", "Wait g"]);
}
