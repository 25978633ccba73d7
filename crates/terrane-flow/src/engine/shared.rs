//! State shared by all jobs of an engine.

use std::sync::Arc;

use super::budget::{Budget, charged};
use super::cache::{Damage, Entry, Found, MemoryStore, Store};
use super::executor::Executor;
use super::running::Running;
use crate::model::files::FileDigests;
use crate::model::node_key::Key;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

/// State shared by all jobs of an engine.
pub struct Shared {
    pub executor: Arc<dyn Executor>,
    /// The number of nodes that run at once.
    pub threads: usize,
    /// The memory of values and running nodes.
    pub budget: Arc<Budget>,
    /// The store of values in memory.
    pub memory: Arc<MemoryStore>,
    /// The store of all values: those in memory and those kept between runs.
    pub store: Arc<dyn Store>,
    pub reuse: bool,
    pub keep_all: bool,
    pub running: Running,
    pub files: FileDigests,
}

impl Shared {
    /// The entry of a key.
    pub fn lookup(&self, key: &Key) -> Option<Entry> {
        if !self.reuse {
            return None;
        }
        // A damaged entry counts as missing: it is written again when the node runs.
        if let Found::Here(entry) = self.store.lookup(key) { Some(entry) } else { None }
    }

    /// Like [`Shared::lookup`], but never waits: it finds only entries that are available at once.
    pub fn lookup_now(&self, key: &Key) -> Option<Entry> {
        if self.reuse { self.store.lookup_now(key) } else { None }
    }

    /// Whether a value can probably be loaded.
    pub fn available(&self, id: &ValueId) -> bool {
        self.store.contains(id)
    }

    /// Loads a stored value. The error is `None` if the value is missing.
    pub fn load(&self, id: &ValueId, kind: &Kind) -> Result<Value, Option<Damage>> {
        match self.store.load(id, kind) {
            Found::Here(value) if value.is_counted() => Ok(value),
            Found::Here(value) => Ok(charged(&self.budget, id, value)),
            Found::Missing => Err(None),
            Found::Damaged(damage) => Err(Some(damage)),
        }
    }
}
