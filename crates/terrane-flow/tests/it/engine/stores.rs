//! Custom stores and executors, and results that are written while dependents run.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use terrane_flow::cache::{Entry, Found, MemoryStore, Record, Store};
use terrane_flow::testing::{Toys, number, wanted};
use terrane_flow::{Engine, EngineOptions, Executor, Key, Kind, Task, Value, ValueId};

use super::support::run;

/// A store that writes only after a signal.
struct Slow {
    inner: MemoryStore,
    open: Mutex<bool>,
    changed: Condvar,
    stored: AtomicUsize,
    lookups: AtomicUsize,
}

impl Slow {
    fn new() -> Arc<Self> {
        let inner = MemoryStore::new(1 << 30);
        Arc::new(Self {
            inner,
            open: Mutex::new(false),
            changed: Condvar::new(),
            stored: AtomicUsize::new(0),
            lookups: AtomicUsize::new(0),
        })
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

impl Store for Slow {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        self.lookups.fetch_add(1, Ordering::Relaxed);
        self.inner.lookup(key)
    }

    fn contains(&self, id: &ValueId) -> bool {
        self.inner.contains(id)
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        self.inner.load(id, kind)
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        let mut open = self.open.lock().unwrap();
        while !*open {
            open = self.changed.wait(open).unwrap();
        }
        self.stored.fetch_add(1, Ordering::Relaxed);
        self.inner.store(record)
    }
}

fn with(store: Arc<dyn Store>) -> Engine {
    let options = EngineOptions { threads: 2, memory: 0, store: Some(store), ..EngineOptions::default() };
    Engine::new(options).unwrap()
}

#[test]
fn dependents_do_not_wait_for_the_disk_and_can_read_unwritten_results() {
    let toys = Toys::default();
    let store = Slow::new();
    let engine = with(Arc::clone(&store) as _);
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0), "c": Add(a: "b", b: "a")"#);
    // Nothing is written, but the job ends, and a second one finds the results of the first.
    assert_eq!(number(&run(&engine, &graph, &["c"]), 0), Some(3.0));
    let again = run(&engine, &graph, &["c", "b"]);
    assert!(again.ran().is_empty());
    assert_eq!(number(&again, 1), Some(2.0));
    assert_eq!(store.stored.load(Ordering::Relaxed), 0);
    store.open();
    assert_eq!(engine.flush(), None);
    assert_eq!(store.stored.load(Ordering::Relaxed), 3);
    let another = with(store as _);
    assert!(run(&another, &graph, &["c"]).ran().is_empty());
}

#[test]
fn a_key_found_on_disk_is_not_looked_up_there_again() {
    let toys = Toys::default();
    let store = Slow::new();
    store.open();
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0)"#);
    let _made = run(&with(Arc::clone(&store) as _), &graph, &["b"]);
    let engine = with(Arc::clone(&store) as _);
    assert!(run(&engine, &graph, &["b"]).ran().is_empty());
    let once = store.lookups.load(Ordering::Relaxed);
    // Jobs without a common session, as in a sweep.
    for _ in 0..3 {
        assert!(run(&engine, &graph, &["b"]).ran().is_empty());
    }
    assert_eq!(store.lookups.load(Ordering::Relaxed), once);
}

#[test]
fn dropping_an_engine_writes_everything() {
    let toys = Toys::default();
    let store = Slow::new();
    let engine = with(Arc::clone(&store) as _);
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0)"#);
    let _made = run(&engine, &graph, &["b"]);
    let opener = Arc::clone(&store);
    let later = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        opener.open();
    });
    drop(engine);
    assert_eq!(store.stored.load(Ordering::Relaxed), 2);
    later.join().unwrap();
}

