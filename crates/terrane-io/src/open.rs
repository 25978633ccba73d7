//! Opening files from disk, or from a source of the caller.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

/// Bytes that can be read from any position.
pub trait Content: Read + Seek + Send {}

impl<T: Read + Seek + Send> Content for T {}

/// An open file.
pub struct Opened {
    /// The bytes.
    pub content: Box<dyn Content>,
    /// The number of bytes.
    pub length: u64,
}

/// A function that opens files. It fails with [`io::ErrorKind::NotFound`] if the file does not exist.
pub type Open<'a> = dyn Fn(&Path) -> io::Result<Opened> + 'a;

/// Opens a regular file on disk. Other files are refused: a pipe would block until another process writes to
/// it, and a device may never end. Every file that this crate reads is opened here.
///
/// # Errors
/// Fails if the file is not a regular file, or cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// The bytes of a regular file on disk.
///
/// # Errors
/// Fails as [`open_regular`] does, or if the file cannot be read.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file on disk, with its length.
pub(crate) fn from_disk(path: &Path) -> io::Result<Opened> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    Ok(Opened { content: Box::new(file), length })
}
