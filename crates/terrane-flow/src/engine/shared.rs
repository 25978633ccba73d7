//! What all jobs of an engine share.

use std::sync::Arc;

use super::budget::{Budget, charged};
use super::cache::{Damage, Entry, Found, MemoryStore, Store};
use super::executor::Executor;
use super::running::Running;
use crate::model::files::FileDigests;
use crate::model::node_key::Key;
use crate::model::value::{Digest, Kind, Value};

/// What all jobs of an engine share.
pub struct Shared {
    pub executor: Arc<dyn Executor>,
    /// How many nodes run at once.
    pub threads: usize,
    /// What values and running nodes take together.
    pub budget: Arc<Budget>,
    /// Values in memory alone.
    pub memory: Arc<MemoryStore>,
    /// Values in memory, and where they are kept between runs.
    pub store: Arc<dyn Store>,
    pub reuse: bool,
    pub keep_all: bool,
    pub running: Running,
    pub files: FileDigests,
}

impl Shared {
    /// What is known of a key.
    pub fn lookup(&self, key: &Key) -> Option<Entry> {
        if !self.reuse {
            return None;
        }
        // A damaged entry is only a miss: whoever runs the node writes it again.
        if let Found::Here(entry) = self.store.lookup(key) { Some(entry) } else { None }
    }

    /// The same, as far as it is known without waiting for anything.
    pub fn lookup_now(&self, key: &Key) -> Option<Entry> {
        if self.reuse { self.store.lookup_now(key) } else { None }
    }

    /// Whether a value can probably be loaded.
    pub fn available(&self, digest: &Digest) -> bool {
        self.store.contains(digest)
    }

    /// A value that was stored.
    pub fn load(&self, digest: &Digest, kind: &Kind) -> Result<Value, Option<Damage>> {
        match self.store.load(digest, kind) {
            Found::Here(value) if value.is_counted() => Ok(value),
            Found::Here(value) => Ok(charged(&self.budget, digest, value)),
            Found::Missing => Err(None),
            Found::Damaged(damage) => Err(Some(damage)),
        }
    }
}
