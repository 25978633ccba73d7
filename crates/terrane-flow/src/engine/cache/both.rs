//! Two stores: a near one in front of a far one.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex};

use super::entry::Entry;
use super::store::{Found, Record, Store};
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

/// A near store in front of a far store. The near store answers without waiting, and the far store is
/// persistent.
pub struct Both {
    near: Arc<dyn Store>,
    far: Arc<dyn Store>,
    /// Ids of values in the far store that are damaged, or that cannot be loaded although they seem to
    /// exist. [`Store::contains`] does not find these values there any more. Otherwise a job would try
    /// forever to load them.
    damaged: Mutex<HashSet<ValueId>>,
}

impl Both {
    /// A pair of two stores.
    #[must_use]
    pub fn new(near: Arc<dyn Store>, far: Arc<dyn Store>) -> Self {
        Self { near, far, damaged: Mutex::default() }
    }
}

impl Store for Both {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        if let Some(entry) = self.near.lookup_now(key) {
            return Found::Here(entry);
        }
        let found = self.far.lookup(key);
        if let Found::Here(entry) = &found {
            self.near.note(key, entry);
        }
        found
    }

    fn lookup_now(&self, key: &Key) -> Option<Entry> {
        self.near.lookup_now(key).or_else(|| self.far.lookup_now(key))
    }

    fn contains(&self, id: &ValueId) -> bool {
        self.near.contains(id) || self.far.contains(id) && !lock(&self.damaged).contains(id)
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        if let Found::Here(value) = self.near.load(id, kind) {
            return Found::Here(value);
        }
        let found = self.far.load(id, kind);
        let is_lost = match &found {
            Found::Here(_) => false,
            Found::Damaged(_) => true,
            Found::Missing => self.far.contains(id),
        };
        if is_lost {
            lock(&self.damaged).insert(*id);
        }
        found
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        self.near.store(record)?;
        self.far.store(record)
    }

    fn is_full(&self) -> bool {
        self.far.is_full()
    }

    fn help(&self) {
        self.far.help();
    }

    fn make_room(&self) -> bool {
        self.near.make_room() || self.far.make_room()
    }

    fn let_go(&self, id: &ValueId) {
        if self.far.contains(id) {
            self.near.forget(id);
        } else {
            self.near.let_go(id);
        }
    }

    fn forget(&self, id: &ValueId) {
        self.near.forget(id);
    }

    fn flush(&self) {
        self.far.flush();
    }

    fn problem(&self) -> Option<String> {
        self.far.problem()
    }
}
