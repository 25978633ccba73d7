//! Caches of results: in memory for the life of the engine, and on disk between runs.
//!
//! All caches implement one trait, [`Store`]. A store has two tables. The *index* leads from a node's key to
//! the identities of the node's outputs. The *objects* lead from an identity to a value. With the index
//! alone, a whole graph can be resolved without loading values that no output needs.

mod behind;
mod both;
mod disk;
mod entry;
mod index;
mod listing;
mod memory;
mod object;
mod store;
mod upkeep;

pub use behind::Behind;
pub use both::Both;
pub use disk::DiskCache;
pub use entry::{Entry, Ids, Known, NotKept, Reason};
pub use memory::{MemoryCache, MemoryStore};
pub use store::{Damage, Found, Record, Store};
pub use upkeep::DiskUse;