#[test]
fn unwritten_results_are_bounded() {
    let toys = Toys::default();
    let store = Slow::new();
    let engine = with(Arc::clone(&store) as _);
    // 40 values of 16 MB exceed the bound, so the threads that compute them must write some themselves.
    let nodes: Vec<String> = (0..40)
        .map(|i| format!(r#""f{i}": Fill(bytes: 16000000, with: {i}), "m{i}": Measure(a: "f{i}")"#))
        .collect();
    let graph = toys.graph(&nodes.join(", "));
    let names: Vec<String> = (0..40).map(|i| format!("m{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let job = engine.start(&graph, wanted(&names)).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let made = toys.log.take().iter().filter(|line| line.starts_with("Fill")).count();
    // The bound is 16 MiB, and each of the two threads may exceed it by one value.
    store.open();
    assert!(job.wait().succeeded());
    assert!(made <= 20, "{made} values of 16 MB were computed though none was written");
}

#[test]
fn recomputed_content_counts_as_used() {
    let folder = tempfile::tempdir().unwrap();
    let toys = Toys::default();
    let objects = || {
        let folders = std::fs::read_dir(folder.path().join("objects-3")).unwrap();
        let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
        files.map(|file| file.unwrap().path()).collect::<Vec<_>>()
    };
    let four = toys.graph(r#""t": Take(amount: 4.0)"#);
    assert!(run(&super::support::on_disk(folder.path()), &four, &["t"]).succeeded());
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    let before = objects();
    for object in &before {
        std::fs::File::options().append(true).open(object).unwrap().set_modified(long_ago).unwrap();
    }
    let again = toys.graph(r#""t": Take(amount: 4.5), "f": Floor(a: "t")"#);
    assert!(run(&super::support::on_disk(folder.path()), &again, &["f.whole"]).succeeded());
    let is_old = |object: &std::path::PathBuf| object.metadata().unwrap().modified().unwrap() == long_ago;
    assert!(!before.iter().all(is_old), "4 was computed again");
}

#[test]
fn warnings_are_stored_with_results_and_reported_again() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(r#""w": Warn(message: "mind \"the\" gap"), "b": Add(a: "w")"#);
    let engine = super::support::on_disk(folder.path());
    let expected = ["w: mind \"the\" gap"];
    assert_eq!(run(&engine, &graph, &["b"]).warnings, expected);
    assert_eq!(run(&engine, &graph, &["b"]).warnings, expected);
    drop(engine);
    let again = run(&super::support::on_disk(folder.path()), &graph, &["b"]);
    assert!(again.ran().is_empty());
    assert_eq!(again.warnings, expected);
}

/// An executor that runs tasks on one thread in a random order.
struct Shuffled {
    tasks: Mutex<(VecDeque<Task>, StdRng)>,
}

impl Executor for Shuffled {
    fn spawn(&self, task: Task) {
        self.tasks.lock().unwrap().0.push_back(task);
    }
}

impl Shuffled {
    /// Runs all tasks.
    fn run(&self) {
        loop {
            let task = {
                let (tasks, random) = &mut *self.tasks.lock().unwrap();
                if tasks.is_empty() {
                    return;
                }
                let at = random.random_range(..tasks.len());
                tasks.swap_remove_back(at)
            };
            task.unwrap()();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn results_do_not_depend_on_the_order_of_nodes(seed: u64, cancelled in proptest::option::of(0usize..3)) {
        let toys = Toys::default();
        let tasks = Mutex::new((VecDeque::new(), StdRng::seed_from_u64(seed)));
        let executor = Arc::new(Shuffled { tasks });
        let shared = Arc::clone(&executor) as _;
        let options = EngineOptions { executor: Some(shared), ..EngineOptions::default() };
        let engine = Engine::new(options).unwrap();
        let nodes: Vec<String> = (0..12)
            .map(|i| match i {
                0 | 1 => format!(r#""n{i}": Take(amount: {i}.5)"#),
                5 => r#""n5": Floor(a: "n4")"#.to_owned(),
                _ => {
                    let output = match i / 2 {
                        0 | 1 => "twice",
                        5 => "whole",
                        _ => "rest",
                    };
                    format!(r#""n{i}": Add(a: "n{}", b: "n{}.{output}")"#, i - 1, i / 2)
                }
            })
            .collect();
        let graph = toys.graph(&nodes.join(", "));
        let expected = {
            let evaluation = run(&super::support::engine(2), &graph, &["n11", "n10"]);
            [number(&evaluation, 0), number(&evaluation, 1)]
        };
        let jobs: Vec<_> = (0..3).map(|_| engine.start(&graph, wanted(&["n11", "n10"])).unwrap()).collect();
        if let Some(at) = cancelled {
            jobs[at].cancel();
        }
        executor.run();
        for (at, job) in jobs.into_iter().enumerate() {
            let evaluation = job.wait();
            if cancelled != Some(at) {
                prop_assert_eq!([number(&evaluation, 0), number(&evaluation, 1)], expected);
            }
        }
    }
}
