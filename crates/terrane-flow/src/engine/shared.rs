//! What all jobs of an engine share.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::cache::{Damage, Digests, DiskCache, Found, MemoryCache};
use super::last::Memory;
use super::lock::lock;
use super::placed::Placed;
use super::running::Running;
use crate::model::files::FileDigests;
use crate::model::key::Key;
use crate::model::value::{Digest, Kind, Value};

/// What all jobs of an engine share.
pub struct Shared {
    pub pool: rayon::ThreadPool,
    pub memory: Mutex<MemoryCache>,
    pub disk: Option<DiskCache>,
    pub reuse: bool,
    pub running: Running,
    pub files: FileDigests,
    /// Where the outputs are that were asked for last.
    pub placed: Mutex<Option<Arc<Placed>>>,
    /// What the last evaluation left.
    pub last: Mutex<Option<Arc<Memory>>>,
    /// Digests whose entry on disk turned out damaged: never trusted again by this engine.
    pub damaged: Mutex<HashSet<Digest>>,
}

impl Shared {
    /// The outputs that belong to a key, from memory or disk.
    pub fn lookup(&self, key: &Key) -> Option<Digests> {
        if let Some(digests) = self.lookup_memory(key) {
            return Some(digests);
        }
        if !self.reuse {
            return None;
        }
        // A damaged key is only a miss: whoever runs the node writes it again.
        let Found::Here(digests) = self.disk.as_ref()?.lookup(key) else { return None };
        lock(&self.memory).record(*key, Arc::clone(&digests));
        Some(digests)
    }

    /// The outputs that belong to a key, when this engine knows them.
    pub fn lookup_memory(&self, key: &Key) -> Option<Digests> {
        if !self.reuse {
            return None;
        }
        lock(&self.memory).lookup(key).map(Arc::clone)
    }

    /// Whether a value can probably be loaded.
    pub fn available(&self, digest: &Digest) -> bool {
        if lock(&self.memory).contains(digest) {
            return true;
        }
        self.reuse
            && self.disk.as_ref().is_some_and(|disk| disk.contains(digest))
            && !lock(&self.damaged).contains(digest)
    }

    /// A value from memory or disk.
    pub fn load(&self, digest: &Digest, kind: &Kind) -> Result<Value, Option<Damage>> {
        if let Some(value) = lock(&self.memory).get(digest) {
            return Ok(value);
        }
        let disk = self.disk.as_ref().ok_or(None)?;
        match disk.load(digest, kind) {
            Found::Here(value) => Ok(value),
            Found::Missing => Err(None),
            Found::Damaged(damage) => {
                lock(&self.damaged).insert(*digest);
                Err(Some(damage))
            }
        }
    }
}
