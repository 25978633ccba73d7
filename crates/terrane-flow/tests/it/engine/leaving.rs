//! Jobs that are cancelled while others start, and cancels between two steps.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use terrane_flow::cache::{Entry, Found, MemoryStore, Record, Store};
use terrane_flow::testing::{Toys, number, wanted};
use terrane_flow::{Canceller, Engine, EngineOptions, Evaluation, Job, Key, Kind, Outcome, Value, ValueId};

use super::support::{engine, outcome, run, start};

/// Waits for the end of a job, with a time limit.
fn end(job: Job) -> Evaluation {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(job.wait()));
    receiver.recv_timeout(Duration::from_secs(20)).unwrap()
}

#[test]
fn a_follower_of_a_cancelled_computation_ends_when_another_job_restarts_it() {
    let toys = Toys::default();
    let engine = engine(3);
    let graph = toys.graph(r#""w": Wait(gate: "g", deaf: true)"#);
    let first = start(&engine, &graph, &["w"]);
    toys.log.until_waiting("g", 1);
    let second = start(&engine, &graph, &["w"]);
    // The second job can only follow.
    std::thread::sleep(Duration::from_millis(100));
    first.cancel();
    second.cancel();
    let third = start(&engine, &graph, &["w"]);
    toys.log.until_waiting("g", 2);
    toys.log.open("g");
    let _first = end(first);
    assert_ne!(outcome(&end(second), "w"), Outcome::Ran);
    assert_eq!(outcome(&end(third), "w"), Outcome::Ran);
}

/// A store that cancels a job during a lookup.
struct Cancelling {
    inner: MemoryStore,
    lookups: AtomicUsize,
    at: usize,
    job: OnceLock<Canceller>,
}

impl Store for Cancelling {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        if self.lookups.fetch_add(1, Ordering::Relaxed) == self.at {
            self.job.wait().cancel();
        }
        self.inner.lookup(key)
    }

    fn contains(&self, id: &ValueId) -> bool {
        self.inner.contains(id)
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        self.inner.load(id, kind)
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        self.inner.store(record)
    }
}

#[test]
fn a_cancel_just_before_a_node_runs_takes_effect() {
    let toys = Toys::default();
    // The first lookup is for `a`, before anything runs; the next is for `w`, when `a` is done.
    let store = Arc::new(Cancelling {
        inner: MemoryStore::new(0),
        lookups: AtomicUsize::new(0),
        at: 1,
        job: OnceLock::new(),
    });
    let options =
        EngineOptions { threads: 2, store: Some(Arc::clone(&store) as _), ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    let graph = toys.graph(r#""a": Take(), "w": Wait(a: "a", gate: "g")"#);
    let job = engine.start(&graph, wanted(&["w"])).unwrap();
    let _first = store.job.set(job.canceller());
    let log = toys.log.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        log.open("g");
    });
    assert_eq!(outcome(&end(job), "w"), Outcome::Cancelled);
}

#[test]
fn a_session_keeps_computations_that_a_cancelled_job_shares() {
    let toys = Toys::default();
    // Without values in memory, known nodes run again if their values are wanted.
    let options = EngineOptions { threads: 2, memory: 0, ..EngineOptions::default() };
    let session = Engine::new(options).unwrap().session();
    let graph = |gate: &str| toys.graph(&format!(r#""w": Wait(gate: "g"), "b": Add(a: "w", b: {gate})"#));
    let first = session.start(&graph("1.0"), wanted(&["b"])).unwrap();
    toys.log.until_waiting("g", 1);
    toys.log.open("g");
    assert!(end(first).succeeded());
    let _before = toys.log.take();
    toys.log.close("g");
    let old = session.start(&graph("2.0"), wanted(&["b"])).unwrap();
    toys.log.until_waiting("g", 1);
    // No thread is free for the new job until the old one is cancelled.
    let other = session.engine().start(&toys.graph(r#""h": Wait(gate: "h")"#), wanted(&["h"])).unwrap();
    toys.log.until_waiting("h", 1);
    let new = session.start(&graph("3.0"), wanted(&["b"])).unwrap();
    old.cancel();
    toys.log.open("h");
    assert!(end(other).succeeded());
    std::thread::sleep(Duration::from_millis(100));
    toys.log.open("g");
    let _old = end(old);
    assert_eq!(number(&end(new), 0), Some(3.0));
    assert_eq!(toys.log.take(), ["Add 3", "Wait g", "Wait h"], "shared nodes were not started twice");
}

#[test]
fn a_dependent_that_need_not_run_releases_its_inputs() {
    let toys = Toys::default();
    // Numbers fit into the cache, blocks do not.
    let engine = Engine::new(EngineOptions { threads: 1, memory: 1000, ..EngineOptions::default() }).unwrap();
    let one =
        toys.graph(r#""f": Fill(bytes: 5000, with: 3), "x": Cover(a: "f", with: 7), "m": Measure(a: "x")"#);
    let _made = run(&engine, &one, &["m"]);
    let _before = toys.log.take();
    // `x` has an unchanged result, so `m` is known. Then `p` is the only remaining reader of `x`.
    let two = toys.graph(
        r#""f": Fill(bytes: 5000, with: 4), "x": Cover(a: "f", with: 7), "m": Measure(a: "x"),
            "p": Paint(a: "x", with: 8)"#,
    );
    let again = run(&engine, &two, &["m", "p"]);
    assert_eq!(again.ran(), ["f", "x", "p"]);
    assert_eq!(toys.log.take(), ["Cover 7 in place", "Fill 4", "Paint 8 in place"]);
}
