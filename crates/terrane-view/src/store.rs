//! Caches for pages: recently shown values, and pictures of values. Both have a maximum size in bytes.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock};

use axum::body::Bytes;
use lru::LruCache;
use terrane_flow::{Value, ValueId, lock};
use terrane_grid::Heightmap;
use terrane_kernels::metric::{Statistics, statistics};

use crate::style::Scale;

/// Maximum size of pictures and thumbnails in bytes.
const BLOBS: usize = 96 << 20;

/// Values by their identities, and pictures of them.
pub struct Store {
    values: Mutex<Bounded<ValueId, Arc<Held>>>,
    blobs: Mutex<Bounded<String, Blob>>,
}

/// A value with its statistics.
pub struct Held {
    /// The value.
    pub value: Value,
    numbers: OnceLock<Statistics>,
}

/// Bytes with their media type.
#[derive(Clone)]
pub struct Blob {
    /// The media type.
    pub media: &'static str,
    /// The bytes.
    pub bytes: Bytes,
}

impl Held {
    /// Wraps a value that is not kept; [`Store::keep`] keeps it.
    #[must_use]
    pub fn new(value: &Value) -> Arc<Self> {
        Arc::new(Self { value: value.clone(), numbers: OnceLock::new() })
    }

    /// Statistics of a map's samples.
    pub fn statistics(&self, map: &Heightmap) -> Statistics {
        *self.numbers.get_or_init(|| statistics(map))
    }

    /// The scale of a map's pictures.
    pub fn scale(&self, map: &Heightmap) -> Scale {
        let numbers = self.statistics(map);
        Scale::new(numbers.min, numbers.max, map.domain().extent())
    }
}

impl Store {
    /// Creates a store of this many bytes. Up to a quarter is for pictures, the rest for values.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let blobs = BLOBS.min(bytes / 4);
        Self { values: Mutex::new(Bounded::new(bytes - blobs)), blobs: Mutex::new(Bounded::new(blobs)) }
    }

    /// A value by its identity.
    pub fn value(&self, id: &ValueId) -> Option<Arc<Held>> {
        lock(&self.values).get(id)
    }

    /// Keeps a value.
    pub fn keep(&self, id: ValueId, value: &Value) -> Arc<Held> {
        let mut values = lock(&self.values);
        if let Some(held) = values.get(&id) {
            return held;
        }
        let held = Held::new(value);
        values.put(id, Arc::clone(&held), value.heap_bytes());
        held
    }

    /// A picture by its name.
    pub fn blob(&self, name: &str) -> Option<Blob> {
        lock(&self.blobs).get(name)
    }

    /// Keeps a picture.
    pub fn keep_blob(&self, name: String, blob: &Blob) {
        lock(&self.blobs).put(name, blob.clone(), blob.bytes.len());
    }
}

/// A least-recently-used cache with a maximum size in bytes. It always keeps at least one entry.
struct Bounded<K: Hash + Eq, V> {
    /// Values with their bytes.
    entries: LruCache<K, (V, usize)>,
    capacity: usize,
    used: usize,
}

impl<K: Hash + Eq, V: Clone> Bounded<K, V> {
    fn new(capacity: usize) -> Self {
        Self { entries: LruCache::unbounded(), capacity, used: 0 }
    }

    fn get<Q: ?Sized + Hash + Eq>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|(value, _)| value.clone())
    }

    fn put(&mut self, key: K, value: V, bytes: usize) {
        let old = self.entries.put(key, (value, bytes));
        self.used = self.used + bytes - old.map_or(0, |(_, bytes)| bytes);
        while self.used > self.capacity && self.entries.len() > 1 {
            let Some((_, (_, bytes))) = self.entries.pop_lru() else { return };
            self.used -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_evicted_first() {
        let mut bounded = Bounded::new(100);
        bounded.put("a", 1, 40);
        bounded.put("b", 2, 40);
        assert_eq!(bounded.get("a"), Some(1));
        bounded.put("c", 3, 40);
        assert_eq!((bounded.get("a"), bounded.get("b"), bounded.get("c")), (Some(1), None, Some(3)));
        bounded.put("d", 4, 1000);
        assert_eq!((bounded.get("d"), bounded.entries.len(), bounded.used), (Some(4), 1, 1000));
        bounded.put("d", 5, 10);
        assert_eq!(bounded.used, 10);
    }
}
