//! What a file of text holds.

use std::io::Read;
use std::path::Path;

use super::line::problem;
use crate::open::{Open, Opened};
use crate::{IoError, Problem};

/// The most bytes of a file of lines or points.
pub const BYTES: u64 = 64 << 20;

/// What a file of text holds, unless it is too long or empty.
pub fn content(open: &Open<'_>, path: &Path) -> Result<Vec<u8>, IoError> {
    let read = |error| Problem::Read(error).at(path);
    let Opened { mut content, length } = open(path).map_err(read)?;
    if length > BYTES {
        let detail = format!("{} MiB are more than the {} that are read", length >> 20, BYTES >> 20);
        return Err(problem(detail, "leave out what lies outside the world that is made").at(path));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    content.read_to_end(&mut bytes).map_err(read)?;
    // Editors of other systems put a mark before the first character.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::Empty.at(path));
    }
    Ok(bytes)
}
