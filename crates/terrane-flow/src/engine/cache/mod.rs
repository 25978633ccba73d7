//! Results kept for later: in memory while the engine lives, on disk between runs.
//!
//! Two tables serve both: an *index* from a node's key to the digests of its outputs, and *objects* from a digest to a
//! value. With the index alone a whole graph resolves without loading a value that no output needs.

mod digests;
mod disk;
mod memory;

pub use digests::Digests;
pub use disk::{Damage, DiskCache, DiskUse, Found};
pub use memory::MemoryCache;
