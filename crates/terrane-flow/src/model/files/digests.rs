//! Digests of the content of files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::source::{Entry, Files};
use super::stamp::Stamp;
use crate::model::lock::lock;
use crate::model::value::Digest;

/// Digests of the content of files. They are cached as long as the files' stamps do not change.
#[derive(Debug, Default)]
pub struct FileDigests(Mutex<HashMap<PathBuf, (Stamp, Digest)>>);

impl FileDigests {
    /// The digest of a file's content.
    ///
    /// # Errors
    /// If the file cannot be read, or if it is not a regular file. A pipe, for example, would never end.
    pub fn digest(&self, files: &dyn Files, path: &Path) -> io::Result<Digest> {
        let Entry::File(stamp) = files.entry(path)? else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        };
        if let Some(digest) = stamp.digest() {
            return Ok(digest);
        }
        let known = || lock(&self.0);
        if let Some((of, digest)) = known().get(path)
            && *of == stamp
        {
            return Ok(*digest);
        }
        // Hashing happens outside the lock, so a long file delays only its own callers.
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(files.open(path)?.content)?;
        let digest = Digest(*hasher.finalize().as_bytes());
        if stamp.is_settled() && files.stamp(path).as_ref() == Some(&stamp) {
            known().insert(path.to_owned(), (stamp, digest));
        }
        Ok(digest)
    }
}
