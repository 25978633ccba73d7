//! Files as they were at a moment, and what stood in them.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use crate::model::value::Digest;

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

/// Digests of files by content, remembered while nothing tells that they changed.
#[derive(Debug, Default)]
pub struct FileDigests(Mutex<HashMap<PathBuf, (Stamp, Digest)>>);

impl FileDigests {
    /// A file's digest.
    ///
    /// # Errors
    /// When the file cannot be read, or is no regular file: a pipe would never end.
    pub fn digest(&self, path: &Path) -> io::Result<Digest> {
        /// A file changed this recently may change again without its time showing it.
        const SETTLED: Duration = Duration::from_secs(2);
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let stamp = Stamp::of(&metadata)?;
        let known = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((of, digest)) = known().get(path)
            && *of == stamp
        {
            return Ok(*digest);
        }
        // Nobody waits for a long file but who needs it.
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(path)?)?;
        let digest = Digest(*hasher.finalize().as_bytes());
        let settled = SystemTime::now().duration_since(stamp.modified).is_ok_and(|age| age > SETTLED);
        if settled && Stamp::of(&std::fs::metadata(path)?)? == stamp {
            known().insert(path.to_owned(), (stamp, digest));
        }
        Ok(digest)
    }
}
