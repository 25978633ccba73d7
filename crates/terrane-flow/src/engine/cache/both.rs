//! Two stores: a near one in front of a far one.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex};

use super::entry::Entry;
use super::store::{Found, Record, Store};
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::value::{Digest, Kind, Value};

/// A near store in front of a far store. The near store answers without waiting, and the far store is
/// persistent.
pub struct Both {
    near: Arc<dyn Store>,
    far: Arc<dyn Store>,
    /// Digests of values in the far store that are damaged, or that cannot be loaded although they seem to
    /// exist. [`Store::contains`] does not find these values there any more. Otherwise a job would try
    /// forever to load them.
    damaged: Mutex<HashSet<Digest>>,
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

    fn contains(&self, digest: &Digest) -> bool {
        self.near.contains(digest) || self.far.contains(digest) && !lock(&self.damaged).contains(digest)
    }

    fn load(&self, digest: &Digest, kind: &Kind) -> Found<Value> {
        if let Found::Here(value) = self.near.load(digest, kind) {
            return Found::Here(value);
        }
        let found = self.far.load(digest, kind);
        let is_lost = match &found {
            Found::Here(_) => false,
            Found::Damaged(_) => true,
            Found::Missing => self.far.contains(digest),
        };
        if is_lost {
            lock(&self.damaged).insert(*digest);
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

    fn let_go(&self, digest: &Digest) {
        if self.far.contains(digest) {
            self.near.forget(digest);
        } else {
            self.near.let_go(digest);
        }
    }

    fn forget(&self, digest: &Digest) {
        self.near.forget(digest);
    }

    fn flush(&self) {
        self.far.flush();
    }

    fn problem(&self) -> Option<String> {
        self.far.problem()
    }
}
