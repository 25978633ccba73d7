//! Files on disk.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::source::{Entry, Files, Opened};
use super::stamp::Stamp;

/// The files on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        // Opening a pipe would wait for a writer, and a device may never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Opened { content: Box::new(file), length })
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let metadata = std::fs::metadata(path)?;
        Ok(if metadata.is_file() {
            Entry::File(Stamp::of(&metadata)?)
        } else if metadata.is_dir() {
            Entry::Folder
        } else {
            Entry::Other
        })
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }
}
