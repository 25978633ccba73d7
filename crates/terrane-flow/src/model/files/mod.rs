//! Where files come from: the disk, or bytes that are given in their place.

mod digests;
mod disk;
mod overlay;
mod source;
mod stamp;

pub use digests::FileDigests;
pub use disk::Disk;
pub use overlay::{NoFiles, Overlay};
pub use source::{Content, Entry, Files, Opened};
pub use stamp::Stamp;
