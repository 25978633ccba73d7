//! What all sources of files can do.

use std::fmt::Debug;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::stamp::Stamp;

/// Where files come from. Everything that is read for a graph is read through it: its text, its subgraphs,
/// what nodes import, and notes beside that.
pub trait Files: Debug + Send + Sync {
    /// Opens a file.
    ///
    /// # Errors
    /// When it is not there, is no regular file, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Opened>;

    /// What is there, without reading it.
    ///
    /// # Errors
    /// When nothing is there.
    fn entry(&self, path: &Path) -> io::Result<Entry>;

    /// The one path of a file or folder, absolute and without links, by which it can be told whether one lies
    /// below the other.
    ///
    /// # Errors
    /// When nothing is there.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;

    /// What tells whether a file was changed; nothing where there is none.
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
    /// A file, and what tells whether it was changed.
    File(Stamp),
    /// A folder.
    Folder,
    /// Neither: a pipe or a device, which is never read.
    Other,
}

/// Bytes that can be read from any place on.
pub trait Content: Read + Seek + Send {}

impl<T: Read + Seek + Send> Content for T {}

/// An open file.
pub struct Opened {
    /// Its bytes.
    pub content: Box<dyn Content>,
    /// How many there are.
    pub length: u64,
}
