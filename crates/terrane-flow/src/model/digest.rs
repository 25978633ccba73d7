//! Digests of values.

use std::fmt;
use std::io::{self, Write};

/// Identifies the content of a value: the BLAKE3 hash of its kind and its encoded bytes. Equal digests mean
/// equal bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Lower-case hexadecimal, 64 characters.
    #[must_use]
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// Parses the output of [`Digest::hex`].
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex()[..12])
    }
}

/// Hashes what is written to it: large parts where they lie, on all idle threads of the pool that runs this.
/// Outside of a pool, one thread hashes: a pool of all threads of the process would ignore the number of
/// threads that the caller allows, and would not exist in a process after a fork.
pub struct Hashing {
    hasher: blake3::Hasher,
    /// Small parts that were written last. The hasher takes many bytes in a fraction of the time of a few.
    small: Vec<u8>,
}

impl Hashing {
    /// The digest of the kind and the bytes that `encode` writes.
    pub fn digest(kind: &str, encode: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Digest {
        let mut hashing = Self { hasher: blake3::Hasher::new(), small: Vec::new() };
        hashing.small.extend_from_slice(kind.as_bytes());
        hashing.small.push(0);
        // A hasher accepts every byte, so encoding into it cannot fail.
        let _infallible = encode(&mut hashing);
        hashing.hash_small();
        Digest(*hashing.hasher.finalize().as_bytes())
    }

    fn hash_small(&mut self) {
        self.hasher.update(&self.small);
        self.small.clear();
    }
}

/// From this size on, parts are hashed by several threads.
const LARGE: usize = 1 << 17;

/// Up to this size together, parts are collected before they are hashed.
const SMALL: usize = 1 << 14;

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.small.len() + bytes.len() > SMALL {
            self.hash_small();
        }
        if bytes.len() >= LARGE && rayon::current_thread_index().is_some() {
            self.hasher.update_rayon(bytes);
        } else if bytes.len() >= SMALL {
            self.hasher.update(bytes);
        } else {
            self.small.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
