//! A cache on disk. Several processes can share it, and it detects damaged files.
//!
//! `objects-3/ab/abcd…` contains a value and a checksum. The file's name is the identity of the value.
//! `index-3/ab/abcd…` contains the entry of a key: the identities of the outputs, the node's warnings, why
//! the outputs are not kept, and a checksum. The file's name is the key. So a damaged file is always
//! detected. Every file is first written as a temporary file in the same folder tree, and then renamed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use super::entry::Entry;
use super::index;
use super::listing::{INDEX, OBJECTS, TAG, TEMPORARY, discard};
use super::object;
use super::store::{Found, Record, Store};
use crate::model::files::read_regular;
use crate::model::node_key::Key;
use crate::model::value::{Kind, Value};
use crate::model::value_id::ValueId;

/// A folder with results.
#[derive(Debug)]
pub struct DiskCache {
    folder: PathBuf,
    pub(super) capacity: u64,
    /// Set after a failed write, such as to a full disk or a read-only folder. The failure is reported once,
    /// and nothing more is written.
    broken: AtomicBool,
}

impl DiskCache {
    /// A cache in `folder`, which is created on first use. [`DiskCache::collect`] keeps it below `capacity`
    /// bytes.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, capacity: u64) -> Self {
        Self { folder: folder.into(), capacity, broken: AtomicBool::new(false) }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn object(&self, id: &ValueId) -> PathBuf {
        self.path(OBJECTS, &id.hex())
    }

    fn index(&self, key: &Key) -> PathBuf {
        self.path(INDEX, &key.0.hex())
    }

    fn path(&self, table: &str, name: &str) -> PathBuf {
        self.folder.join(table).join(&name[..2]).join(name)
    }

    /// Values are written first, so that a key never refers to a missing value.
    fn try_store(&self, record: &Record<'_>) -> io::Result<()> {
        let kept = if record.entry.not_kept.is_none() { record.values } else { &[] };
        for (id, value) in record.entry.ids.iter().zip(kept) {
            let path = self.object(id);
            if path.is_file() {
                touch(&path);
                continue;
            }
            self.write(&path, |out| object::write(out, id, value))?;
        }
        self.write(&self.index(record.key), |out| {
            out.write_all(index::text(record.key, record.entry).as_bytes())
        })
    }

    fn write(&self, path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let temporaries = self.begin()?;
        let temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&temporaries)?;
        let mut out = BufWriter::with_capacity(1 << 18, temporary);
        fill(&mut out)?;
        let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // A link in the cache would put the file elsewhere.
        let below = path.ancestors().skip(1).take_while(|folder| *folder != self.folder);
        if let Some(link) = below.chain([&*temporaries]).find(|folder| folder.is_symlink()) {
            return Err(io::Error::other(format!("{} is a link", link.display())));
        }
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Creates the cache's folder, and returns the folder for temporary files in it. The cache's folder is
    /// marked as a cache only if it was new or empty, since backups skip marked folders.
    ///
    /// # Errors
    /// If the folder cannot be created. Storing a result then reports this too.
    pub fn begin(&self) -> io::Result<PathBuf> {
        let temporaries = self.folder.join("tmp");
        if !temporaries.is_dir() {
            let is_new = fs::read_dir(&self.folder).map_or(true, |mut entries| entries.next().is_none());
            fs::create_dir_all(&temporaries)?;
            if is_new {
                fs::write(self.folder.join("CACHEDIR.TAG"), TAG)?;
            }
        }
        Ok(temporaries)
    }
}

impl Store for DiskCache {
    fn lookup(&self, key: &Key) -> Found<Entry> {
        let path = self.index(key);
        let Ok(bytes) = read_regular(&path) else { return Found::Missing };
        match index::parse(&bytes, key) {
            Ok(entry) => Found::Here(entry),
            Err(reason) => Found::Damaged(discard(path, reason)),
        }
    }

    fn contains(&self, id: &ValueId) -> bool {
        self.object(id).is_file()
    }

    fn load(&self, id: &ValueId, kind: &Kind) -> Found<Value> {
        let path = self.object(id);
        let Ok(bytes) = read_regular(&path) else { return Found::Missing };
        let Some(body) = object::body(&bytes, id) else {
            let reason = format!("its {} bytes differ from those written", bytes.len());
            return Found::Damaged(discard(path, reason));
        };
        let Some(body) = body.strip_prefix(kind.name.as_bytes()).and_then(|rest| rest.strip_prefix(&[0]))
        else {
            return Found::Damaged(discard(path, format!("it does not contain a {}", kind.name)));
        };
        match kind.decode(body) {
            Ok(value) => {
                touch(&path);
                Found::Here(value)
            }
            Err(error) => Found::Damaged(discard(path, error.to_string())),
        }
    }

    fn store(&self, record: &Record<'_>) -> io::Result<()> {
        if self.broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut written = self.try_store(record);
        // If another process clears the folder, it may remove a file or folder that was just created. So
        // writing is tried again. The error is then `NotFound`, or `AlreadyExists` if a folder was removed
        // while it was being created.
        let is = |written: &io::Result<()>, kinds: &[io::ErrorKind]| {
            written.as_ref().is_err_and(|error| kinds.contains(&error.kind()))
        };
        for _ in 0..MAX_TRIES {
            if !is(&written, &[io::ErrorKind::NotFound, io::ErrorKind::AlreadyExists]) {
                break;
            }
            written = self.try_store(record);
        }
        if is(&written, &[io::ErrorKind::NotFound]) && self.begin().is_ok() {
            // The folder is still being cleared, so this result is not kept. Later results may be kept.
            return Ok(());
        }
        written.map_err(|error| {
            self.broken.store(true, Ordering::Relaxed);
            let folder = self.folder.display();
            io::Error::new(
                error.kind(),
                format!("cannot write results to the cache `{folder}`: {error}; continuing without it"),
            )
        })
    }

    fn flush(&self) {
        self.collect();
    }
}

/// The maximum number of attempts to write a result while another process removes it.
const MAX_TRIES: usize = 20;

/// Sets the modification time to the present time, as the time of last use. The least recently used files are
/// collected first.
fn touch(path: &Path) {
    let _best_effort = fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}
