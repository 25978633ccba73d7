//! An overlay: bytes in memory that replace files.

use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::source::{Entry, Files, Opened};
use super::stamp::Stamp;
use crate::model::value::Digest;

/// A source without files. It is the base of an [`Overlay`] that does not use a disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn open(&self, _: &Path) -> io::Result<Opened> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn entry(&self, _: &Path) -> io::Result<Entry> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn real(&self, _: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Bytes in memory that replace the files of another source. Examples are unsaved text of an editor, and data
/// of a browser or of a program in another language.
///
/// The folders of these files exist even if they are not on disk. Setting the bytes at the path of a link
/// sets those of the link's target.
///
/// ```
/// use std::sync::Arc;
/// use terrane_flow::{Disk, Files, Overlay};
///
/// let files = Overlay::new(Arc::new(Disk));
/// files.put("graphs/hills.ron", "Graph(nodes: {})");
/// assert_eq!(files.open("graphs/hills.ron".as_ref()).unwrap().length, 16);
/// files.remove("graphs/hills.ron");
/// assert!(files.open("graphs/hills.ron".as_ref()).is_err());
/// ```
#[derive(Debug)]
pub struct Overlay {
    under: Arc<dyn Files>,
    given: RwLock<BTreeMap<PathBuf, Given>>,
}

#[derive(Clone, Debug)]
struct Given {
    bytes: Arc<[u8]>,
    digest: Digest,
}

impl Overlay {
    /// An empty overlay.
    #[must_use]
    pub fn new(under: Arc<dyn Files>) -> Self {
        Self { under, given: RwLock::default() }
    }

    /// Sets the bytes of a file and replaces any previous ones.
    pub fn put(&self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        let bytes: Arc<[u8]> = bytes.into().into();
        let digest = Digest(*blake3::hash(&bytes).as_bytes());
        self.write().insert(self.key(path.as_ref()), Given { bytes, digest });
    }

    /// Removes the bytes of a file, so that the file of the other source is visible again. Returns whether
    /// there were any bytes.
    pub fn remove(&self, path: impl AsRef<Path>) -> bool {
        self.write().remove(&self.key(path.as_ref())).is_some()
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<PathBuf, Given>> {
        self.given.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<PathBuf, Given>> {
        self.given.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The canonical path of a file, whether it exists or not.
    fn key(&self, path: &Path) -> PathBuf {
        if let Ok(real) = self.under.real(path) {
            return real;
        }
        let plain = plain(path);
        match (plain.parent().map(|folder| self.under.real(folder)), plain.file_name()) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => plain,
        }
    }

    /// The bytes set for a canonical path.
    fn find(&self, key: &Path) -> Option<Given> {
        self.read().get(key).cloned()
    }

    /// Whether any file of the overlay lies below a folder.
    fn is_folder(&self, key: &Path) -> bool {
        self.read().range(key.to_owned()..).next().is_some_and(|(first, _)| first.starts_with(key))
    }
}

/// An absolute path without `.` and `..`. The file need not exist.
fn plain(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

impl Files for Overlay {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        match self.find(&self.key(path)) {
            Some(given) => {
                let length = given.bytes.len() as u64;
                Ok(Opened { content: Box::new(Cursor::new(given.bytes)), length })
            }
            None => self.under.open(path),
        }
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let key = self.key(path);
        match self.find(&key) {
            Some(given) => Ok(Entry::File(Stamp::given(given.digest))),
            None => match self.under.entry(path) {
                Err(_) if self.is_folder(&key) => Ok(Entry::Folder),
                entry => entry,
            },
        }
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        let key = self.key(path);
        match self.under.real(path) {
            Err(_) if self.find(&key).is_some() || self.is_folder(&key) => Ok(key),
            real => real,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::super::disk::Disk;
    use super::*;

    fn text(files: &dyn Files, path: &Path) -> String {
        let mut text = String::new();
        files.open(path).unwrap().content.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_given_hides_the_disk_until_it_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        std::fs::write(&file, "disk").unwrap();
        let files = Overlay::new(Arc::new(Disk));
        assert_eq!(text(&files, &file), "disk");
        let before = files.stamp(&file);
        files.put(&file, "given");
        assert_eq!(text(&files, &file), "given");
        let given = files.stamp(&file);
        assert_ne!(given, before);
        std::fs::write(&file, "changed below").unwrap();
        assert_eq!((files.stamp(&file), text(&files, &file)), (given, "given".to_owned()));
        assert!(files.remove(&file) && !files.remove(&file));
        assert_eq!(text(&files, &file), "changed below");
    }

    #[test]
    fn a_file_has_one_name_however_its_path_is_written() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        let files = Overlay::new(Arc::new(Disk));
        files.put(folder.path().join("in/../new.txt"), "new");
        assert_eq!(text(&files, &folder.path().join("./new.txt")), "new");
        let real = files.real(&folder.path().join("new.txt")).unwrap();
        assert_eq!(real, folder.path().canonicalize().unwrap().join("new.txt"));
        #[cfg(unix)]
        {
            let link = folder.path().join("link.txt");
            std::fs::write(folder.path().join("other.txt"), "disk").unwrap();
            std::os::unix::fs::symlink(folder.path().join("other.txt"), &link).unwrap();
            files.put(&link, "through the link");
            assert_eq!(text(&files, &folder.path().join("other.txt")), "through the link");
        }
    }

    #[test]
    fn without_a_disk_there_are_the_given_files_and_their_folders() {
        let files = Overlay::new(Arc::new(NoFiles));
        files.put("/world/graphs/a.ron", "a");
        assert_eq!(text(&files, "/world/graphs/../graphs/a.ron".as_ref()), "a");
        assert_eq!(files.entry("/world/graphs".as_ref()).unwrap(), Entry::Folder);
        assert_eq!(files.entry("/world".as_ref()).unwrap(), Entry::Folder);
        assert_eq!(files.real("/world/graphs/.".as_ref()).unwrap(), Path::new("/world/graphs"));
        for nothing in ["/world/graph", "/world/graphs/b.ron", "/etc/hosts"] {
            assert!(files.entry(nothing.as_ref()).is_err(), "{nothing}");
            assert!(
                files.open(nothing.as_ref()).is_err() && files.real(nothing.as_ref()).is_err(),
                "{nothing}"
            );
        }
    }
}
