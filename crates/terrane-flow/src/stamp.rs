//! Files as they were at a moment.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::node::Node;

/// What tells whether a file was changed, or replaced by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    /// When the content was changed, as the file says.
    pub modified: SystemTime,
    /// Device, file, and when anything about it was changed, which no program can set.
    #[cfg(unix)]
    inner: (u64, u64, i64, i64),
}

impl Stamp {
    /// Of a file as it is now.
    pub fn of(metadata: &Metadata) -> io::Result<Self> {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Ok(Self {
            length: metadata.len(),
            modified: metadata.modified()?,
            #[cfg(unix)]
            inner: (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

/// The files that a node reads, with their companions, as they are now; none where one is not there.
pub fn stamps(node: &dyn Node) -> Vec<Option<Stamp>> {
    let of = |path: &Path| Stamp::of(&std::fs::metadata(path).ok()?).ok();
    let mut stamps = Vec::new();
    // Files are visited to be changed, when they are resolved.
    dyn_clone::clone_box(node).files(&mut |file| stamps.push(of(&file.path())));
    let companions: Vec<PathBuf> = node.companions();
    stamps.extend(companions.iter().map(|path| of(path)));
    stamps
}
