//! What was written where, so that a run that would write the same again neither loads nor writes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use terrane_flow::{Digest, OutputEntry};
use terrane_io::{Sidecar, write_atomic};

/// What outputs hold, as it was written.
pub struct Ledger {
    folder: Option<PathBuf>,
}

impl Ledger {
    /// A ledger in a cache's folder; without, nothing is known.
    #[must_use]
    pub fn new(cache: Option<&Path>) -> Self {
        Self { folder: cache.map(|folder| folder.join("outputs")) }
    }

    fn page(&self, file: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(file).ok()?;
        let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(&name[..32]))
    }

    /// The content that a file holds, when it is just as it was written, with the same options.
    #[must_use]
    pub fn content(&self, file: &Path, entry: &OutputEntry) -> Option<Digest> {
        let page = fs::read_to_string(self.page(file)?).ok()?;
        let [digest, options, state] = page.lines().collect::<Vec<_>>()[..] else { return None };
        (options == format!("{:?}", entry.options) && state == state_of(file)?)
            .then(|| Digest::from_hex(digest))?
    }

    /// Notes what a file holds.
    pub fn note(&self, file: &Path, entry: &OutputEntry, content: Digest) {
        let (Some(page), Some(state)) = (self.page(file), state_of(file)) else { return };
        let text = format!("{}\n{:?}\n{state}\n", content.hex(), entry.options);
        // Without a note the file is only written again.
        let _best_effort = write_atomic(&page, false, |out| out.write_all(text.as_bytes()));
    }
}

/// A file's bytes and those of its sidecar, hashed.
fn state_of(file: &Path) -> Option<String> {
    // Opening a pipe would wait for somebody who writes to it.
    let regular = |path: &Path| fs::metadata(path).ok()?.is_file().then(|| fs::File::open(path).ok())?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(regular(file)?).ok()?;
    if let Some(sidecar) = regular(&Sidecar::path_of(file)) {
        hasher.update_reader(sidecar).ok()?;
    }
    Some(hasher.finalize().to_hex().to_string())
}
