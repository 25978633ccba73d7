//! Jobs that nobody wants any more.

use terrane_flow::Outcome;
use terrane_flow::testing::{Toys, number};

use super::support::{engine, outcome, run, start, told};

const CHAIN: &str = r#""a": Take(), "w": Wait(a: "a", gate: "g"), "b": Add(a: "w")"#;

#[test]
fn a_node_that_runs_is_told_to_stop_and_its_readers_never_start() {
    let toys = Toys::default();
    let job = start(&engine(2), &toys.graph(CHAIN), &["b"]);
    toys.log.until_waiting("g", 1);
    job.cancel();
    let told = told(&job);
    let evaluation = job.wait();
    assert_eq!(toys.log.take(), ["Take 1", "Wait g stopped"]);
    assert_eq!(outcome(&evaluation, "a"), Outcome::Ran);
    assert_eq!(outcome(&evaluation, "w"), Outcome::Cancelled);
    assert_eq!(outcome(&evaluation, "b"), Outcome::Cancelled);
    assert_eq!(evaluation.outputs[0].digest, None);
    assert!(!evaluation.succeeded());
    assert_eq!(told, ["planned 3", "started a", "finished a", "started w", "cancelled w", "cancelled b"]);
}

#[test]
fn what_was_done_before_a_cancel_is_kept() {
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
fn what_another_job_wants_goes_on() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    let first = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 1);
    let second = start(&engine, &graph, &["w"]);
    // The second job has come as far as to follow once its events say that `a` is known.
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
    assert_eq!(toys.log.take(), ["Take 1", "Wait g"], "it ran once, for the job that was left");
}

#[test]
fn what_nobody_wants_any_more_stops() {
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
fn a_node_that_does_not_hear_is_waited_for_and_what_it_gave_is_kept() {
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
fn cancelling_twice_or_at_the_end_does_no_harm() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a")"#);
    let job = start(&engine, &graph, &["b"]);
    let told = told(&job);
    job.cancel();
    job.cancel();
    assert_eq!(told.last().unwrap(), "finished b");
    assert_eq!(number(&job.wait(), 0), Some(1.0));
}

#[test]
fn a_job_that_its_owner_forgot_goes_on() {
    let toys = Toys::default();
    let (engine, graph) = (engine(2), toys.graph(CHAIN));
    drop(start(&engine, &graph, &["b"]));
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(1.0));
    assert_eq!(toys.log.take(), ["Add 1", "Take 1", "Wait g"]);
}
