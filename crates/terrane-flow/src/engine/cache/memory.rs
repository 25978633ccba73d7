//! A bounded cache in memory. It first evicts values that have not been used for long and that took little
//! time per byte to compute.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use super::entry::{Entry, Reason};
use super::store::{Found, Record, Store};
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

type Map<K, V> = HashMap<K, V, ahash::RandomState>;

/// The maximum number of keys. Each takes about 150 bytes.
const MAX_KEYS: usize = 1 << 20;

/// The maximum number of values, whatever their size. It bounds the number of empty values too.
const MAX_VALUES: usize = 1 << 18;

/// A bounded table of values and an index of keys.
///
/// Values are evicted in order of priority, lowest first, by the GreedyDual-Size rule (Cao and Irani 1997). A
/// value's worth is its computation time per byte. Whenever the value is used, its priority becomes its worth
/// plus the priority of the last evicted value. So values that are not used age.
#[derive(Debug)]
pub struct MemoryCache {
    capacity: u64,
    used: u64,
    /// The priority of the last evicted value.
    clock: u64,
    /// The stamp of the last use of any value.
    stamp: u64,
    values: Map<ValueId, Kept>,
    /// The values by priority and stamp, lowest first. The stamps are distinct, and break ties by age.
    order: BTreeMap<(u64, u64), ValueId>,
    index: Map<Key, Entry>,
    /// Whether keys are stored. If they are never looked up, they would only fill the memory.
    remembers: bool,
}

#[derive(Debug)]
struct Kept {
    value: Value,
    bytes: u64,
    /// Whether computing the value is about as fast as reading it.
    cheap: bool,
    worth: u64,
    /// Its priority and its stamp.
    place: (u64, u64),
}

impl MemoryCache {
    /// An empty cache for values of at most `capacity` bytes in total.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self {
            capacity,
            used: 0,
            clock: 0,
            stamp: 0,
            values: Map::default(),
            order: BTreeMap::new(),
            index: Map::default(),
            remembers: true,
        }
    }

    /// The entry of a key.
    #[must_use]
    pub fn lookup(&self, key: &Key) -> Option<&Entry> {
        self.index.get(key)
    }

    /// Stores the entry of a key.
    pub fn record(&mut self, key: Key, entry: Entry) {
        if !self.remembers {
            return;
        }
        if self.index.len() >= MAX_KEYS {
            // The whole index is cleared, since the age of keys is not tracked. This is rare, and costs only
            // recomputation or disk access.
            self.index.clear();
        }
        self.index.insert(key, entry);
    }

    /// Whether a value is in the cache.
    #[must_use]
    pub fn contains(&self, id: &ValueId) -> bool {
        self.values.contains_key(id)
    }

    /// A value. It is marked as used.
    pub fn get(&mut self, id: &ValueId) -> Option<Value> {
        self.stamp += 1;
        let place_stamp = self.stamp;
        let kept = self.values.get_mut(id)?;
        self.order.remove(&kept.place);
        kept.place = (self.clock.saturating_add(kept.worth), place_stamp);
        self.order.insert(kept.place, *id);
        Some(kept.value.clone())
    }

    /// Stores a value that took `time` to compute, if it fits. Returns the evicted values.
    pub fn keep(&mut self, id: ValueId, value: &Value, time: Duration, cheap: bool) -> Vec<Value> {
        let bytes = value.heap_bytes() as u64 + 64;
        if bytes > self.capacity || self.values.contains_key(&id) {
            return Vec::new();
        }
        let mut gone = Vec::new();
        while self.used + bytes > self.capacity || self.values.len() >= MAX_VALUES {
            let Some(evicted) = self.evict() else { break };
            gone.push(evicted);
        }
        self.stamp += 1;
        // The worth is in nanoseconds per KiB, as an integer of at least 1. Integers are exact and ordered.
        let worth = ((time.as_nanos() as u64).saturating_mul(1024) / bytes).max(1);
        let place = (self.clock.saturating_add(worth), self.stamp);
        self.order.insert(place, id);
        self.values.insert(id, Kept { value: value.clone(), bytes, cheap, worth, place });
        self.used += bytes;
        gone
    }

    /// Removes the value with the lowest priority.
    pub fn evict(&mut self) -> Option<Value> {
        let (place, evicted) = self.order.pop_first()?;
        self.clock = place.0;
        let kept = self.values.remove(&evicted)?;
        self.used -= kept.bytes;
        Some(kept.value)
    }

    /// Removes a value; with `only_cheap`, only if it is cheap to compute.
    pub fn remove(&mut self, id: &ValueId, only_cheap: bool) -> Option<Value> {
        if !self.values.get(id)?.cheap && only_cheap {
            return None;
        }
        let kept = self.values.remove(id)?;
        self.order.remove(&kept.place);
        self.used -= kept.bytes;
        Some(kept.value)
    }

    /// Bytes of values held.
    #[must_use]
    pub const fn used(&self) -> u64 {
        self.used
    }
}

