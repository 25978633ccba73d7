//! The digest of a file's bytes.

use std::io;

/// The BLAKE3 hash of the input, in hexadecimal.
pub fn digest(input: impl io::Read) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(input)?;
    Ok(hasher.finalize().to_hex().to_string())
}
