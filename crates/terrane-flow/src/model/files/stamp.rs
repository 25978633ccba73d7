//! Files as they were at a moment.

use std::fs::Metadata;
use std::io;
use std::time::{Duration, SystemTime};

use crate::model::value::Digest;

/// What tells whether a file was changed, or replaced by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Sign);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sign {
    /// Of a file on disk.
    Disk {
        length: u64,
        modified: SystemTime,
        /// Device, file, and when anything about it was changed, which no program can set.
        inner: (u64, u64, i64, i64),
    },
    /// Of bytes that are given: the content itself.
    Given(Digest),
}

impl Stamp {
    /// Of a file on disk as it is now.
    ///
    /// # Errors
    /// Where the system knows no times of files.
    pub fn of(metadata: &Metadata) -> io::Result<Self> {
        #[cfg(unix)]
        let inner = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let inner = (0, 0, 0, 0);
        Ok(Self(Sign::Disk { length: metadata.len(), modified: metadata.modified()?, inner }))
    }

    /// Of bytes with this digest.
    #[must_use]
    pub const fn given(digest: Digest) -> Self {
        Self(Sign::Given(digest))
    }

    /// The digest of the content, where the stamp is made of it.
    #[must_use]
    pub const fn digest(&self) -> Option<Digest> {
        match &self.0 {
            Sign::Disk { .. } => None,
            Sign::Given(digest) => Some(*digest),
        }
    }

    /// Whether a later change would show: times of files are too coarse to tell two changes at once apart.
    pub(super) fn is_settled(&self) -> bool {
        const SETTLED: Duration = Duration::from_secs(2);
        match &self.0 {
            Sign::Disk { modified, .. } => {
                SystemTime::now().duration_since(*modified).is_ok_and(|age| age > SETTLED)
            }
            Sign::Given(_) => true,
        }
    }
}
