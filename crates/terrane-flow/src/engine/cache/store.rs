//! The interface of stores.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::entry::Entry;
use crate::model::node_key::Key;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

/// A store of results: an index from the keys of nodes to the identities of their outputs, and values by
/// identity. With the index alone, a whole graph can be resolved without loading unneeded values.
///
/// A store may drop any content, but must never return a wrong value. Threads of several jobs use it at once.
pub trait Store: Send + Sync {
    /// The entry of a key.
    fn lookup(&self, key: &Key) -> Found<Entry>;

    /// Like [`Store::lookup`], but never waits: it finds only entries that are available at once.
    fn lookup_now(&self, _key: &Key) -> Option<Entry> {
        None
    }

    /// Stores an entry that was found in another store, so that it is not looked up there again.
    fn note(&self, _key: &Key, _entry: &Entry) {}

    /// Whether a value seems to exist. Only loading it shows whether it does.
    fn contains(&self, id: &ValueId) -> bool;

    /// Loads and verifies a value.
    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value>;

    /// Stores a result.
    ///
    /// # Errors
    /// The first failed write. Later calls then do nothing and succeed.
    fn store(&self, record: &Record<'_>) -> io::Result<()>;

    /// Whether the size of unwritten results exceeds its bound. If so, threads should call [`Store::help`].
    fn is_full(&self) -> bool {
        false
    }

    /// Writes results on this thread until the size of unwritten results is within its bound.
    fn help(&self) {}

    /// Frees one value in memory, and returns whether there was one. Values that are kept only to save work
    /// are freed first, lowest priority first. Then values that wait to be written are written and freed.
    fn make_room(&self) -> bool {
        false
    }

    /// Frees a value in memory if it can be recovered cheaply. A node that holds the value can then edit it
    /// in place.
    fn let_go(&self, _id: &ValueId) {}

    /// Frees a value in memory.
    fn forget(&self, _id: &ValueId) {}

    /// Waits until everything is written, and removes values beyond the store's capacity.
    fn flush(&self) {}

    /// A problem from work in the background. Each problem is returned once.
    fn problem(&self) -> Option<String> {
        None
    }
}

/// A result to store.
#[derive(Debug)]
pub struct Record<'a> {
    /// The key.
    pub key: &'a Key,
    /// The entry.
    pub entry: &'a Entry,
    /// The outputs.
    pub values: &'a [Value],
    /// The time it took to compute them.
    pub time: Duration,
}

/// The result of a lookup.
#[derive(Debug)]
pub enum Found<T> {
    /// The item.
    Here(T),
    /// Nothing.
    Missing,
    /// A damaged file, which was removed if possible.
    Damaged(Damage),
}

/// A damaged entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}
