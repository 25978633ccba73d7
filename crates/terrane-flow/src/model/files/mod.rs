//! Sources of files: the disk, or bytes in memory that replace files.

mod digests;
mod disk;
mod overlay;
mod source;
mod stamp;

pub use digests::FileDigests;
pub use disk::Disk;
pub(crate) use disk::read_regular;
pub use overlay::{NoFiles, Overlay};
pub use source::{Content, Entry, Files, Opened};
pub use stamp::Stamp;
