//! The interface of all sources of files.

use std::fmt::Debug;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::stamp::Stamp;

/// A source of files. All files of a graph are read through it: its text, its subgraphs, the files that nodes
/// import, and notes next to imported files.
pub trait Files: Debug + Send + Sync {
    /// Opens a file.
    ///
    /// # Errors
    /// If it does not exist, is not a regular file, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Opened>;

    /// What exists at a path. Nothing is read.
    ///
    /// # Errors
    /// If nothing exists at the path.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The canonical path of a file or folder: absolute and without links. Two canonical paths show whether
    /// one file or folder lies below the other.
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

/// What exists at a path.
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
