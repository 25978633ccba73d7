//! What was written where, so that a run that would write the same again neither loads nor writes. A folder's
//! manifest says it too, but folders come from anywhere: what is left as it is must be known in the cache.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use terrane_flow::{Digest, FileDigests, OutputEntry};
use terrane_io::write_atomic;

use super::manifest::OutputFile;

/// What outputs hold, as it was written.
pub struct Ledger {
    folder: Option<PathBuf>,
    /// Digests of the files that graphs are made from, for as long as these stay.
    pub(super) sources: FileDigests,
}

impl Ledger {
    /// A ledger in a cache's folder; without, nothing is known.
    #[must_use]
    pub fn new(cache: Option<&Path>) -> Self {
        Self { folder: cache.map(|folder| folder.join("outputs")), sources: FileDigests::default() }
    }

    fn page(&self, file: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(file).ok()?;
        let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(&name[..32]))
    }

    /// The content of a file, where it was written with these options and these bytes.
    pub(super) fn content(&self, file: &Path, entry: &OutputEntry, said: &OutputFile) -> Option<Digest> {
        let page = fs::read_to_string(self.page(file)?).ok()?;
        let content = Digest::from_hex(&said.content)?;
        (page == text(entry, said)).then_some(content)
    }

    /// Notes what a file holds.
    pub(super) fn note(&self, file: &Path, entry: &OutputEntry, said: &OutputFile) {
        let Some(page) = self.page(file) else { return };
        // Without a note the file is only written again.
        let _best_effort = write_atomic(&page, false, |out| out.write_all(text(entry, said).as_bytes()));
    }
}

/// Content, options, and the bytes of the file and its sidecar.
fn text(entry: &OutputEntry, said: &OutputFile) -> String {
    let sidecar = said.sidecar.as_ref().map(|state| &*state.blake3).unwrap_or_default();
    format!("{}\n{:?}\n{} {sidecar}\n", said.content, entry.options, said.state.blake3)
}
