//! The same key is computed once, within a job and across jobs.

use std::sync::Arc;

use terrane_flow::testing::{Toys, number};
use terrane_flow::{NodeError, Outcome};

use super::support::{chain, engine, on_disk, outcome, run, start};

#[test]
fn nodes_with_the_same_key_run_once_in_a_job() {
    let toys = Toys::default();
    let graph = toys.graph(
        r#""w": Wait(gate: "g"), "x": Wait(gate: "g"), "a": Add(a: "w", b: 1.0), "b": Add(a: "x", b: 1.0),
        "sum": Add(a: "a", b: "b")"#,
    );
    let job = start(&engine(4), &graph, &["sum"]);
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    let evaluation = job.wait();
    assert_eq!(number(&evaluation, 0), Some(2.0));
    assert_eq!(toys.log.take(), ["Add 1", "Add 2", "Wait g"]);
    let of = |name| outcome(&evaluation, name);
    assert_eq!([of("w"), of("x")].iter().filter(|outcome| **outcome == Outcome::Ran).count(), 1);
    assert!(evaluation.succeeded());
}

#[test]
fn sixteen_jobs_of_one_graph_run_each_node_once() {
    let toys = Toys::default();
    let engine = engine(4);
    let graph = toys.graph(r#""a": Take(), "w": Wait(a: "a", gate: "g"), "b": Add(a: "w", b: 2.0)"#);
    let jobs: Vec<_> = (0..16).map(|_| start(&engine, &graph, &["b"])).collect();
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    for job in jobs {
        assert_eq!(number(&job.wait(), 0), Some(3.0));
    }
    assert_eq!(toys.log.take(), ["Add 3", "Take 1", "Wait g"]);
}

#[test]
fn followers_of_a_failed_computation_get_the_same_error() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""w": Wait(gate: "g"), "f": Fail(a: "w")"#);
    let jobs = [start(&engine, &graph, &["f"]), start(&engine, &graph, &["f"])];
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    for job in jobs {
        let failed = Outcome::Failed(NodeError::failed("it fails", "take another node"));
        assert_eq!(outcome(&job.wait(), "f"), failed);
    }
}

#[test]
fn a_cancelled_computation_is_not_followed() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""w": Wait(gate: "g", deaf: true), "b": Add(a: "w", b: 1.0)"#);
    let first = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 1);
    first.cancel();
    // The first has not ended yet. A job that needs the result now starts it again.
    let second = start(&engine, &graph, &["b"]);
    toys.log.until_waiting("g", 2);
    toys.log.open("g");
    assert_eq!(number(&second.wait(), 0), Some(1.0));
    assert_eq!(outcome(&first.wait(), "b"), Outcome::Cancelled);
    assert_eq!(toys.log.take(), ["Add 1", "Wait g", "Wait g"]);
}

#[test]
fn a_second_engine_on_the_same_folder_runs_nothing() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 2.0)"#);
    assert_eq!(run(&on_disk(folder.path()), &graph, &["b"]).ran(), ["a", "b"]);
    let evaluation = run(&on_disk(folder.path()), &graph, &["b"]);
    assert!(evaluation.ran().is_empty());
    assert_eq!(number(&evaluation, 0), Some(3.0));
    assert_eq!(toys.log.take(), ["Add 3", "Take 1"]);
}

#[test]
fn engines_sharing_a_folder_agree() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let nodes: Vec<String> = (0..40)
        .map(|i| format!(r#""a{i}": Take(amount: {i}.0), "b{i}": Add(a: "a{i}", b: "a{i}.twice")"#))
        .collect();
    let graph = toys.graph(&nodes.join(", "));
    let names: Vec<String> = (0..40).map(|i| format!("b{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let expected: Vec<_> = (0..40).map(|i| Some(3.0 * f64::from(i))).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let evaluation = run(&on_disk(folder.path()), &graph, &names);
                let numbers: Vec<_> = (0..40).map(|at| number(&evaluation, at)).collect();
                assert_eq!(numbers, expected);
            });
        }
    });
    let disk = terrane_flow::cache::DiskCache::new(folder.path(), 1 << 20);
    assert!(disk.verify().is_empty());
    assert_eq!(disk.usage().temporaries, 0);
}

/// Many jobs on random parts of one graph, some of them cancelled. The others have the correct numbers.
#[test]
fn concurrent_jobs_and_cancels_are_independent() {
    let toys = Toys::default();
    let engine = engine(4);
    let graph = toys.graph(&chain(30));
    for round in 0..60_usize {
        // Another seed changes the key of the only node with a seed; early cutoff stops at the sums.
        let mut changed = (*graph).clone();
        changed.graph.seed = round as u64 / 4 * 1000;
        let changed = Arc::new(changed);
        let jobs: Vec<_> = (0..6)
            .map(|at| {
                let node = (round * 7 + at * 5) % 30;
                (node, start(&engine, &changed, &[&format!("n{node}")]))
            })
            .collect();
        for (at, (node, job)) in jobs.into_iter().enumerate() {
            if (round + at) % 3 == 0 {
                job.cancel();
                let evaluation = job.wait();
                assert!(number(&evaluation, 0).is_none_or(|number| number == 1.0 + node as f64));
            } else {
                assert_eq!(number(&job.wait(), 0), Some(1.0 + node as f64), "round {round}");
            }
        }
    }
}
