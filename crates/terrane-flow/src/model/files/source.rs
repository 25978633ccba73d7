//! The interface of all sources of files.

use std::fmt::Debug;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::stamp::Stamp;

/// A source of files. Everything that is read for a graph is read through it: its text, its subgraphs, files
/// that nodes import, and notes next to these files.
pub trait Files: Debug + Send + Sync {
    /// Opens a file.
    ///
    /// # Errors
    /// If it does not exist, is not a regular file, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Opened>;

    /// What a path leads to, without reading it.
    ///
    /// # Errors
    /// If nothing exists at the path.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The canonical path of a file or folder: absolute and without links, so that two of them show whether
    /// one lies below the other.
    ///
    /// # Errors
    /// If nothing exists at the path.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;

    /// The stamp of a file, which changes with the file; `None` if there is no file.
    fn stamp(&self, path: &Path) -> Option<Stamp> {
        match self.entry(path).ok()? {
            Entry::File(stamp) => Some(stamp),
            Entry::Folder | Entry::Other => None,
        }
    }
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file and its stamp.
    File(Stamp),
    /// A folder.
    Folder,
    /// Neither: a pipe or a device, which is never read.
    Other,
}

/// Bytes that can be read from any position.
pub trait Content: Read + Seek + Send {}

impl<T: Read + Seek + Send> Content for T {}

/// An open file.
pub struct Opened {
    /// Its bytes.
    pub content: Box<dyn Content>,
    /// The number of bytes.
    pub length: u64,
}
