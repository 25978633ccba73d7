//! Stores that fail in ways that files do not, and what waits to be written.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use terrane_flow::cache::{Behind, Entry, Found, MemoryStore, NotKept, Reason, Record, Store};
use terrane_flow::testing::{Number, Toys, number};
use terrane_flow::{Digest, Engine, EngineOptions, Key, Kind, Value};

use super::support::run;

fn with(store: Arc<dyn Store>) -> Engine {
    let options = EngineOptions { threads: 2, memory: 0, store: Some(store), ..EngineOptions::default() };
    Engine::new(options).unwrap()
}

/// Does something that must not take for ever.
fn soon<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || tell.send(act()));
    told.recv_timeout(Duration::from_secs(20)).unwrap()
}

/// What a store does when it is told to write.
type Write = Box<dyn Fn() + Send + Sync>;

/// A store in memory that is disturbed.
struct Disturbed {
    inner: MemoryStore,
    write: Write,
    flush: Write,
    contains: Write,
    /// Whether it says that every value is here.
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

    fn contains(&self, digest: &Digest) -> bool {
        (self.contains)();
        self.boasts || self.inner.contains(digest)
    }

    fn load(&self, digest: &Digest, kind: &Kind) -> Found<Value> {
        if self.boasts { Found::Missing } else { self.inner.load(digest, kind) }
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
fn a_store_that_panics_is_a_store_that_could_not_write() {
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
fn a_value_that_seems_to_be_there_and_cannot_be_loaded_is_made_again() {
    let toys = Toys::default();
    let graph = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 1.0)"#);
    let changed = toys.graph(r#""a": Take(), "b": Add(a: "a", b: 2.0)"#);
    let engine = with(Arc::new(Disturbed { boasts: true, ..Disturbed::new() }));
    assert_eq!(number(&run(&engine, &graph, &["b"]), 0), Some(2.0));
    assert_eq!(engine.flush(), None);
    // As a value for a reader, and as one that is wanted.
    let numbers =
        soon(move || [number(&run(&engine, &changed, &["b"]), 0), number(&run(&engine, &graph, &["b"]), 0)]);
    assert_eq!(numbers, [Some(3.0), Some(2.0)]);
}

/// Opens once.
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

    fn until_somebody_waits(&self) {
        while self.2.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
    }
}

fn key(n: u8) -> Key {
    Key(Digest([n; 32]))
}

fn entry(value: &Value, reason: Option<Reason>) -> Entry {
    Entry {
        digests: [value.digest()].into(),
        warnings: [].into(),
        not_kept: reason.map(|reason| NotKept { node: "Toy".into(), reason }),
    }
}

fn keep(store: &dyn Store, key: &Key, value: &Value, reason: Option<Reason>) {
    let values = [value.clone()];
    let record = Record { key, entry: &entry(value, reason), values: &values, time: Duration::ZERO };
    store.store(&record).unwrap();
}

#[test]
fn what_is_known_at_once_does_not_wait_for_the_disk() {
    let gate = Arc::new(Gate::default());
    let own = Arc::clone(&gate);
    let inner = Disturbed { contains: Box::new(move || own.pass()), ..Disturbed::new() };
    let behind = Arc::new(Behind::new(Arc::new(inner), 1 << 20).unwrap());
    let (asker, looker) = (Arc::clone(&behind), Arc::clone(&behind));
    let asks = std::thread::spawn(move || asker.contains(&key(1).0));
    gate.until_somebody_waits();
    assert_eq!(soon(move || looker.lookup_now(&key(1))), None);
    gate.open();
    assert!(!asks.join().unwrap());
}

#[test]
fn the_same_key_is_kept_as_it_was_said_last() {
    let value = Value::new(Number(7.0));
    for reasons in [[Some(Reason::Never), None], [None, None], [None, Some(Reason::Never)]] {
        let gate = Arc::new(Gate::default());
        let own = Arc::clone(&gate);
        let inner = Arc::new(Disturbed { write: Box::new(move || own.pass()), ..Disturbed::new() });
        let behind = Behind::new(Arc::clone(&inner) as _, 1 << 20).unwrap();
        // The first is being written, the others wait.
        keep(&behind, &key(9), &Value::new(Number(1.0)), None);
        gate.until_somebody_waits();
        for reason in reasons {
            keep(&behind, &key(1), &value, reason);
            assert_eq!(behind.lookup_now(&key(1)), Some(entry(&value, reason)));
        }
        // The same value under two keys.
        keep(&behind, &key(2), &value, None);
        gate.open();
        behind.flush();
        assert_eq!(behind.lookup_now(&key(1)), None, "nothing waits any more");
        let Found::Here(known) = behind.lookup(&key(1)) else { panic!("{reasons:?}") };
        assert_eq!(known, entry(&value, reasons[1]), "{reasons:?}");
        assert!(behind.contains(&value.digest()), "{reasons:?}");
    }
}
