//! A write-behind store: results are written while the nodes that read them run.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::entry::Entry;
use super::store::{Found, Record, Store};
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::panics::catch_panics;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

/// The approximate size of a result besides its values and warnings. It is counted for every result, so the
/// bound on bytes also limits the number of small results.
const RECORD: u64 = 512;

/// How often the inner store is flushed without a request. This must be rare, since a flush may check
/// everything in the store.
const FLUSH_EVERY: Duration = Duration::from_secs(10);

type Map<K, V> = HashMap<K, V, ahash::RandomState>;

/// A store with a separate writer thread. Unwritten results can already be read. Their size is bounded:
/// beyond the bound, the threads that compute results help to write them.
pub struct Behind {
    queue: Arc<Queue>,
    writer: Option<JoinHandle<()>>,
}

struct Queue {
    inner: Arc<dyn Store>,
    /// The maximum number of unwritten bytes.
    bound: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    /// The latest unwritten entry of each key, with the number of results in the queue that have this key.
    entries: Map<Key, (Entry, usize)>,
    /// Unwritten values, with the number of results that contain them.
    values: Map<ValueId, (Value, usize)>,
    bytes: u64,
    /// The number of threads that write.
    writing: usize,
    /// Whether anything was written since the last flush of the inner store.
    unflushed: bool,
    /// The number of threads that wait for a flush.
    asking: usize,
    problem: Option<String>,
    closed: bool,
}

struct Waiting {
    key: Key,
    entry: Entry,
    values: Vec<Value>,
    time: Duration,
    bytes: u64,
}

impl Behind {
    /// A write-behind store in front of `inner`, with at most about `bound` unwritten bytes.
    ///
    /// # Errors
    /// If the system cannot create a thread.
    pub fn new(inner: Arc<dyn Store>, bound: u64) -> io::Result<Self> {
        let queue = Arc::new(Queue { inner, bound, state: Mutex::default(), changed: Condvar::new() });
        let own = Arc::clone(&queue);
        let writer =
            std::thread::Builder::new().name("terrane-writer".to_owned()).spawn(move || own.run())?;
        Ok(Self { queue, writer: Some(writer) })
    }
}

impl Queue {
    /// The loop of the writer thread.
    fn run(&self) {
        let mut flushed_at = Instant::now();
        let mut state = lock(&self.state);
        loop {
            let left = FLUSH_EVERY.saturating_sub(flushed_at.elapsed());
            let is_time = left.is_zero() || state.asking > 0 || state.closed;
            if let Some(next) = state.waiting.pop_front() {
                state = self.write(state, next);
            } else if state.unflushed && state.writing == 0 && is_time {
                state.unflushed = false;
                state.writing += 1;
                drop(state);
                let flushed = catch_panics(|| self.inner.flush());
                flushed_at = Instant::now();
                state = lock(&self.state);
                state.writing -= 1;
                if let Err(panic) = flushed {
                    state.problem = Some(format!("the store of results panicked: {panic}"));
                }
                self.changed.notify_all();
            } else if state.closed {
                return;
            } else if state.unflushed && state.writing == 0 {
                let waited = self.changed.wait_timeout(state, left);
                state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
            } else {
                state = self.wait(state);
            }
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Writes a result without holding the lock.
    fn write<'a>(&'a self, mut state: MutexGuard<'a, State>, next: Waiting) -> MutexGuard<'a, State> {
        state.writing += 1;
        drop(state);
        let record = Record { key: &next.key, entry: &next.entry, values: &next.values, time: next.time };
        let written = catch_panics(|| self.inner.store(&record))
            .unwrap_or_else(|panic| Err(io::Error::other(format!("the store of results panicked: {panic}"))));
        let mut state = lock(&self.state);
        state.writing -= 1;
        state.unflushed = true;
        state.bytes -= next.bytes;
        if let Some((_, count)) = state.entries.get_mut(&next.key) {
            *count -= 1;
            if *count == 0 {
                state.entries.remove(&next.key);
            }
        }
        let kept = if next.entry.not_kept.is_none() { &*next.entry.ids } else { &[] };
        for id in kept {
            if let Some((_, count)) = state.values.get_mut(id) {
                *count -= 1;
                if *count == 0 {
                    state.values.remove(id);
                }
            }
        }
        if let Err(error) = written {
            state.problem = Some(error.to_string());
        }
        self.changed.notify_all();
        state
    }
}

impl Store for Behind {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        self.lookup_now(key).map_or_else(|| self.queue.inner.lookup(key), Found::Here)
    }

    fn lookup_now(&self, key: &Key) -> Option<Entry> {
        lock(&self.queue.state).entries.get(key).map(|(entry, _)| entry.clone())
    }

    fn contains(&self, id: &ValueId) -> bool {
        lock(&self.queue.state).values.contains_key(id) || self.queue.inner.contains(id)
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        let waiting = lock(&self.queue.state).values.get(id).map(|(value, _)| value.clone());
        waiting.map_or_else(|| self.queue.inner.load(id, kind), Found::Here)
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        let mut state = lock(&self.queue.state);
        let (waiting, count) = state.entries.entry(*record.key).or_insert_with(|| (record.entry.clone(), 0));
        if *count > 0 && waiting == record.entry {
            // The same entry is already waiting.
            return Ok(());
        }
        // If the entry of a key has changed, such as from `keep: Never` to `keep: Always`, it is written
        // again.
        waiting.clone_from(record.entry);
        *count += 1;
        let kept = if record.entry.not_kept.is_none() { record.values } else { &[] };
        for (id, value) in record.entry.ids.iter().zip(kept) {
            state.values.entry(*id).or_insert_with(|| (value.clone(), 0)).1 += 1;
        }
        let warnings: usize = record.entry.warnings.iter().map(String::len).sum();
        let bytes =
            RECORD + warnings as u64 + kept.iter().map(|value| value.heap_bytes() as u64).sum::<u64>();
        state.bytes += bytes;
        state.waiting.push_back(Waiting {
            key: *record.key,
            entry: record.entry.clone(),
            values: kept.to_vec(),
            time: record.time,
            bytes,
        });
        self.queue.changed.notify_all();
        Ok(())
    }

    fn is_full(&self) -> bool {
        lock(&self.queue.state).bytes > self.queue.bound
    }

    fn help(&self) {
        let mut state = lock(&self.queue.state);
        while state.bytes > self.queue.bound
            && let Some(next) = state.waiting.pop_front()
        {
            state = self.queue.write(state, next);
        }
    }

    fn make_room(&self) -> bool {
        let mut state = lock(&self.queue.state);
        if let Some(next) = state.waiting.pop_front() {
            let _written = self.queue.write(state, next);
            return true;
        }
        let busy = state.writing > 0;
        if busy {
            state = self.queue.wait(state);
        }
        drop(state);
        busy
    }

    fn flush(&self) {
        let mut state = lock(&self.queue.state);
        state.asking += 1;
        self.queue.changed.notify_all();
        while !state.waiting.is_empty() || state.writing > 0 || state.unflushed {
            state = self.queue.wait(state);
        }
        state.asking -= 1;
    }

    fn problem(&self) -> Option<String> {
        lock(&self.queue.state).problem.take()
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        lock(&self.queue.state).closed = true;
        self.queue.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            let _it_ended = writer.join();
        }
    }
}
