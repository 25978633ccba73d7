//! How files are opened: from disk, or from wherever a caller has them.

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

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

/// What opens files. It fails with [`io::ErrorKind::NotFound`] where there is none.
pub type Open<'a> = dyn Fn(&Path) -> io::Result<Opened> + 'a;

/// Opens a regular file on disk: a pipe would wait for somebody who writes to it, and a device may never end.
pub(crate) fn from_disk(path: &Path) -> io::Result<Opened> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok(Opened { content: Box::new(file), length })
}
