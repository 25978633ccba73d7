//! Reading the content of a text file.

use std::io::Read;
use std::path::Path;

use super::line::problem;
use crate::open::{Open, Opened};
use crate::{IoError, Problem};

/// The maximum size of a file of lines or points, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// The content of a text file, unless it is too long or empty.
pub fn content(open: &Open<'_>, path: &Path) -> Result<Vec<u8>, IoError> {
    let read = |error| Problem::Read(error).at(path);
    let Opened { mut content, length } = open(path).map_err(read)?;
    if length > MAX_BYTES {
        let detail = format!("{} MiB are more than the maximum of {}", length >> 20, MAX_BYTES >> 20);
        return Err(problem(detail, "remove everything outside the world").at(path));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    content.read_to_end(&mut bytes).map_err(read)?;
    // Some editors put a byte order mark before the first character.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::Empty.at(path));
    }
    Ok(bytes)
}
