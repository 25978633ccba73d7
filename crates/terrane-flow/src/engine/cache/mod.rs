//! Results kept for later: in memory while the engine lives, on disk between runs.
//!
//! All of it stands behind one trait, [`Store`]. Two tables serve memory and disk alike: an *index* from a
//! node's key to what is known of its outputs, and *objects* from a digest to a value. With the index alone a
//! whole graph resolves without loading a value that no output needs.

mod behind;
mod both;
mod disk;
mod entry;
mod index;
mod listing;
mod memory;
mod store;
mod upkeep;

pub use behind::Behind;
pub use both::Both;
pub use disk::DiskCache;
pub use entry::{Digests, Entry, Known, NotKept, Reason};
pub use memory::{MemoryCache, MemoryStore};
pub use store::{Damage, Found, Record, Store};
pub use upkeep::DiskUse;
