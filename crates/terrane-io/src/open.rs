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
/// it, and a device may never end.
pub(crate) fn from_disk(path: &Path) -> io::Result<Opened> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok(Opened { content: Box::new(file), length })
}
