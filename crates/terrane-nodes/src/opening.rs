//! Files that nodes read.

use std::io;
use std::path::Path;

use terrane_flow::FilePath;
use terrane_io::Opened;

/// What opens a parameter's file, and those beside it, from wherever the graph's files come.
pub fn opener(file: &FilePath) -> impl Fn(&Path) -> io::Result<Opened> + '_ {
    |path| {
        let terrane_flow::Opened { content, length } = file.files().open(path)?;
        Ok(Opened { content: Box::new(content), length })
    }
}