/// A store in memory.
#[derive(Debug)]
pub struct MemoryStore(Mutex<MemoryCache>);

impl MemoryStore {
    /// A store for values of at most `capacity` bytes in total.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self(Mutex::new(MemoryCache::new(capacity)))
    }

    /// A store that keeps no keys, for an engine that never looks them up.
    #[must_use]
    pub fn without_keys(capacity: u64) -> Self {
        Self(Mutex::new(MemoryCache { remembers: false, ..MemoryCache::new(capacity) }))
    }

    /// Bytes of values held.
    #[must_use]
    pub fn used(&self) -> u64 {
        lock(&self.0).used()
    }
}

impl Store for MemoryStore {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        self.lookup_now(key).map_or(Found::Missing, Found::Here)
    }

    fn lookup_now(&self, key: &Key) -> Option<Entry> {
        lock(&self.0).lookup(key).cloned()
    }

    fn note(&self, key: &Key, entry: &Entry) {
        lock(&self.0).record(*key, entry.clone());
    }

    fn contains(&self, id: &ValueId) -> bool {
        lock(&self.0).contains(id)
    }

    fn load(&self, id: &ValueId, _: &Kind) -> Found<Value> {
        lock(&self.0).get(id).map_or(Found::Missing, Found::Here)
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        let mut cache = lock(&self.0);
        cache.record(*record.key, record.entry.clone());
        let cheap = record.entry.not_kept.as_ref().is_some_and(|not_kept| not_kept.reason == Reason::Cheap);
        let values = record.entry.ids.iter().zip(record.values);
        let gone: Vec<Vec<Value>> =
            values.map(|(id, value)| cache.keep(*id, value, record.time, cheap)).collect();
        // Values are dropped after the lock is released, because dropping a value updates the memory budget.
        drop(cache);
        drop(gone);
        Ok(())
    }

    fn make_room(&self) -> bool {
        let evicted = lock(&self.0).evict();
        evicted.is_some()
    }

    fn let_go(&self, id: &ValueId) {
        let _dropped_without_the_lock = lock(&self.0).remove(id, true);
    }

    fn forget(&self, id: &ValueId) {
        let _dropped_without_the_lock = lock(&self.0).remove(id, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::value::Data;

    struct Bytes(Vec<u8>);

    impl Data for Bytes {
        const KIND: &'static str = "bytes";
        fn encode(&self, out: &mut dyn io::Write) -> io::Result<()> {
            out.write_all(&self.0)
        }
        fn decode(bytes: &[u8]) -> io::Result<Self> {
            Ok(Self(bytes.to_vec()))
        }
        fn heap_bytes(&self) -> usize {
            self.0.len()
        }
    }

    fn value(n: u8) -> (ValueId, Value) {
        let value = Value::new(Bytes(vec![n; 936]));
        (ValueId(value.digest().0), value)
    }

    #[test]
    fn the_cheapest_value_is_evicted_first_and_the_bound_holds() {
        let mut cache = MemoryCache::new(2500);
        let values: Vec<_> = (0..3).map(value).collect();
        for ((id, value), millis) in values.iter().zip([50, 1, 50]) {
            let _gone = cache.keep(*id, value, Duration::from_millis(millis), false);
            assert!(cache.used() <= 2500);
        }
        assert!(cache.contains(&values[0].0) && cache.contains(&values[2].0));
        assert!(!cache.contains(&values[1].0), "the value that took 1 ms is evicted");
    }

    #[test]
    fn unused_values_age() {
        let mut cache = MemoryCache::new(2000);
        let (old, precious) = value(0);
        let _gone = cache.keep(old, &precious, Duration::from_millis(20), false);
        for n in 1..60 {
            let (id, value) = value(n);
            let _gone = cache.keep(id, &value, Duration::from_millis(1), false);
        }
        assert!(!cache.contains(&old), "an unused value is evicted eventually");
    }

    #[test]
    fn a_value_larger_than_the_cache_is_not_kept() {
        let mut cache = MemoryCache::new(500);
        let (id, value) = value(1);
        let _gone = cache.keep(id, &value, Duration::from_secs(1), false);
        assert!(!cache.contains(&id));
        assert_eq!(cache.used(), 0);
    }
}
