//! Stamps: the state of a file at a moment.

use std::fs::Metadata;
use std::io;
use std::time::{Duration, SystemTime};

use crate::model::value::Digest;

/// The state of a file. It changes if the file is changed or replaced by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(State);

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// A file on disk.
    Disk {
        length: u64,
        modified: SystemTime,
        /// Device, inode and change time. No program can set the change time.
        inner: (u64, u64, i64, i64),
    },
    /// Bytes in memory, identified by their content.
    Given(Digest),
}

impl Stamp {
    /// The stamp of a file on disk in its present state.
    ///
    /// # Errors
    /// If the system does not report times of files.
    pub fn of(metadata: &Metadata) -> io::Result<Self> {
        #[cfg(unix)]
        let inner = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let inner = (0, 0, 0, 0);
        Ok(Self(State::Disk { length: metadata.len(), modified: metadata.modified()?, inner }))
    }

    /// The stamp of bytes with this digest.
    #[must_use]
    pub const fn given(digest: Digest) -> Self {
        Self(State::Given(digest))
    }

    /// The digest of the content, for bytes in memory.
    #[must_use]
    pub const fn digest(&self) -> Option<Digest> {
        match &self.0 {
            State::Disk { .. } => None,
            State::Given(digest) => Some(*digest),
        }
    }

    /// Whether every later change of the file will change the stamp. This is not certain for a file that was
    /// changed a moment ago. File times are too coarse to distinguish two changes in quick succession.
    pub(super) fn is_settled(&self) -> bool {
        const SETTLED: Duration = Duration::from_secs(2);
        match &self.0 {
            State::Disk { modified, .. } => {
                SystemTime::now().duration_since(*modified).is_ok_and(|age| age > SETTLED)
            }
            State::Given(_) => true,
        }
    }
}
