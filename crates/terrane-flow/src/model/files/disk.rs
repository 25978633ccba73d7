//! Files on disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::source::{Entry, Files, Opened};
use super::stamp::Stamp;

/// The files on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

/// Opens a regular file. Opening a pipe would wait for a writer, and a device may never end. Every file that
/// this crate reads is opened here.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// The bytes of a regular file.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        let file = open_regular(path)?;
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
