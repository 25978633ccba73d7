//! Access to the files that nodes read.

use std::io;
use std::path::Path;

use terrane_flow::FilePath;
use terrane_io::Opened;

/// Returns a function that opens the file of a parameter, or a file in the same folder, from the graph's
/// source of files.
pub fn opener(file: &FilePath) -> impl Fn(&Path) -> io::Result<Opened> + '_ {
    |path| {
        let terrane_flow::Opened { content, length } = file.files().open(path)?;
        Ok(Opened { content: Box::new(content), length })
    }
}
