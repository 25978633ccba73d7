//! Stores that fail in ways that files do not, and unwritten results.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use terrane_flow::cache::{
    Behind, DiskCache, Entry, Found, Known, MemoryStore, NotKept, Reason, Record, Store,
};
use terrane_flow::testing::{Number, Toys, number};
use terrane_flow::{Digest, Engine, EngineOptions, Key, Kind, Value, ValueId};

use super::support::run;

fn with(store: Arc<dyn Store>) -> Engine {
    let options = EngineOptions { threads: 2, memory: 0, store: Some(store), ..EngineOptions::default() };
    Engine::new(options).unwrap()
}

/// Runs a function that must end.
fn soon<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(act()));
    receiver.recv_timeout(Duration::from_secs(20)).unwrap()
}

/// The action of a store on a write.
type Write = Box<dyn Fn() + Send + Sync>;

/// A store in memory with faults.
struct Disturbed {
    inner: MemoryStore,
    write: Write,
    flush: Write,
    contains: Write,
    /// Whether it claims to contain every value.
    boasts: bool,
}

impl Disturbed {
    fn new() -> Self {
        let nothing = || Box::new(|| {});
        let inner = MemoryStore::new(1 << 20);
        Self { inner, write: nothing(), flush: nothing(), contains: nothing(), boasts: false }
    }
}

impl Store for Disturbed {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        self.inner.lookup(key)
    }

    fn contains(&self, id: &ValueId) -> bool {
        (self.contains)();
        self.boasts || self.inner.contains(id)
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        if self.boasts { Found::Missing } else { self.inner.load(id, kind) }
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        (self.write)();
        self.inner.store(record)
    }

    fn flush(&self) {
        (self.flush)();
    }
}

#[test]
fn a_panicking_store_is_reported_as_a_failed_write() {
    let toys = Toys::default();
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0)"#);
    let write: fn() = || panic!("no room");
    let flush: fn() = || panic!("no sweep");
    for (store, expected) in [
        (Disturbed { write: Box::new(write), ..Disturbed::new() }, "no room"),
        (Disturbed { flush: Box::new(flush), ..Disturbed::new() }, "no sweep"),
    ] {
        let engine = with(Arc::new(store));
        assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(2.0));
        let problem = soon(move || engine.flush());
        assert!(problem.as_ref().is_some_and(|problem| problem.contains(expected)), "{problem:?}");
    }
}

#[test]
fn a_value_that_exists_but_cannot_be_loaded_is_computed_again() {
    let toys = Toys::default();
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0)"#);
    let changed = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 2.0)"#);
    let engine = with(Arc::new(Disturbed { boasts: true, ..Disturbed::new() }));
    assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(2.0));
    assert_eq!(engine.flush(), None);
    // As the input of a node, and as a wanted output.
    let numbers =
        soon(move || [number(&run(&engine, &changed, &["b"]), 0), number(&run(&engine, &graph, &["b"]), 0)]);
    assert_eq!(numbers, [Some(3.0), Some(2.0)]);
}

/// A gate that opens once.
#[derive(Default)]
struct Gate(Mutex<bool>, Condvar, AtomicUsize);

impl Gate {
    fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }

    fn pass(&self) {
        self.2.fetch_add(1, Ordering::Relaxed);
        let mut open = self.0.lock().unwrap();
        while !*open {
            open = self.1.wait(open).unwrap();
        }
    }

    fn until_a_thread_waits(&self) {
        while self.2.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
    }
}

fn key(n: u8) -> Key {
    Key(Digest([n; 32]))
}

fn id(value: &Value) -> ValueId {
    ValueId(value.digest().0)
}

fn entry(value: &Value, reason: Option<Reason>) -> Entry {
    Entry::from(Known {
        ids: std::iter::once(id(value)).collect(),
        warnings: [].into(),
        not_kept: reason.map(|reason| NotKept { node: "Toy".into(), reason }),
    })
}

fn keep(store: &dyn Store, key: &Key, value: &Value, reason: Option<Reason>) {
    let values = [value.clone()];
    let record = Record { key, entry: &entry(value, reason), values: &values, time: Duration::ZERO };
    store.store(&record).unwrap();
}

