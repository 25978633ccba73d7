//! Where results are kept.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::entry::Entry;
use crate::model::node_key::Key;
use crate::model::value::{Digest, Kind, Value};

/// Where results are kept: an index from the keys of nodes to the digests of their outputs, and values by
/// digest. With the index alone a whole graph resolves without loading a value that nobody needs.
///
/// A store may forget whatever it likes, and never gives one value for another. Threads of several jobs use
/// it at once.
pub trait Store: Send + Sync {
    /// What is known of a key.
    fn lookup(&self, key: &Key) -> Found<Entry>;

    /// The same, as far as it is known without waiting for anything.
    fn lookup_now(&self, _key: &Key) -> Option<Entry> {
        None
    }

    /// Remembers what another store knows of a key, where that spares a look there.
    fn note(&self, _key: &Key, _entry: &Entry) {}

    /// Whether a value seems to be here; only loading it tells for sure.
    fn contains(&self, digest: &Digest) -> bool;

    /// A value, verified.
    fn load(&self, digest: &Digest, kind: &Kind) -> Found<Value>;

    /// Keeps a result.
    ///
    /// # Errors
    /// The first failure to write; later calls then do nothing and succeed.
    fn store(&self, record: &Record<'_>) -> io::Result<()>;

    /// Whether what is still to be written has reached its bound, so that threads should [`Store::help`].
    fn is_full(&self) -> bool {
        false
    }

    /// Writes, on this thread, until what is still to be written is below its bound.
    fn help(&self) {}

    /// Lets go of a value in memory that the store holds only to spare work, least valuable first, or of one
    /// that waits to be written once it is. Whether there was one.
    fn make_room(&self) -> bool {
        false
    }

    /// Lets go of a value in memory that somebody wants to edit in place, where it is to be had again without
    /// much work.
    fn let_go(&self, _digest: &Digest) {}

    /// Lets go of a value in memory.
    fn forget(&self, _digest: &Digest) {}

    /// Waits until everything is written, and removes what is beyond the store's capacity.
    fn flush(&self) {}

    /// What went wrong while nobody waited for it; told once.
    fn problem(&self) -> Option<String> {
        None
    }
}

/// A result to be kept.
#[derive(Debug)]
pub struct Record<'a> {
    /// The key.
    pub key: &'a Key,
    /// What is known of it.
    pub entry: &'a Entry,
    /// The outputs.
    pub values: &'a [Value],
    /// How long they took to make.
    pub time: Duration,
}

/// What a look-up found.
#[derive(Debug)]
pub enum Found<T> {
    /// The thing.
    Here(T),
    /// Nothing.
    Missing,
    /// Something that is not what its name says; it was removed where possible.
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
