//! The digest of a file's bytes.

use std::io;

/// BLAKE3 of all that is read, in hexadecimal.
pub fn digest(input: impl io::Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(input)?;
    Ok(hasher.finalize().to_hex().to_string())
}