#[test]
fn lookups_in_memory_do_not_wait_for_the_disk() {
    let gate = Arc::new(Gate::default());
    let own = Arc::clone(&gate);
    let inner = Disturbed { contains: Box::new(move || own.pass()), ..Disturbed::new() };
    let behind = Arc::new(Behind::new(Arc::new(inner), 1 << 20).unwrap());
    let (asker, looker) = (Arc::clone(&behind), Arc::clone(&behind));
    let asks = std::thread::spawn(move || asker.contains(&ValueId([1; 32])));
    gate.until_a_thread_waits();
    assert_eq!(soon(move || looker.lookup_now(&key(1))), None);
    gate.open();
    assert!(!asks.join().unwrap());
}

#[test]
fn the_last_entry_of_a_key_is_stored() {
    let value = Value::new(Number(7.0));
    for reasons in [[Some(Reason::Never), None], [None, None], [None, Some(Reason::Never)]] {
        let gate = Arc::new(Gate::default());
        let own = Arc::clone(&gate);
        let inner = Arc::new(Disturbed { write: Box::new(move || own.pass()), ..Disturbed::new() });
        let behind = Behind::new(Arc::clone(&inner) as _, 1 << 20).unwrap();
        // The first is being written, and the others wait.
        keep(&behind, &key(9), &Value::new(Number(1.0)), None);
        gate.until_a_thread_waits();
        for reason in reasons {
            keep(&behind, &key(1), &value, reason);
            assert_eq!(behind.lookup_now(&key(1)), Some(entry(&value, reason)));
        }
        // The same value under two keys.
        keep(&behind, &key(2), &value, None);
        gate.open();
        behind.flush();
        assert_eq!(behind.lookup_now(&key(1)), None, "nothing is unwritten any more");
        let Found::Here(known) = behind.lookup(&key(1)) else { panic!("{reasons:?}") };
        assert_eq!(known, entry(&value, reasons[1]), "{reasons:?}");
        assert!(behind.contains(&id(&value)), "{reasons:?}");
    }
}

#[test]
fn storing_continues_while_another_process_clears_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, theirs) = (DiskCache::new(folder.path(), u64::MAX), DiskCache::new(folder.path(), u64::MAX));
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let clearing = std::thread::spawn(move || {
        while !stopped.load(Ordering::Relaxed) {
            theirs.clear().unwrap();
            std::thread::sleep(Duration::from_micros(300));
        }
    });
    for n in 0..1500u32 {
        let value = Value::new(Number(f64::from(n)));
        keep(&ours, &Key(value.digest()), &value, None);
    }
    stop.store(true, Ordering::Relaxed);
    clearing.join().unwrap();
    // Later results are kept.
    let value = Value::new(Number(-1.0));
    keep(&ours, &Key(value.digest()), &value, None);
    assert!(matches!(ours.load(&id(&value), value.kind()), Found::Here(_)));
}

#[test]
fn two_concurrent_clears_of_a_folder_succeed() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..10u32 {
        let cache = DiskCache::new(folder.path(), u64::MAX);
        for n in 0..60u32 {
            let value = Value::new(Number(f64::from(round * 100 + n)));
            keep(&cache, &Key(value.digest()), &value, None);
        }
        let clear = |folder: std::path::PathBuf| {
            std::thread::spawn(move || DiskCache::new(folder, u64::MAX).clear().map_err(|e| e.to_string()))
        };
        let both = [clear(folder.path().to_owned()), clear(folder.path().to_owned())];
        assert_eq!(both.map(|one| one.join().unwrap()), [Ok(()), Ok(())]);
    }
}

#[test]
fn a_folder_is_not_collected_after_every_result() {
    let toys = Toys::default();
    let sweeps = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&sweeps);
    let flush: Write = Box::new(move || {
        own.fetch_add(1, Ordering::Relaxed);
    });
    let engine = with(Arc::new(Disturbed { flush, ..Disturbed::new() }));
    for n in 0..20 {
        let _made = run(&engine, &toys.graph(&format!(r#""a": Take(amount: {n}.5)"#)), &["a"]);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(sweeps.load(Ordering::Relaxed) <= 2, "{sweeps:?} sweeps of the whole folder for 20 results");
    assert_eq!(engine.flush(), None);
    let swept = sweeps.load(Ordering::Relaxed);
    assert!(swept >= 1, "a flush collects");
    assert_eq!(engine.flush(), None);
    assert_eq!(sweeps.load(Ordering::Relaxed), swept, "nothing was written since then");
}
