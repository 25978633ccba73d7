//! Access to the files that nodes read.

use std::io;
use std::path::Path;

use terrane_flow::FilePath;
use terrane_io::Opened;

/// A function that opens a parameter's file, and the files beside it, from the graph's source of files.
pub fn opener(file: &FilePath) -> impl Fn(&Path) -> io::Result<Opened> + '_ {
    |path| {
        let terrane_flow::Opened { content, length } = file.files().open(path)?;
        Ok(Opened { content: Box::new(content), length })
    }
}
